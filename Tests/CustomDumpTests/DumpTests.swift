import CustomDump
import Testing

struct User: Identifiable, Equatable {
  var favoriteNumbers: [Int]
  var id: Int
  var name: String
}

struct Wrapper<Value> {
  var value: Value
}

enum Choice {
  case foo
  case bar(Int)
  case baz(fizz: Double, buzz: String)
  case fizz(Double, buzz: String)
  indirect case nest(Choice)
}

@Suite struct DumpTests {
  @Test func aStructHasAFieldALine() {
    let user = User(favoriteNumbers: [42, 1729], id: 2, name: "Blob")
    #expect(
      String(customDumping: user) == """
        User(
          favoriteNumbers: [
            [0]: 42,
            [1]: 1729
          ],
          id: 2,
          name: "Blob"
        )
        """)
  }

  @Test func aSingleValueStaysOnTheLine() {
    struct ID { var rawValue: String }
    struct Item { var id: ID }
    #expect(
      String(customDumping: ID(rawValue: "deadbeef")) == #"DumpTests.ID(rawValue: "deadbeef")"#)
    #expect(
      String(customDumping: Item(id: ID(rawValue: "a"))) == """
        DumpTests.Item(
          id: DumpTests.ID(rawValue: "a")
        )
        """)
  }

  @Test func genericArgumentsAreLeftOutOfNames() {
    #expect(String(customDumping: Wrapper(value: 1)) == "Wrapper(value: 1)")
  }

  @Test func emptyValues() {
    struct Empty {}
    #expect(String(customDumping: Empty()) == "DumpTests.Empty()")
    #expect(String(customDumping: [Int]()) == "[]")
    #expect(String(customDumping: [Int: Int]()) == "[:]")
    #expect(String(customDumping: Set<Int>()) == "Set([])")
    #expect(String(customDumping: ()) == "()")
    #expect(String(customDumping: Int?.none) == "nil")
  }

  @Test func enums() {
    #expect(String(customDumping: Choice.foo) == "Choice.foo")
    #expect(String(customDumping: Choice.bar(42)) == "Choice.bar(42)")
    #expect(
      String(customDumping: Choice.baz(fizz: 0.9, buzz: "2")) == """
        Choice.baz(
          fizz: 0.9,
          buzz: "2"
        )
        """)
    #expect(
      String(customDumping: Choice.fizz(0.9, buzz: "2")) == """
        Choice.fizz(
          0.9,
          buzz: "2"
        )
        """)
    #expect(String(customDumping: Choice.nest(.foo)) == "Choice.nest(.foo)")
    #expect(
      String(customDumping: Choice.nest(.baz(fizz: 0.9, buzz: "2"))) == """
        Choice.nest(
          .baz(
            fizz: 0.9,
            buzz: "2"
          )
        )
        """)
  }

  @Test func optionalsAreUnwrapped() {
    #expect(String(customDumping: Optional("Blob")) == #""Blob""#)
    #expect(String(customDumping: Optional(Optional(Choice.foo))) == "Choice.foo")
  }

  @Test func tuples() {
    #expect(
      String(customDumping: (1, name: "a")) == """
        (
          1,
          name: "a"
        )
        """)
  }

  @Test func types() {
    #expect(String(customDumping: Double.self) == "Double.self")
    #expect(String(customDumping: [Int: [String?]].self) == "[Int: [String?]].self")
    #expect(
      String(customDumping: Wrapper<Wrapper<Choice>>.self) == "Wrapper<Wrapper<Choice>>.self")
    #expect(String(customDumping: [Int].Index.self) == "Int.self")
    #expect(
      String(customDumping: Dictionary<Int, Choice>.Index.self) == "[Int: Choice].Index.self")
    struct Local {}
    #expect(String(customDumping: Local.self) == "DumpTests.Local.self")
  }

  /// A dictionary's order differs from run to run, its dump does not, wherever it stands.
  @Test func aDictionaryIsSortedByItsDumpedKeysAtEveryDepth() {
    struct Holder {
      var numbers = ["a": 5, "b": 9, "c": 1, "d": -3, "e": 12]
    }
    let expected: String = """
      DumpTests.Holder(
        numbers: [
          "a": 5,
          "b": 9,
          "c": 1,
          "d": -3,
          "e": 12
        ]
      )
      """
    for round in 0..<50 {
      var holder = Holder()
      holder.numbers.reserveCapacity(8 + round * 3)
      #expect(String(customDumping: holder) == expected)
    }
    #expect(
      String(customDumping: [["b": 1, "a": 2]]) == """
        [
          [0]: [
            "a": 2,
            "b": 1
          ]
        ]
        """)
  }

  @Test func aSetIsSorted() {
    #expect(
      String(customDumping: Set([3, 1, 2])) == """
        Set([
          1,
          2,
          3
        ])
        """)
  }

  @Test func pairsKeepTheirOrder() {
    let pairs: KeyValuePairs = ["b": 1, "a": 2]
    #expect(
      String(customDumping: pairs) == """
        [
          "b": 1,
          "a": 2
        ]
        """)
  }

  @Test func maxDepth() {
    let user = User(favoriteNumbers: [42, 1729], id: 2, name: "Blob")
    var text = ""
    customDump([user], to: &text, maxDepth: 0)
    #expect(text == "[…]")
    text = ""
    customDump([user], to: &text, maxDepth: 2)
    #expect(
      text == """
        [
          [0]: User(
            favoriteNumbers: […],
            id: 2,
            name: "Blob"
          )
        ]
        """)
  }

  @Test func nameAndIndent() {
    var text = ""
    let returned: [Int] = customDump([1], to: &text, name: "list", indent: 2)
    #expect(returned == [1])
    #expect(
      text == """
          list: [
            [0]: 1
          ]
        """)
  }

  @Test func textsOfSeveralLines() {
    struct Mail {
      var subject = "RE: \"Event\""
      var body = "Dear Blob,\nhello."
    }
    #expect(
      String(customDumping: Mail()) == ##"""
        DumpTests.Mail(
          subject: #"RE: "Event""#,
          body: """
            Dear Blob,
            hello.
            """
        )
        """##)
    #expect(String(customDumping: "a\nb") == "\"\"\"\na\nb\n\"\"\"")
    #expect(
      String(customDumping: "\"\"\"\n\\") == "#\"\"\"\n\"\"\"\n\\\n\"\"\"#")
  }

  @Test func quotesAndBackslashes() {
    #expect(String(customDumping: #"a"b"#) == ##"#"a"b"#"##)
    #expect(String(customDumping: ##"a"#b"##) == ###"##"a"#b"##"###)
    #expect(String(customDumping: #"a\b"#) == ##"#"a\b"#"##)
    #expect(String(customDumping: "a\tb") == #""a\tb""#)
    #expect(String(customDumping: Character("a")) == #""a""#)
    #expect(String(customDumping: "abc".dropFirst()) == #""bc""#)
  }

  @Test func standardTypes() {
    #expect(String(customDumping: 0..<3) == "0..<3")
    #expect(String(customDumping: AnyHashable(1)) == "1")
    #expect(String(customDumping: \User.name) == #"\User.name"#)
    #expect(
      String(customDumping: Duration.milliseconds(-90_500))
        == "-1 minute, 30 seconds, 500 milliseconds")
    #expect(String(customDumping: Duration.zero) == "0 nanoseconds")
  }

  @Test func macroStorageIsLeftOut() {
    struct State {
      var _$id = 1
      var _count = 2
    }
    #expect(String(customDumping: State()) == "DumpTests.State(_count: 2)")
  }
}
