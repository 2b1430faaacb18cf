public import CasePaths
import Testing

// Each type here is a shape that a case path's generated code must survive.

/// A generic parameter named like the element of a sequence, on the enum and around it.
@CasePathable
enum GenericEnum<Element, Iterator> {
  case element(Element)
  case iterator([Iterator])
}

struct GenericParent<Element> {
  @CasePathable
  enum Nested {
    case element(Element)
    case list([Element])
  }
}

@CasePathable
enum Conditional {
  case always
  #if os(Linux)
    case linux(Int)
    #if DEBUG
      case debug
    #else
      case release(String)
    #endif
  #elseif os(macOS)
    case mac
  #else
    case other(Bool)
  #endif
}

@CasePathable
enum Commented {
  case a  // plain
  case b(Int) /* with a value */
  case c(Int /* inside */, String)  // and after
  // before
  case d(
    first: Int,  // first
    second: String  // second
  )
}

@CasePathable
public enum Visible {
  case one(Int), two
}

@CasePathable
package enum InPackage {
  case one(Int)
}

@CasePathable
fileprivate enum Hidden {
  case one(Int)
}

@CasePathable
private enum TopLevelPrivate {
  case one(Int)
}

struct Outer {
  @CasePathable
  fileprivate enum Inner {
    case one(Int)
  }
}

@CasePathable
enum Nothing {}

@CasePathable
indirect enum Tree: Equatable {
  case leaf(Int)
  case node(left: Tree, right: Self)
  case again(Self)
}

@CasePathable
enum Functions {
  case plain(() -> Void)
  case sendable(@Sendable (Int) async throws -> String)
  case optional((() -> Int)?)
  case existential(any Error)
  case several(callback: () -> Void, Int)
}

@CasePathable
enum NamedLikeSequence {
  case first(Int), map(Int), filter, min(Int), contains(Int), element(Int), makeArray
}

enum ByHand: CasePathable {
  case one(Int)

  struct AllCasePaths {
    var one: AnyCasePath<ByHand, Int> {
      AnyCasePath(
        embed: { .one($0) }, extract: { if case .one(let value) = $0 { value } else { nil } })
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

@CasePathable
enum ConformsByHand: CasePathable {
  case one(Int)
}

@CasePathable
@available(*, deprecated)
enum Old {
  case one(Int)
}

@MainActor
@CasePathable
enum Isolated {
  case one(Int)
}

@Suite struct ExpansionShapeTests {
  @Test func genericParameters() {
    #expect(GenericEnum<Int, String>.element(1)[case: \.element] == 1)
    #expect(GenericEnum<Int, String>.iterator(["a"])[case: \.iterator] == ["a"])
    #expect(GenericParent<Int>.Nested.list([1])[case: \.list] == [1])
  }

  @Test func conditions() {
    #expect(Conditional.linux(3)[case: \.linux] == 3)
    #expect(Array(Conditional.allCasePaths).count == 3)
    #expect(Conditional.always.case == \.always)
  }

  @Test func comments() {
    #expect(Commented.b(1).is(\.b))
    #expect(Commented.d(first: 1, second: "x")[case: \.d]?.second == "x")
    #expect(Array(Commented.allCasePaths) == [\.a, \.b, \.c, \.d])
  }

  @Test func access() {
    #expect(Visible.one(1)[case: \.one] == 1)
    #expect(InPackage.one(1)[case: \.one] == 1)
    #expect(Hidden.one(1)[case: \.one] == 1)
    #expect(TopLevelPrivate.one(1)[case: \.one] == 1)
    #expect(Outer.Inner.one(1)[case: \.one] == 1)
  }

  @Test func recursion() {
    let tree = Tree.node(left: .leaf(1), right: .leaf(2))
    #expect(tree[case: \.node]?.right == .leaf(2))
  }

  @Test func functions() {
    #expect(Functions.optional { 3 }[case: \.optional]??() == 3)
    #expect(Functions.several(callback: {}, 2)[case: \.several]?.1 == 2)
  }

  @Test func namesOfSequenceMembers() {
    #expect(NamedLikeSequence.first(1)[case: \.first] == 1)
    #expect(NamedLikeSequence.map(1)[case: \.map] == 1)
    #expect(NamedLikeSequence.filter.is(\.filter))
    #expect(NamedLikeSequence.min(2)[case: \.min] == 2)
    #expect(NamedLikeSequence.contains(2)[case: \.contains] == 2)
  }

  @Test func emptyEnum() {
    #expect(Array(Nothing.allCasePaths).isEmpty)
  }

  @Test func byHand() {
    #expect(ByHand.one(1)[case: \.one] == 1)
    #expect(ConformsByHand.one(1)[case: \.one] == 1)
  }

  @Test nonisolated func isolated() {
    #expect(Isolated.one(1)[case: \.one] == 1)
  }
}
