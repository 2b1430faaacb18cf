import ActionCoding
import Foundation
import Synchronization
import Testing

@Recordable
private struct Session {
  var user: User
  var tokens: [Token] = []
  var byName: [String: Token] = [:]
  var last: Result<Int, any Error> = .success(1)
  var only = Only()
  var kind: Kind = .none
  var tags: Set<String> = []
  let version = 3

  struct User { var name: String, age: Int }
  struct Token: Equatable { var text: String, port = 80 }
  enum Kind { case none, some(Token), named(token: Token, count: Int) }
}

private struct Only: Codable, Equatable {
  var secret = "s", items = ["a", "b"], kind = Raw.second
  enum Raw: String, Codable { case first, second }
}

private struct Leak: Error, CustomStringConvertible { var description: String { "canary" } }

struct RedactionTests {
  private let coder = recordCoder(for: Session.self)

  private func session() -> Session {
    var session = Session(user: .init(name: "Ann", age: 7))
    session.tokens = [.init(text: "a"), .init(text: "b", port: 1)]
    session.byName = ["x": .init(text: "c")]
    session.last = .failure(Leak())
    session.kind = .named(token: .init(text: "d"), count: 2)
    session.tags = ["p", "q"]
    return session
  }

  private func redact(
    _ decide: @escaping @Sendable (RecordPath, String, RecordValue) -> Bool
  ) throws -> (session: Session, paths: [String], bytes: [UInt8])? {
    let redaction = RecordRedaction { decide($0, $1, $2) ? .redact : .keep }
    switch redaction.apply(
      to: try self.coder.bytes(of: self.session()), schema: self.coder.schema)
    {
    case .kept: return nil
    case .redacted(let bytes, let paths):
      return (try self.coder.value(of: bytes), paths.map(\.description), bytes)
    case .withheld(let reason):
      Issue.record("\(reason)")
      return nil
    }
  }

  @Test func whatIsKeptIsAsItWas() throws {
    #expect(try self.redact { _, _, _ in false } == nil)
  }

  @Test func aPartIsReplacedByAPlaceholder() throws {
    let (session, paths, _) = try #require(
      try self.redact { path, _, _ in path.description == "user.name" })
    #expect(paths == ["user.name"])
    #expect(session.user.name == "" && session.user.age == 7 && session.tokens.count == 2)
  }

  @Test func byTypeWhereverItIs() throws {
    let (session, paths, bytes) = try #require(
      try self.redact { _, type, _ in type == "Session.Token" })
    #expect(paths == ["tokens[0]", "tokens[1]", #"byName["x"]"#, "kind.named.token"])
    #expect(session.tokens == [.init(text: "", port: 0), .init(text: "", port: 0)])
    #expect(session.byName == ["x": .init(text: "", port: 0)])
    guard case .named(.init(text: "", port: 0), 2) = session.kind else {
      Issue.record("\(session.kind)")
      return
    }
    // The paths lead to the same places in what is left.
    let value = try RecordValue(bytes, schema: self.coder.schema)
    for path in paths { _ = try value.value(at: RecordPath(parsing: path)) }
  }

  @Test func byValue() throws {
    let (session, paths, _) = try #require(
      try self.redact { _, _, value in value == .string("q") || value == .string("Ann") })
    #expect(paths == ["user.name", "tags[1]"])
    #expect(session.tags == ["p", ""] && session.user.name == "")
  }

  @Test func errorsAsAWhole() throws {
    let (session, paths, bytes) = try #require(
      try self.redact { _, type, value in value == .string("canary") })
    #expect(paths == ["last.failure"])
    #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
    guard case .failure(let error) = session.last else {
      Issue.record("\(session.last)")
      return
    }
    #expect("\(error)" == "It is redacted.")
  }

  @Test func withinWhatCodableTypesWrote() throws {
    let (session, paths, _) = try #require(
      try self.redact { path, _, _ in
        ["only.secret", "only.items[1]", "only.kind"].contains(path.description)
      })
    #expect(paths == ["only.items[1]", "only.kind", "only.secret"])
    var expected = Only(secret: "", items: ["a", ""])
    expected.kind = .first
    #expect(session.only == expected)
    let (whole, _, _) = try #require(try self.redact { _, type, _ in type == "Only" })
    expected.items = []
    #expect(whole.only == expected)
  }

  // A constant has the value that the source gives it, which is no secret.
  @Test func constantsKeepTheirValue() throws {
    let (session, paths, _) = try #require(
      try self.redact { path, _, _ in path.description == "version" })
    #expect(paths == ["version"] && session.version == 3)
    let (whole, all, _) = try #require(try self.redact { path, _, _ in path.components.isEmpty })
    #expect(all == [""] && whole.user.name == "" && whole.tokens.isEmpty)
  }

  @Test func whenAnythingGoesWrongTheValueIsWithheld() throws {
    let all = RecordRedaction { _, _, _ in .redact }
    #expect(
      all.apply(to: [1], schema: RecordSchema(of: String.self))
        == .withheld(reason: "The redaction could not be applied."))
    #expect(
      all.apply(to: [0, 0], schema: RecordSchema(of: String.self))
        == .withheld(reason: "The redaction could not be applied."))
    // No value can take the place of this one.
    let value = RecordRedaction { path, _, _ in path.components.isEmpty ? .keep : .redact }
    let bytes = try RecordWriter.bytes(of: Feature.Action.i(.init(), .init()))
    let schema = RecordSchema(of: Feature.Action.self)
    guard case .redacted = value.apply(to: bytes, schema: schema) else {
      Issue.record("withheld")
      return
    }
  }

  @Test func whatIsNotInTheRecordIsNotAsked() throws {
    let asked = Mutex<[String]>([])
    let redaction = RecordRedaction { _, type, _ in
      asked.withLock { $0.append(type) }
      return .keep
    }
    let bytes = try RecordWriter.bytes(of: Feature.Action.k({}))
    #expect(redaction.apply(to: bytes, schema: RecordSchema(of: Feature.Action.self)) == .kept)
    #expect(asked.withLock { $0 } == ["Feature.Action"])
  }
}
