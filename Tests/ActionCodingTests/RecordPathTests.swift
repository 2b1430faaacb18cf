import ActionCoding
import Foundation
import Testing

@Recordable
struct Root {
  struct Item {
    var id: Int
    var name: String?
  }
  struct Child { var count: Int }
  enum Destination {
    case child(Child)
    case alert(title: String, code: Int)
    case none
  }
  var items: [Item]
  var names: [String: Item]
  var numbers: [Int: String]
  var ids: [UUID: Int]
  var destination: Destination?
  var deep: Int??
}

struct RecordPathTests {
  private func value(_ destination: Root.Destination? = nil) throws -> RecordValue {
    let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let root = Root(
      items: [.init(id: 1, name: "a"), .init(id: 2)], names: ["k.\"": .init(id: 3)],
      numbers: [7: "seven"], ids: [id: 5], destination: destination, deep: 9)
    return try RecordValue(RecordWriter.bytes(of: root), schema: RecordSchema(of: Root.self))
  }

  private func look(_ path: String, _ destination: Root.Destination? = nil) throws -> String {
    do {
      return try value(destination).value(at: RecordPath(parsing: path)).text()
    } catch let error as RecordPathError {
      return "\(error)"
    }
  }

  @Test func pathsLeadToValues() throws {
    #expect(try look("items[1].id") == "2")
    #expect(try look("items[0].name") == #""a""#)
    #expect(try look("items[1]") == "Item(id: 2, name: nil)")
    #expect(try look(#"names["k.\""].id"#) == "3")
    #expect(try look("numbers[7]") == #""seven""#)
    #expect(try look(#"ids["00112233-4455-6677-8899-AABBCCDDEEFF"]"#) == "5")
    #expect(try look("deep") == "9" || look("deep") == ".some(9)")
    #expect(try look("").hasPrefix("Root(items: ["))
  }

  @Test func casesAreSteps() throws {
    #expect(try look("destination.child.count", .child(.init(count: 4))) == "4")
    #expect(try look("destination.alert.code", .alert(title: "t", code: 2)) == "2")
    #expect(try look("destination.title", .alert(title: "t", code: 2)) == #""t""#)
    #expect(try look("destination.none", Root.Destination.none) == "()")
  }

  @Test func missingStepsSayWhatThereIs() throws {
    #expect(
      try look("items[0].nam")
        == "The path 'items[0].nam' does not exist. 'items[0]' has no 'nam'. It has: id, name.")
    #expect(
      try look("items[2]")
        == "The path 'items[2]' does not exist. 'items' has 2 elements, [0] to [1], and no '[2]'.")
    #expect(
      try look("item")
        == """
        The path 'item' does not exist. The value has no 'item'. It has: items, names, numbers, \
        ids, destination, deep.
        """)
    #expect(
      try look(#"names["x"]"#)
        == #"The path 'names["x"]' does not exist. 'names' has no key '["x"]'. It has: ["k.\""]."#)
    #expect(
      try look("destination.child.count")
        == "The path 'destination.child.count' does not exist. 'destination' is nil there, and has no 'child'."
    )
    #expect(
      try look("destination.child.count", .alert(title: "t", code: 2))
        == """
        The path 'destination.child.count' does not exist. 'destination' is the case 'alert' there \
        with: title, code, and has no 'child'.
        """)
    #expect(
      try look("items[0].id.x")
        == "The path 'items[0].id.x' does not exist. 'items[0].id' is a number, and has no 'x'.")
  }

  @Test(arguments: [
    ("a..b", 3, "a name is expected"), ("a.", 3, "a name is expected"),
    ("a[", 3, "a number or a text in quotation marks is expected"),
    ("a[x]", 3, "a number or a text in quotation marks is expected"),
    ("a[1", 4, "a ']' is expected"), ("a[\"x", 5, "the text in quotation marks has no end"),
    ("a b", 2, "a '.' or a '[' is expected"), (".a", 1, "a name is expected"),
    ("a[99999999999999999999]", 23, "a smaller number is expected"),
    ("a[1]b", 5, "a '.' or a '[' is expected"),
  ])
  func textsThatAreNoPathSayWhere(text: String, character: Int, problem: String) {
    #expect {
      try RecordPath(parsing: text)
    } throws: {
      "\($0)" == """
        '\(text)' is not a path: at character \(character), \(problem). A path looks like \
        cart.items[3].name or names["en"].
        """
    }
    #expect(RecordPath(text) == nil)
  }

  @Test(arguments: ["", "a", "a.b[3].c", #"items["key"]"#, #"a["\\\""][0]"#, "[0]", "é.ü"])
  func pathsPrintAsTheyAreRead(text: String) throws {
    #expect(try RecordPath(parsing: text).description == text)
  }

  @Test func childrenCoverEveryStep() throws {
    func walk(_ value: RecordValue, _ path: RecordPath, _ root: RecordValue) throws -> Int {
      #expect(try root.value(at: path) == value)
      return try value.children.reduce(1) { count, child in
        try count + walk(child.value, path.appending(child.component), root)
      }
    }
    let root = try value(.alert(title: "t", code: 2))
    let count = try walk(root, RecordPath(), root)
    #expect(count == 21)
  }
}
