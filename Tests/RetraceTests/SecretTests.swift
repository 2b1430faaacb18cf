import ActionCoding
import ActionLog
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Secrets that must not come into any file.
@MainActor
@Suite struct SecretTests {
  let folder: TemporaryFolder
  let path: String
  private let canary = "canary-5f2d9c"

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  struct Refused: Error, CustomStringConvertible {
    var description: String
  }

  @DependencyClient
  struct Vault: Sendable {
    var token: @Sendable (_ user: String) -> String = { _ in "" }
    var open: @Sendable () throws -> Int
  }

  @Reducer
  struct Login {
    struct State: Equatable {
      var user = ""
      @Redacted var password = ""
      var hint = ""
      var tokenLength = 0
    }
    enum Action {
      case userChanged(String)
      @Redacted case passwordChanged(String)
      case hintChanged(String)
      case login
      case response(Result<String, any Error>)
    }
    var vault: Vault
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .userChanged(let user): state.user = user
        case .passwordChanged(let password): state.password = password
        case .hintChanged(let hint): state.hint = hint
        case .login:
          state.tokenLength = self.vault.token(state.user).count
          _ = try? self.vault.open()
          return .run { [user = state.user] send in
            await send(.response(.failure(Refused(description: "no \(user)"))))
            throw Refused(description: "again")
          } catch: { _, _ in
          }
        case .response: break
        }
        return .none
      }
    }
  }

  private func vault() -> Vault {
    let canary = self.canary
    return Vault(
      token: { _ in canary }, open: { throw Refused(description: "wrong: \(canary)") })
  }

  private func bytes() throws -> [UInt8] {
    try contents(of: self.path).values.flatMap { [UInt8]($0) }
  }

  /// Whether a text stands in the log's files, as it is or packed.
  private func isInLog(_ text: String) throws -> Bool {
    if try self.bytes().contains(Array(text.utf8)) { return true }
    let inspector = try LogInspector(at: self.path)
    var cursor = inspector.reader.cursor()
    while let record = try cursor.next() {
      if Array(record.payload).contains(Array(text.utf8)) { return true }
    }
    return false
  }

  @Test func whatIsMarkedIsNeverEncoded() async throws {
    let recording = try Recording(at: self.path)
    var state = Login.State()
    state.password = self.canary
    let store = Store(initialState: state) {
      Login(vault: Vault(token: { _ in "t" }, open: { 1 })).recorded(by: recording)
    }
    store.send(.userChanged("blob"))
    store.send(.passwordChanged(self.canary))
    try recording.close()
    #expect(try self.isInLog("blob"))
    #expect(try !self.isInLog(self.canary))
    let timeline = try Timeline(of: self.path) { Login(vault: Vault()) }
    #expect(try timeline.replay { _ in }.divergence == nil)
    #expect(timeline.state.user == "blob")
    #expect(timeline.state.password == "")
  }

  @Test func theGateKeepsSecretsFromEveryRecord() async throws {
    var contents = RecordingContents()
    contents.digestInterval = 1
    let canary = self.canary
    contents.redaction = RecordRedaction { path, type, value in
      if case .string(let text) = value, text.contains(canary) { return .redact }
      return .keep
    }
    let recording = try Recording(at: self.path, contents: contents)
    let vault = self.vault()
    let store = Store(initialState: Login.State(hint: canary)) {
      Login(vault: vault).recorded(by: recording)
    }
    store.send(.userChanged("I am \(canary)"))
    store.send(.hintChanged(canary))
    await store.send(.login).finish()
    try recording.close()
    #expect(try self.isInLog("userChanged"))
    #expect(try !self.isInLog(canary))
    let timeline = try Timeline(of: self.path) { Login(vault: Vault()) }
    let report = try timeline.replay { _ in }
    #expect(
      report.redactions.items.prefix(3).map { "\($0.action) \($0.path)" }
        == ["0 hint", "1 userChanged", "2 hintChanged"])
    #expect(
      report.redactions.description.hasPrefix(
        "'hint' of the initial state, 'userChanged' of action 1, 'hintChanged' of action 2"))
  }

  @Test func whatCanNotBeRedactedIsWithheld() throws {
    var contents = RecordingContents()
    contents.redaction = RecordRedaction { _, _, _ in .redact }
    let recording = try Recording(at: self.path, contents: contents)
    let store = Store(initialState: Login.State()) {
      Login(vault: Vault()).recorded(by: recording)
    }
    store.send(.userChanged(self.canary))
    try recording.close()
    #expect(try !self.isInLog(self.canary))
  }
}

extension [UInt8] {
  /// Whether other bytes stand in these, in a row.
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, self.count >= other.count else { return false }
    for index in 0...(self.count - other.count) where self[index] == first {
      if self[index..<index + other.count].elementsEqual(other) { return true }
    }
    return false
  }
}
