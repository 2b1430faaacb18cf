import CustomDump
import Testing

@Suite struct DiffTests {
  let user = User(favoriteNumbers: [42, 1729], id: 2, name: "Blob")

  @Test func equalValuesHaveNone() {
    #expect(diff(user, user) == nil)
    #expect(diff((1, 2), (1, 2)) == nil)
    #expect(diff(Int.self as Any, Int.self as Any) == nil)
  }

  @Test func aFieldThatChanged() {
    var other = user
    other.name = "Blob!"
    #expect(
      diff(user, other) == """
          User(
            favoriteNumbers: […],
            id: 2,
        -   name: "Blob"
        +   name: "Blob!"
          )
        """)
  }

  @Test func theProportionalFormat() {
    var other = user
    other.name = "Blob!"
    #expect(
      diff(user, other, format: .proportional) == """
        \u{2007} User(
        \u{2007}   favoriteNumbers: […],
        \u{2007}   id: 2,
        \u{2212}   name: "Blob"
        +   name: "Blob!"
        \u{2007} )
        """)
  }

  @Test func anElementThatChanged() {
    var other = user
    other.favoriteNumbers[1] = 91
    #expect(
      diff(user, other) == """
          User(
            favoriteNumbers: [
              [0]: 42,
        -     [1]: 1729
        +     [1]: 91
            ],
            id: 2,
            name: "Blob"
          )
        """)
  }

  @Test func unchangedElementsAreCounted() {
    let users: [User] = (1...4).map { User(favoriteNumbers: [], id: $0, name: "Blob") }
    #expect(
      diff(users, users + [User(favoriteNumbers: [], id: 5, name: "Blob")]) == """
          [
            … (4 unchanged),
        +   [4]: User(
        +     favoriteNumbers: [],
        +     id: 5,
        +     name: "Blob"
        +   )
          ]
        """)
    #expect(
      diff([1, 2, 3, 4], [1, 2, 4]) == """
          [
            … (2 unchanged),
        -   [2]: 3,
            [2]: 4
          ]
        """)
    #expect(
      diff([1, 2, 3], [1, 2]) == """
          [
            … (2 unchanged),
        -   [2]: 3
          ]
        """)
  }

  @Test func elementsAreMatchedByTheirID() {
    let users: [User] = (1...3).map { User(favoriteNumbers: [], id: $0, name: "Blob") }
    var others: [User] = users
    others[2].name = "Blob!"
    others.remove(at: 0)
    #expect(
      diff(users, others) == """
          [
        -   [0]: User(
        -     favoriteNumbers: [],
        -     id: 1,
        -     name: "Blob"
        -   ),
            [0]: User(…),
            [1]: User(
              favoriteNumbers: [],
              id: 3,
        -     name: "Blob"
        +     name: "Blob!"
            )
          ]
        """)
  }

  @Test func longListsAreMatchedByTheirID() {
    let users: [User] = (0..<3_000).map { User(favoriteNumbers: [], id: $0, name: "Blob") }
    var others: [User] = users
    others.removeLast()
    others.removeFirst()
    #expect(
      diff(users, others) == """
          [
        -   [0]: User(
        -     favoriteNumbers: [],
        -     id: 0,
        -     name: "Blob"
        -   ),
            … (2998 unchanged),
        -   [2999]: User(
        -     favoriteNumbers: [],
        -     id: 2999,
        -     name: "Blob"
        -   )
          ]
        """)
    let numbers = Dictionary(uniqueKeysWithValues: (0..<2_500).map { ($0, $0) })
    var changed: [Int: Int] = numbers
    changed[-1] = 0
    changed[999] = nil
    #expect(
      diff(numbers, changed) == """
          [
        +   -1: 0,
            … (2499 unchanged),
        -   999: 999
          ]
        """)
  }

  @Test func dictionariesAndSets() {
    #expect(
      diff([1: "a", 2: "b", 3: "c"], [1: "a", 3: "d", 4: "e"]) == """
          [
            1: "a",
        -   2: "b",
        -   3: "c"
        +   3: "d",
        +   4: "e"
          ]
        """)
    #expect(
      diff(Set([1, 2, 3]), Set([1, 2, 4])) == """
          Set([
            … (2 unchanged),
        -   3
        +   4
          ])
        """)
  }

  @Test func cases() {
    #expect(
      diff(Choice.foo, Choice.bar(42)) == """
        - Choice.foo
        + Choice.bar(42)
        """)
    #expect(
      diff(Choice.bar(42), Choice.bar(43)) == """
        - Choice.bar(42)
        + Choice.bar(43)
        """)
    #expect(
      diff(
        Choice.nest(.baz(fizz: 0.9, buzz: "2")), Choice.nest(.baz(fizz: 0.9, buzz: "3"))) == """
            Choice.nest(
              .baz(
                fizz: 0.9,
          -     buzz: "2"
          +     buzz: "3"
              )
            )
          """)
  }

  @Test func optionals() {
    #expect(
      diff(Optional(user), nil) == """
        - User(
        -   favoriteNumbers: [
        -     [0]: 42,
        -     [1]: 1729
        -   ],
        -   id: 2,
        -   name: "Blob"
        - )
        + nil
        """)
    var other: User? = user
    other?.id = 3
    #expect(
      diff(Optional(user), other) == """
          User(
            favoriteNumbers: […],
        -   id: 2,
        +   id: 3,
            name: "Blob"
          )
        """)
  }

  @Test func textsAreComparedLineByLine() {
    struct Mail: Equatable {
      var id = 1
      var body: String
    }
    #expect(
      diff(Mail(body: "a\nb\nc"), Mail(body: "a\nB\nc")) == """
          DiffTests.Mail(
            id: 1,
            body: \"""
              a
        -     b
        +     B
              c
              \"""
          )
        """)
  }

  @Test func valuesOfDifferentTypes() {
    #expect(
      diff(1 as Any, "a" as Any) == """
        - 1
        + "a"
        """)
    #expect(
      diff(1 as Any, UInt8(1) as Any) == """
          // Not equal but no difference detected:
        - 1 as Int
        + 1 as UInt8
        """)
  }

  @Test func valuesThatAreNeverEqual() {
    struct NeverEqual: Equatable {
      var id = 1
      var name = "a"
      static func == (first: Self, second: Self) -> Bool { false }
    }
    struct Holder: Equatable {
      var value = NeverEqual()
      var number = 1
    }
    #expect(
      diff(NeverEqual(), NeverEqual()) == """
          // Not equal but no difference detected:
        - DiffTests.NeverEqual(
        -   id: 1,
        -   name: "a"
        - )
        + DiffTests.NeverEqual(
        +   id: 1,
        +   name: "a"
        + )
        """)
    #expect(
      diff(Holder(), Holder()) == """
          DiffTests.Holder(
            // Not equal but no difference detected:
        -   value: DiffTests.NeverEqual(
        -     id: 1,
        -     name: "a"
        -   ),
        +   value: DiffTests.NeverEqual(
        +     id: 1,
        +     name: "a"
        +   ),
            number: 1
          )
        """)
  }
}
