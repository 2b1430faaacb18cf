import ActionCoding
import Foundation
import Testing

// Each kind of change, as a type before and after it.

private enum Then {
  @Recordable struct Todo { var id: Int32, title: String, note: String, weight: Float }
  @Recordable enum Action {
    case add(String, Int), toggle(id: Int), remove(id: Int), clear
  }
  @Recordable struct State {
    var todos: [Todo]
    var tags: Set<Int32>
    var byName: [String: Todo]
    var selected: Int?
    var always: Int
    var only: OnlyCodable
  }
}

private enum Now {
  @Recordable struct Todo: Equatable {
    var title: String
    var id: Int
    var weight: Double
    var isDone = false
    var due: Date?
    var tags: [String] = ["none"]
    var priority: Int? = 3
    var color = "red", offset = -1.5
    var limits: [String: [Int8]] = ["a": [1, -2]]
    let kind = 4
  }
  @Recordable enum Action: Equatable {
    case clear, insert(Int)
    case toggle(Int)
    case add(title: String, count: Int, isDone: Bool = true)
  }
  @Recordable struct State {
    var only: OnlyCodable
    var byName: [String: Todo]
    var todos: [Todo]
    var tags: Set<Int>
    var selected: Int
    var always: Int?
  }
}

private func bytes<T: Recordable>(_ value: T) throws -> [UInt8] {
  try RecordWriter.bytes(of: value)
}

private func migrated<Old: Recordable, New: Recordable>(
  _ old: Old, to type: New.Type, _ migrations: [RecordMigration] = []
) throws -> New {
  try recordCoder(for: type).reading(RecordSchema(of: Old.self), migrations: migrations)
    .value(of: bytes(old))
}

private func failure<Old: Recordable, New: Recordable>(
  _ old: Old, to type: New.Type, _ migrations: [RecordMigration] = []
) throws -> String? {
  do {
    _ = try migrated(old, to: type, migrations)
    return nil
  } catch let error as RecordDecodingError {
    return error.path.isEmpty ? error.message : "\(error.path): \(error.message)"
  }
}

struct ChangeTests {
  private let todo = Then.Todo(id: 7, title: "Buy", note: "gone", weight: 0.5)

  @Test func fieldsAreMatchedByName() throws {
    let now = try migrated(self.todo, to: Now.Todo.self)
    #expect(now == Now.Todo(title: "Buy", id: 7, weight: 0.5))
    #expect(now.tags == ["none"] && now.priority == 3 && now.due == nil && !now.isDone)
    #expect(now.limits == ["a": [1, -2]] && now.offset == -1.5)
  }

