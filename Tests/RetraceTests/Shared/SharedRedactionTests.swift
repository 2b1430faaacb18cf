import ActionCoding
import ActionLog
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// What is taken out of shared values is not in the log, and a replay says where it lacks it.
@MainActor
@Suite struct SharedRedactionTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  struct Login: Codable, Equatable, Sendable {
    var user = "nobody"
    var token = ""
  }

  @Recordable
  struct Purse: Equatable, Sendable {
    var coins = 0
    var owner = ""
  }

  @Reducer
  struct Gate {
    struct State: Equatable {
      @Shared(.inMemory("redaction-tests-login")) var login = Login()
      @Shared(.inMemory("redaction-tests-purse")) var purse = Purse()
      var length = 0
    }
    enum Action {
      case look
      case pay(Int)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .look: state.length = state.login.user.count
        case .pay(let coins): state.$purse.withLock { $0.coins += coins }
        }
        return .none
      }
    }
  }

  private let canary = "canary-91c"

  /// Records two actions, between which others change what is shared.
  private func record(token: String = "", owner: String = "") throws {
    var contents = RecordingContents()
    let canary = self.canary
    contents.redaction = RecordRedaction { _, _, value in
      if case .string(let text) = value, text.contains(canary) { return .redact }
      return .keep
    }
    let recording = try Recording(at: self.path, contents: contents)
    try withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      @Shared(.inMemory("redaction-tests-login")) var login = Login()
      @Shared(.inMemory("redaction-tests-purse")) var purse = Purse()
      $purse.withLock { $0.owner = owner }
      let store = Store(initialState: Gate.State()) { Gate().recorded(by: recording) }
      store.send(.pay(2))
      $login.withLock { $0 = Login(user: "blob", token: token) }
      store.send(.look)
      store.send(.pay(3))
      try recording.close()
    }
  }

  private func report() throws -> (report: ReplayReport, state: Gate.State) {
    let timeline = try Timeline(of: self.path) { Gate() }
    return (try timeline.replay { _ in }, timeline.state)
  }

  @Test func nothingIsListedWhereNothingWasTakenOut() throws {
    try self.record(token: "t", owner: "o")
    let (report, state) = try self.report()
    #expect(report.divergence == nil)
    #expect(report.redactions.count == 0)
    #expect(state.login == Login(user: "blob", token: "t"))
    #expect(state.purse == Purse(coins: 5, owner: "o"))
  }

  @Test func whatOthersChangedIsListedAtTheActionThatMeetsIt() throws {
    try self.record(token: self.canary)
    let (report, state) = try self.report()
    #expect(report.divergence == nil)
    #expect(
      report.redactions.items.map { "\($0.action) \($0.path)" }
        == [#"2 .inMemory("redaction-tests-login").token"#])
    #expect(state.login.user == "blob")
    #expect(state.length == 4)
    #expect(try !self.isInLog())
  }

  @Test func whatTheInitialStateSharesIsListedWithIt() throws {
    try self.record(owner: self.canary)
    let (report, state) = try self.report()
    #expect(report.divergence == nil)
    #expect(
      report.redactions.items.map { "\($0.action) \($0.path)" }
        == [#"0 .inMemory("redaction-tests-purse").owner"#])
    #expect(state.purse.coins == 5)
    #expect(try !self.isInLog())
  }

  /// Whether the secret stands in a record of the log.
  private func isInLog() throws -> Bool {
    var cursor = try LogInspector(at: self.path).reader.cursor()
    while let record = try cursor.next() {
      if String(decoding: record.payload, as: UTF8.self).contains(self.canary) { return true }
    }
    return false
  }
}
