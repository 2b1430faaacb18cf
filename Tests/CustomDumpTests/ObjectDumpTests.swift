import CustomDump
import Testing

private class Human {
  let name = "John"
}

private final class Member: Human {
  let email = "john@example.com"
  let age = 97
  let human: Human
  init(human: Human) { self.human = human }
}

private final class Node {
  var id: Int
  var next: Node?
  init(id: Int) { self.id = id }
}

private struct Chain {
  var first: Node

  init(count: Int, last: Int) {
    first = Node(id: 1_000 + last)
    for id in 1..<count {
      let node = Node(id: id)
      node.next = first
      first = node
    }
  }

  /// Frees the nodes one after another, else each would be freed within the one before.
  mutating func unlink() {
    while let next = first.next {
      first.next = nil
      first = next
    }
  }
}

@Suite struct ObjectDumpTests {
  @Test func eachObjectIsShownInFullOnceAndTheSecondOfATypeHasANumber() {
    let human = Human()
    let human2 = Human()
    let member = Member(human: human)
    let member2 = Member(human: human2)
    let people: [Human] = [human, human, human2, human2, member, member, member2, member2]
    #expect(
      String(customDumping: people) == """
        [
          [0]: Human(name: "John"),
          [1]: Human(↩︎),
          [2]: #2 Human(name: "John"),
          [3]: #2 Human(↩︎),
          [4]: Member(
            name: "John",
            email: "john@example.com",
            age: 97,
            human: Human(↩︎)
          ),
          [5]: Member(↩︎),
          [6]: #2 Member(
            name: "John",
            email: "john@example.com",
            age: 97,
            human: #2 Human(↩︎)
          ),
          [7]: #2 Member(↩︎)
        ]
        """)
  }

  @Test func aCycleEnds() {
    let node = Node(id: 1)
    node.next = node
    defer { node.next = nil }
    #expect(
      String(customDumping: node) == """
        Node(
          id: 1,
          next: Node(↩︎)
        )
        """)
  }

  @Test func theDifferenceOfCyclesEnds() {
    let first = Node(id: 1)
    first.next = first
    let second = Node(id: 2)
    second.next = second
    let third = Node(id: 1)
    third.next = third
    defer {
      first.next = nil
      second.next = nil
      third.next = nil
    }
    #expect(
      diff(first, second) == """
          Node(
        -   id: 1,
        +   id: 2,
            next: Node(↩︎)
          )
        """)
    #expect(diff(first, third) == nil)
  }

  /// However long a chain is, it must not use up the stack.
  @Test func aLongChainIsCutOff() {
    var chain = Chain(count: 2_000, last: 0)
    #expect(String(customDumping: chain.first).contains("next: #257 Node(…)"))
    chain.unlink()
  }

  @Test func theDifferenceAtTheEndOfAChain() {
    var chains: [Chain] = [1, 2, 1].map { Chain(count: 150, last: $0) }
    let difference: String? = diff(chains[0].first, chains[1].first)
    #expect(difference?.contains("  id: 1001,\n-") == true)
    #expect(difference?.contains("  id: 1002,\n+") == true)
    #expect(diff(chains[0].first, chains[2].first) == nil)
    for index in chains.indices { chains[index].unlink() }
  }

  @Test func objectsThatAreNotEqualThoughTheirFieldsAre() {
    final class Same: Equatable {
      let id = 1
      static func == (first: Same, second: Same) -> Bool { first === second }
    }
    #expect(
      diff(Same(), Same()) == """
          // Not equal but no difference detected:
        - #1 ObjectDumpTests.Same(id: 1)
        + #2 ObjectDumpTests.Same(id: 1)
        """)
  }

  @Test func anObjectThatRemembersIsComparedWithItself() {
    final class Reference: _CustomDiffObject, Equatable {
      var before: User
      var now: User
      init(before: User, now: User) { (self.before, self.now) = (before, now) }
      var _customDiffValues: (Any, Any) { (before, now) }
      static func == (first: Reference, second: Reference) -> Bool { first.before == second.now }
    }
    struct State: Equatable {
      var user: Reference
      var number = 1
    }
    let user = User(favoriteNumbers: [], id: 1, name: "Blob")
    var other = user
    other.name = "Blob, Jr."
    let state = State(user: Reference(before: user, now: other))
    #expect(
      diff(state, state) == """
          ObjectDumpTests.State(
            user: #1 User(
              favoriteNumbers: [],
              id: 1,
        -     name: "Blob"
        +     name: "Blob, Jr."
            ),
            number: 1
          )
        """)
    #expect(
      String(customDumping: [state.user, state.user]) == """
        [
          [0]: #1 User(
            favoriteNumbers: [],
            id: 1,
            name: "Blob, Jr."
          ),
          [1]: #1 User(↩︎)
        ]
        """)
  }
}
