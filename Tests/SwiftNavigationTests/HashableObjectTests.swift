import SwiftNavigation
import Testing

private final class Thing: HashableObject {
  var value = 1
}

@Suite struct HashableObjectTests {
  @Test func comparedByIdentity() {
    let (first, second) = (Thing(), Thing())
    #expect(first == first)
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
  }
}
