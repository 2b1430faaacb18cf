import ComposableArchitecture
import Testing

/// How actions and states are named in messages.
struct DescribeCaseTests {
  enum Screen { case row(index: Int, action: Row), title(String) }
  enum Row { case tap, change(text: String), move(Int, to: Int) }
  enum Mode: CustomDebugStringConvertible {
    case plain
    var debugDescription: String { "a mode" }
  }
  struct Value { var count = 0 }

  @Test func casesAndTheEnumsInThem() {
    #expect(describeCase(Row.tap) == "DescribeCaseTests.Row.tap")
    #expect(describeCase(Row.change(text: "a")) == "DescribeCaseTests.Row.change(text:)")
    #expect(describeCase(Row.move(1, to: 2)) == "DescribeCaseTests.Row.move(_:, to:)")
    #expect(describeCase(Screen.title("a")) == "DescribeCaseTests.Screen.title")
    #expect(
      describeCase(Screen.row(index: 1, action: .tap))
        == "DescribeCaseTests.Screen.row(index:, action: .tap)")
    #expect(
      describeCase(Screen.row(index: 1, action: .change(text: "a")))
        == "DescribeCaseTests.Screen.row(index:, action: .change(text:))")
  }

  @Test func otherValues() {
    #expect(describeCase(Value()) == "DescribeCaseTests.Value")
    #expect(describeCase(3) == "Int")
    #expect(describeCase(Mode.plain) == "a mode")
    #expect(describeCase(StackElementID(integerLiteral: 3)) == "#3")
  }
}
