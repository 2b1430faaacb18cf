import ActionCoding
import Foundation
import Testing

@propertyWrapper
@Recordable
private struct Clamped {
  var stored: Int
  var wrappedValue: Int {
    get { self.stored }
    set { self.stored = min(newValue, 100) }
  }
  init(wrappedValue: Int) { self.stored = wrappedValue }
}

@Recordable
private struct Account {
  var name = "n"
  @Redacted var password = "default"
  @Redacted var token: String?
  @Redacted let key: Data
  @Redacted let constant = 5
  @Redacted @Clamped var level = 3
  @Redacted var a = 1, b: [Int] = [4]
  @Redacted var pair: (Int, name: String) = (1, "p")
  @Redacted var result: Result<Int, any Error> = .success(4)
  @Redacted private var cards: [Card] = []
  @Redacted var plain = Neither()
  @Redacted var closure: (() -> Void)?
  #if DEBUG
    @Redacted var debug = -2.5
  #endif

  struct Card: Equatable { var number: String }

  init(key: Data, plain: Neither = Neither()) {
    self.key = key
    self.plain = plain
    self.cards = [Card(number: "canary")]
  }
}

@Recordable
private struct Whole {
  var name = "n"
  @Redacted var password = "default"
  @Redacted var token: String?
  @Redacted let key: Data
  @Redacted let constant = 5
  @Redacted @Clamped var level = 3
  @Redacted var pair: (Int, name: String) = (1, "p")
  @Redacted var result: Result<Int, any Error> = .success(4)
  @Redacted var list: [Whole] = []
}

@Recordable
private enum Action {
  case tapped(Int)
  @Redacted case password(String, confirmed: String)
  @Redacted case card(Account.Card), pin(digits: [Int] = [0])
  @Redacted case loaded(Result<String, any Error>)
  @Redacted indirect case nested(Action)
  @Redacted case nothing
  @Redacted case unreadable(Neither)
}

@Recordable
private struct Looped {
  @Redacted var next: Boxed
  final class Boxed: Recordable, Sendable {
    let value: Looped
    init(_ value: Looped) { self.value = value }
    func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
      try self.value.encode(to: &writer)
    }
    init(from reader: inout RecordReader) throws(RecordDecodingError) {
      self.value = try Looped(from: &reader)
    }
    static func recordDefinition(
      in schema: inout RecordSchemaBuilder
    ) -> RecordSchema.Definition {
      .structure(name: "Boxed", fields: [.init("value", schema.type(Looped.self))])
    }
  }
}

struct RedactedTests {
  @Test func nothingOfItIsWritten() throws {
    var account = Account(key: Data("canary".utf8))
    account.password = "canary"
    account.token = "canary"
    account.pair = (7, "canary")
    account.result = .failure(RecordedError(type: "canary", description: "canary"))
    let bytes = try RecordWriter.bytes(of: account)
    #expect(bytes == [1, UInt8(ascii: "n")])
    for action in [
      Action.password("canary", confirmed: "canary"), .card(.init(number: "canary")),
      .loaded(.success("canary")), .nested(.password("canary", confirmed: "")),
    ] {
      #expect(try RecordWriter.bytes(of: action).count == 1)
    }
  }

  @Test func theSchemaSaysThatItIsRedacted() throws {
    let schema = RecordSchema(of: Account.self)
    let text = try RecordValue([1, UInt8(ascii: "n")], schema: schema).json()
    #expect(text.contains(#""password":{"$opaque":"String","reason":"It is redacted."}"#))
    #expect(text.contains(#""name":{"$opaque":"String","reason":"It is redacted."}"#))
    #expect(schema.unreplayableParts().isEmpty)
    #expect(schema.types.filter(\.isRedacted).count == 11)
    // Readers that know nothing of it pass over it, as over any value that is not in the record.
    let read = try schema.bytes().withUnsafeBytes { try RecordSchema(bytes: $0) }
    #expect(read == schema)
  }

  @Test func readingGivesPlaceholders() throws {
    var whole = Whole(key: Data([1]))
    whole.password = "changed"
    whole.level = 9
    let back = try roundTrip(whole)
    #expect(back.name == "n" && back.password == "default" && back.token == nil)
    #expect(back.key == Data() && back.constant == 5 && back.level == 0)
    #expect(back.pair == (0, "") && back.list.isEmpty)
    guard case .success(0) = back.result else {
      Issue.record("\(back.result)")
      return
    }
  }

  @Test func casesHavePlaceholdersForTheirValues() throws {
    guard case .password("", confirmed: "") = try roundTrip(Action.password("a", confirmed: "b")),
      case .card(.init(number: "")) = try roundTrip(Action.card(.init(number: "a"))),
      case .pin([0]) = try roundTrip(Action.pin(digits: [1, 2])),
      case .loaded(.success("")) = try roundTrip(Action.loaded(.success("a"))),
      case .nested(.nothing) = try roundTrip(Action.nested(.tapped(1))),
      case .nothing = try roundTrip(Action.nothing),
      case .tapped(3) = try roundTrip(Action.tapped(3))
    else {
      Issue.record("another value")
      return
    }
  }

  @Test func whatNothingCanStandForIsRefused() throws {
    let bytes = try RecordWriter.bytes(of: Account(key: Data()))
    #expect(
      failure(Account.self, bytes) == """
        It is redacted, and no value of 'Neither' can stand in for it. Give the field a default \
        that is a literal, or make it optional. (byte 2)
        """)
    #expect(try failure(Action.self, RecordWriter.bytes(of: Action.unreadable(.init()))) != nil)
    // A placeholder that would hold a placeholder of its own type has no end.
    #expect(failure(Looped.self, []) != nil)
    #expect(recordCoder(for: Looped.self).placeholder() == nil)
  }

  @Test func fieldsBecomeRedactedAndBack() throws {
    let open = recordCoder(for: Versions.Open.self)
    let closed = recordCoder(for: Versions.Closed.self)
    let hidden = try closed.reading(open.schema)
      .value(of: open.bytes(of: .init(name: "n", password: "p", key: Data([1]))))
    #expect(hidden.name == "n" && hidden.password == "" && hidden.key == Data([1]))
    #expect(
      RecordResolution(from: open.schema, to: closed.schema).verdict().findings == [
        .init(
          .lossy, path: "password",
          reason: "It is redacted now: a placeholder stands for what was recorded.")
      ])
    let back = try open.reading(closed.schema).value(of: closed.bytes(of: hidden))
    #expect(back.name == "n" && back.password == "" && back.key == Data([1]))
  }

  fileprivate enum Versions {
    @Recordable struct Open { var name: String, password: String, key: Data }
    @Recordable struct Closed {
      var name: String
      @Redacted var password: String
      var key: Data
    }
  }
}
