import Foundation
import SwiftNavigation
import Testing

@Suite struct TextStateTests {
  @Test func says() {
    let count = 3
    #expect(String(state: TextState("\(count) items")) == "3 items")
    #expect(String(state: TextState(verbatim: "plain")) == "plain")
    #expect(String(state: TextState("substring".dropFirst(3))) == "string")
    #expect(String(state: TextState("a"), locale: Locale(identifier: "fr")) == "a")
  }

  @Test func puttingTogether() {
    let text: TextState = TextState("a") + TextState("b") + TextState("c")
    #expect(String(state: text) == "abc")
    #expect(text == TextState("a") + (TextState("b") + TextState("c")))
    #expect(text != TextState("abc"))
  }

  @Test func equalityAndHash() {
    #expect(TextState("a") == TextState(verbatim: "a"))
    #expect(Set([TextState("a"), TextState("a"), TextState("b")]).count == 2)
  }
}
