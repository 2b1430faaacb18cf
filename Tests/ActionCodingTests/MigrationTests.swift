import ActionCoding
import Testing

private enum Then {
  @Recordable enum Action {
    case addTapped(name: String), removed(Int), todo(Todo), many([Todo]), maybe(Todo?)
    case named([String: Todo])
  }
  @Recordable struct Todo { var name: String, isDone: Int }
}

private enum Now {
  @Recordable enum Action: Equatable {
    case addButtonTapped(title: String), deleted(Int), todo(Item), many([Item]), maybe(Item?)
    case named([String: Item])
  }
  @Recordable struct Item: Equatable {
    var title: String
    var isDone: Bool
    var count = 2
  }
}

private struct Failure: Error, CustomStringConvertible { var description: String { "no way" } }

struct MigrationTests {
  private let renames: [RecordMigration] = [
    .renamedType("Then.Action", to: "Middle.Action"),
    .renamedCase("addTapped", to: "addPressed", in: "Then.Action"),
    .renamedField("name", to: "title", in: "Middle.Action"),
    .renamedType("Middle.Action", to: "Now.Action"),
    .renamedCase("addPressed", to: "addButtonTapped", in: "Now.Action"),
    .renamedCase("removed", to: "deleted", in: "Now.Action"),
    .renamedType("Then.Todo", to: "Now.Item"),
  ]

  private func rewritingTodos(
    _ drop: String = "", _ rest: [RecordMigration] = []
  ) -> [RecordMigration] {
    self.renames + rest + [
      .rewriting("Then.Todo") { value in
        guard case .structure(let type, let fields) = value,
          case .string(let name) = fields[0].value, case .int(let number) = fields[1].value
        else { throw Failure() }
        if name == drop { return nil }
        if name == "fail" { throw Failure() }
        return .structure(
          name: type, fields: [.init("isDone", .bool(number > 0)), .init("title", .string(name))])
      }
    ]
  }

  private func read(_ action: Then.Action, _ migrations: [RecordMigration]) throws -> Now.Action {
    try recordCoder(for: Now.Action.self)
      .reading(RecordSchema(of: Then.Action.self), migrations: migrations)
      .value(of: RecordWriter.bytes(of: action))
  }

  @Test func namesMayChangeAgainAndAgain() throws {
    #expect(try self.read(.addTapped(name: "x"), self.renames) == .addButtonTapped(title: "x"))
    #expect(try self.read(.removed(4), self.renames) == .deleted(4))
  }

  // A list of migrations grows, and newer logs have the new names.
  @Test func aMigrationLeavesNewerLogsAlone() throws {
    let coder = recordCoder(for: Now.Action.self)
    let reading = try coder.reading(coder.schema, migrations: self.renames)
    let action = Now.Action.addButtonTapped(title: "x")
    #expect(try reading.value(of: coder.bytes(of: action)) == action)
    #expect(
      RecordResolution(from: coder.schema, to: coder.schema, migrations: self.renames).isIdentity)
  }

  @Test func valuesAreWrittenAnewWhereverTheyAre() throws {
    let todo = Then.Todo(name: "a", isDone: 1)
    let item = Now.Item(title: "a", isDone: true)
    let migrations = self.rewritingTodos()
    #expect(try self.read(.todo(todo), migrations) == .todo(item))
    #expect(try self.read(.many([todo, todo]), migrations) == .many([item, item]))
    #expect(try self.read(.maybe(todo), migrations) == .maybe(item))
    #expect(try self.read(.maybe(nil), migrations) == .maybe(nil))
    #expect(try self.read(.named(["k": todo]), migrations) == .named(["k": item]))
  }

  @Test func whatIsDroppedTakesAlongWhatCannotBeWithoutIt() throws {
    let todo = Then.Todo(name: "a", isDone: 1)
    let other = Then.Todo(name: "b", isDone: 0)
    let item = Now.Item(title: "b", isDone: false)
    let migrations = self.rewritingTodos("a")
    #expect(try self.read(.many([todo, other, todo]), migrations) == .many([item]))
    #expect(try self.read(.maybe(todo), migrations) == .maybe(nil))
    #expect(
      try self.read(.named(["x": todo, "y": other]), migrations) == .named(["y": item]))
    #expect {
      try self.read(.todo(todo), migrations)
    } throws: {
      let error = $0 as? RecordDecodingError
      return error?.isDropped == true
        && error?.message == "A migration drops the value of 'Then.Todo'."
    }
  }

  @Test func anActionMayBeDroppedOrReplaced() throws {
    let migrations = [
      RecordMigration.rewriting("Then.Action") { value in
        guard case .enumeration(let type, let label, _) = value else { return value }
        if label == "removed" { return nil }
        return .enumeration(name: type, case: "deleted", fields: [.init("_0", .int(1))])
      }
    ]
    #expect(try self.read(.many([]), migrations) == .deleted(1))
    #expect {
      try self.read(.removed(1), migrations)
    } throws: {
      ($0 as? RecordDecodingError)?.isDropped == true
    }
  }

  // The parts of a value that is written anew have migrations of their own.
  @Test func migrationsApplyWithinWhatIsRewritten() throws {
    let migrations = self.rewritingTodos(
      "a", [.rewriting("Then.Action") { value in value }])
    let todo = Then.Todo(name: "b", isDone: 3)
    #expect(
      try self.read(.many([todo, Then.Todo(name: "a", isDone: 0)]), migrations)
        == .many([Now.Item(title: "b", isDone: true)]))
    #expect(try self.read(.addTapped(name: "x"), migrations) == .addButtonTapped(title: "x"))
  }

  @Test func whatAMigrationThrowsIsTold() throws {
    #expect {
      try self.read(.many([Then.Todo(name: "fail", isDone: 1)]), self.rewritingTodos())
    } throws: {
      let error = $0 as? RecordDecodingError
      return error?.path == "many._0[0]" && error?.isDropped == false
        && error?.message == "The migration that rewrites 'Then.Todo' failed: no way"
    }
  }

  @Test func whatAMigrationReturnsMustFit() throws {
    let migrations = [RecordMigration.rewriting("Then.Action") { _ in .bool(true) }]
    #expect {
      try self.read(.removed(1), migrations)
    } throws: {
      ($0 as? RecordDecodingError)?.message == """
        It is of type 'Now.Action', and the value is a truth value: true. Register a migration: \
        rewriting.
        """
    }
  }

  @Test func keysOfCodableTypesAreRenamed() throws {
    struct Old: Codable { var name = "x" }
    struct New: Codable, Equatable { var title = "" }
    let old = recordCoder(for: Old.self)
    let coder = try recordCoder(for: New.self).reading(
      old.schema, migrations: [.renamedField("name", to: "title", in: "Old")])
    #expect(try coder.value(of: old.bytes(of: Old())) == New(title: "x"))
  }
}