  @Test func casesAreMatchedByName() throws {
    #expect(try migrated(Then.Action.clear, to: Now.Action.self) == .clear)
    // A label that came or went leaves the place.
    #expect(try migrated(Then.Action.toggle(id: 3), to: Now.Action.self) == .toggle(3))
    #expect(
      try failure(Then.Action.remove(id: 3), to: Now.Action.self) == """
        'Now.Action' has no case 'remove' any more. Register a migration: renamedCase or rewriting.
        """)
  }

  // Labels match by their place only where there are as many as before.
  @Test func labelsOfAnotherNumberOfValuesAreMatchedByName() throws {
    #expect(
      try failure(Then.Action.add("x", 2), to: Now.Action.self) == """
        add.title: The field 'title' of 'Now.Action' is not in the recording, and has no default \
        that is a literal. Give it a literal default, or register a migration: renamedField or \
        rewriting.
        """)
    let renamed: [RecordMigration] = [
      .renamedField("_0", to: "title", in: "Then.Action"),
      .renamedField("_1", to: "count", in: "Then.Action"),
    ]
    #expect(
      try migrated(Then.Action.add("x", 2), to: Now.Action.self, renamed)
        == .add(title: "x", count: 2, isDone: true))
  }

  @Test func collectionsAreReadElementByElement() throws {
    let then = Then.State(
      todos: [self.todo, self.todo], tags: [3, -4], byName: ["b": self.todo, "a": self.todo],
      selected: 5, always: 6, only: OnlyCodable(a: 9))
    let now = try migrated(then, to: Now.State.self)
    #expect(now.todos == Array(repeating: Now.Todo(title: "Buy", id: 7, weight: 0.5), count: 2))
    #expect(now.tags == [3, -4] && now.selected == 5 && now.always == 6)
    #expect(now.byName.keys.sorted() == ["a", "b"] && now.only == OnlyCodable(a: 9))
  }

  @Test func nilIsRefusedWhereAValueHasToBe() throws {
    let then = Then.State(
      todos: [], tags: [], byName: [:], selected: nil, always: 6, only: OnlyCodable())
    #expect(
      try failure(then, to: Now.State.self) == """
        selected: It is nil in the recording, and of type 'Int' now. Register a migration: rewriting.
        """)
  }

  @Test func numbersAreReadWhereTheyFit() throws {
    #expect(try migrated(Int64(300), to: Int16.self) == 300)
    #expect(try migrated(UInt8(200), to: Int.self) == 200)
    #expect(try migrated(Int(-1), to: Int128.self) == -1)
    #expect(try migrated(1.5, to: Float.self) == 1.5)
    #expect(try migrated(Float.infinity, to: Double.self) == .infinity)
    #expect(try migrated(Double.nan, to: Float.self).isNaN)
    #expect(try migrated(3, to: Double.self) == 3)
    #expect(
      try failure([1, 70_000], to: [Int16].self) == """
        [1]: The number 70000 of the recording's type 'Int' does not fit into 'Int16'. Register a \
        migration: rewriting.
        """)
    #expect(try failure(-1, to: UInt.self)?.contains("does not fit") == true)
    #expect(try failure(0.1, to: Float.self)?.contains("does not fit") == true)
  }

  @Test func numbersAsKeysKeepTheOrderOfTheirBytes() throws {
    let then: [Int16: String] = [-3: "a", 300: "b", 2: "c"]
    #expect(try migrated(then, to: [Int128: String].self) == [-3: "a", 300: "b", 2: "c"])
    #expect(try migrated([3, 1, 3], to: Set<Int>.self) == [1, 3])
    #expect(try migrated(Set([3, 1]), to: [Int].self).sorted() == [1, 3])
  }

  @Test func optionalsNest() throws {
    #expect(try migrated(Int?.some(1), to: Int??.self) == .some(.some(1)))
    #expect(try migrated(Int?.none, to: Int??.self) == .some(.none))
    #expect(try migrated(1, to: Int??.self) == .some(.some(1)))
    #expect(try migrated(Int??.some(.some(1)), to: Int.self) == 1)
  }

  @Test func otherTypesAreRefusedByName() throws {
    #expect(
      try failure(["a"], to: [Bool].self) == """
        [0]: It is of type 'Bool', and was 'String' in the recording. Register a migration: rewriting.
        """)
    #expect(try migrated([String](), to: [Bool].self) == [])
    #expect(
      try failure("a", to: Bool.self) == """
        No value of 'Bool' can be read as it was recorded. It is of type 'Bool', and was 'String' \
        in the recording. Register a migration: rewriting.
        """)
  }

  @Test func whatHasNotChangedIsReadTheFastWay() throws {
    let schema = RecordSchema(of: Now.Todo.self)
    #expect(RecordResolution(from: schema, to: schema).isIdentity)
    // New cases at the end, and other names of types, leave the bytes as they are.
    let small = RecordSchema(of: Small.self)
    #expect(RecordResolution(from: small, to: small).verdict() == RecordVerdict())
    #expect(
      !RecordResolution(
        from: RecordSchema(of: Then.Todo.self), to: RecordSchema(of: Now.Todo.self)
      ).isIdentity)
  }

  // A type that got code of its own, or has only `Codable` code now, is read by the names of its keys.
  @Test func codableTypesBecomeRecordableAndBack() throws {
    struct Plain: Codable, Equatable {
      var a = 1
      var b = ["x"]
      var kind: Kind? = .some(.two(3))
      enum Kind: Codable, Equatable { case one, two(Int) }
    }
    let written = recordCoder(for: Plain.self)
    let current = recordCoder(for: Twin.self)
    let twin = try current.reading(written.schema).value(of: written.bytes(of: Plain()))
    #expect(twin == Twin(a: 1, b: ["x"], kind: .two(3)))
    let back = try written.reading(current.schema).value(of: current.bytes(of: twin))
    #expect(back == Plain())
  }

  @Test func thePathIsThatOfTheRecording() throws {
    let then = Then.State(
      todos: [], tags: [], byName: [:], selected: 1, always: 6, only: OnlyCodable())
    let list = try bytes([then])
    let resolution = RecordResolution(
      from: RecordSchema(of: [Then.State].self), to: RecordSchema(of: [Now.State].self))
    // Cut off in the middle, as any bytes may be.
    for count in list.indices {
      #expect(throws: RecordDecodingError.self) {
        try resolution.translate(Array(list[..<count]))
      }
    }
    #expect(throws: RecordDecodingError.self) { try resolution.translate(list + [0]) }
  }
}

@Recordable
struct Twin: Equatable {
  var a: Int
  var b: [String]
  var kind: Kind?
  enum Kind: Equatable { case one, two(Int) }
}
