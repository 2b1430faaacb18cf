import ComposableArchitecture
import Testing

private struct Hidden {
  enum State { case on }
  struct Box<Value> {}
}

struct Seen {
  fileprivate enum Inner { case a(Int) }
}

/// Names of types in messages: those of private types must be the same in each process.
@Suite struct TypeNameTests {
  @Test func names() {
    struct Local {}
    #expect(shortTypeName(Int.self) == "Int")
    #expect(shortTypeName(Seen.self) == "Seen")
    #expect(shortTypeName(Seen.Inner.self) == "Seen.Inner")
    #expect(shortTypeName(Hidden.State.self) == "Hidden.State")
    #expect(shortTypeName(Hidden.Box<[Hidden]>.self) == "Hidden.Box<Array<Hidden>>")
    #expect(shortTypeName([String: Hidden.Box<Int>].self) == "Dictionary<String, Hidden.Box<Int>>")
    #expect(shortTypeName(Local.self) == "TypeNameTests.Local")
    #expect(shortTypeName((Int, Hidden).self) == "(Int, Hidden)")
    #expect(describeCase(Seen.Inner.a(1)) == "Seen.Inner.a")
    #expect(describeCase(Hidden.State.on) == "Hidden.State.on")
  }
}
