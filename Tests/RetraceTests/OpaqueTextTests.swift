import ActionCoding
import ActionLog
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Texts for values that have no form in bytes, for who asks for them.
@MainActor
@Suite struct OpaqueTextTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  struct Token {
    var text: String
  }

  @Recordable
  struct Account: Equatable {
    var user = "blob"
    @Redacted var password = "canary-in-a-field"
  }

  class Base {
    var id = 7
  }

  /// Neither `Codable` nor recordable.
  final class Photo: Base {
    enum Kind {
      case plain
      case tinted(red: Double, Int)
    }
    var name: String
    var kind = Kind.tinted(red: 0.5, 3)
    var size: (Int, height: Int) = (3, 4)
    var tags: [String]
    var places = ["a": Token(text: "t")]
    var account = Account()
    var note: String?
    var change: (Int) -> Void = { _ in }
    weak var owner: Photo?

    init(_ name: String, tags: [String] = ["x", "y"]) {
      self.name = name
      self.tags = tags
      super.init()
      self.owner = self
    }
  }

  @Reducer
  struct Album {
    struct State: Equatable {
      var count = 0
    }
    enum Action {
      case taken(Photo)
      case both(first: Photo, then: Photo, Int)
      case named([String: Photo])
      case signed(Token)
      case plain(Int)
      @Redacted case hidden(Photo)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.count += 1
        return .none
      }
    }
  }

  private func record(_ contents: RecordingContents, _ actions: [Album.Action]) throws {
    var contents = contents
    contents.reportsUnreplayable = false
    let recording = try Recording(at: self.path, contents: contents)
    let store = Store(initialState: Album.State()) { Album().recorded(by: recording) }
    for action in actions { store.send(action) }
    try recording.close()
  }

  /// The texts of each action, as `path: text`.
  private func texts() throws -> [[String]] {
    let inspector = try LogInspector(at: self.path)
    let stream = try inspector.stream()
    return try (1...stream.actionCount).map {
      try inspector.action($0, of: stream).texts.map { "\($0.path): \($0.text)" }
    }
  }

  @Test func noneAreKeptUnlessAskedFor() throws {
    try self.record(RecordingContents(), [.taken(Photo("canary"))])
    #expect(try self.texts() == [[]])
    #expect(RecordingContents().opaqueTextBytes == nil)
  }

  @Test func whatAMirrorShowsIsKept() throws {
    var contents = RecordingContents()
    contents.opaqueTextBytes = 1_024
    try self.record(contents, [.plain(1), .signed(Token(text: "a\"b")), .taken(Photo("sea"))])
    #expect(try self.texts()[0] == [])
    #expect(try self.texts()[1] == [#"signed: Token(text: "a\"b")"#])
    #expect(
      try self.texts()[2] == [
        #"taken: Photo(id: 7, name: "sea", kind: tinted(red: 0.5, 3), size: (3, height: 4), "#
          + #"tags: ["x", "y"], places: ["a": Token(text: "t")], "#
          + #"account: Account(user: "blob", password: <String>), note: nil, "#
          + "change: <(Int) -> ()>, owner: <Photo>)"
      ])
  }

  @Test func eachHasItsPath() throws {
    var contents = RecordingContents()
    contents.opaqueTextBytes = 20
    try self.record(
      contents,
      [.both(first: Photo("a"), then: Photo("b"), 3), .named(["k": Photo("c"), "l": Photo("d")])])
    #expect(
      try self.texts() == [
        ["both.first: Photo(id: 7, name…", "both.then: Photo(id: 7, name…"],
        [#"named: ["k": Photo(id: 7…"#],
      ])
  }

  @Test func anActionWithTextsIsNoOther() throws {
    var contents = RecordingContents()
    contents.opaqueTextBytes = 100
    contents.digestInterval = 1
    try self.record(contents, [.plain(1), .taken(Photo("a")), .plain(3)])
    let inspector = try LogInspector(at: self.path)
    let stream = try inspector.stream()
    #expect(try inspector.action(2, of: stream).value.map { "\($0)" } == "taken(<Photo>)")
    let timeline = try Timeline(of: self.path) { Album() }
    try timeline.move(to: 1)
    #expect(timeline.state.count == 1)
    #expect(throws: ReplayError.self) { try timeline.move(to: 2) }
  }

  @Test func theGateIsAskedForEachPart() throws {
    var contents = RecordingContents()
    contents.opaqueTextBytes = 4_096
    contents.redaction = RecordRedaction { path, type, value in
      if type == "Token" || path.description.hasSuffix("name") { return .redact }
      if case .string("y") = value { return .redact }
      return .keep
    }
    let photo = Photo("canary-by-name", tags: ["x", "y"])
    photo.places = ["a": Token(text: "canary-by-type")]
    try self.record(contents, [.taken(photo), .signed(Token(text: "canary-as-a-whole"))])
    let texts = try self.texts()
    #expect(texts[1] == [])
    let text = try #require(texts[0].first)
    #expect(text.contains(#"name: <String>"#), "\(text)")
    #expect(text.contains(#"tags: ["x", <String>]"#), "\(text)")
    #expect(text.contains(#"places: ["a": <Token>]"#), "\(text)")
    #expect(try !self.isInLog("canary"))
  }

  @Test func whatIsRedactedOrWithheldHasNoText() throws {
    var contents = RecordingContents()
    contents.opaqueTextBytes = 4_096
    contents.redaction = RecordRedaction { path, _, _ in
      path.description.hasPrefix("both") ? .redact : .keep
    }
    try self.record(
      contents, [.both(first: Photo("canary"), then: Photo("canary"), 3), .hidden(Photo("canary"))])
    #expect(try self.texts() == [[], []])
    #expect(try !self.isInLog("canary"))
  }

  /// Whether a text stands in a record of the log.
  private func isInLog(_ text: String) throws -> Bool {
    var cursor = try LogInspector(at: self.path).reader.cursor()
    while let record = try cursor.next() {
      if String(decoding: record.payload, as: UTF8.self).contains(text) { return true }
    }
    return false
  }
}
