import CasePaths
import Testing

@CasePathable
@dynamicMemberLookup
enum Action: Equatable {
  case plain
  /// A single value.
  case single(Int)
  case labelled(id: Int)
  case several(Int, name: String)
  case void(Void)
  indirect case inner(Inner)
  case map(Int)  // like a sequence's method
  case filter(Inner) /* and another */
  case `default`
  case function(String), other(Bool)

  static func == (lhs: Action, rhs: Action) -> Bool { "\(lhs)" == "\(rhs)" }
}

@CasePathable
enum Inner: Equatable {
  case leaf(String)
  case again(Int)
}

@Suite struct CasePathableTests {
  @Test func embedAndExtract() {
    let single: CaseKeyPath<Action, Int> = \.single
    #expect(single(3) == Action.single(3))
    #expect(Action.single(3)[case: single] == 3)
    #expect(Action.plain[case: single] == nil)
    let plain = \Action.Cases.plain
    #expect(plain() == Action.plain)
    #expect(Action.plain[case: plain] != nil)
    #expect(Action.single(1).single == 1)
    #expect(Action.labelled(id: 4)[case: \.labelled] == 4)
    let several = Action.several(1, name: "a")[case: \.several]
    #expect(several?.0 == 1)
    #expect(several?.name == "a")
  }

  @Test func chains() {
    let leaf = \Action.Cases.inner.leaf
    #expect(leaf("x") == Action.inner(.leaf("x")))
    #expect(Action.inner(.leaf("x"))[case: leaf] == "x")
    #expect(Action.inner(.again(1))[case: \.inner.leaf] == nil)
    #expect(Action.inner(.leaf("x")).is(\.inner.leaf))
    #expect(!Action.inner(.leaf("x")).is(\.inner.again))
  }

  @Test func matching() {
    let action = Action.several(1, name: "x")
    switch action {
    case \.single: Issue.record("not this")
    case \.several: break
    default: Issue.record("not that")
    }
  }

  @Test func iterate() {
    #expect(Array(Inner.allCasePaths) == [\.leaf, \.again])
    #expect(Inner.leaf("").case == \.leaf)
  }

  @Test func hash() {
    let a: CaseKeyPath<Action, Int> = \.single
    let b: CaseKeyPath<Action, Int> = \.map
    let again: CaseKeyPath<Action, Int> = \.single
    #expect(a == again)
    #expect(a != b)
    #expect(a.hashValue == again.hashValue)
  }
}
