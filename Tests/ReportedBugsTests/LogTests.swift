import ActionLog
import ComposableArchitecture
import Foundation
import IssueReporting
import Retrace
import TestSupport
import Testing

@Reducer
private struct Signs {
  @ObservableState
  struct State: Equatable {
    var text = ""
    var nested: Nested = .none
  }
  indirect enum Nested: Equatable {
    case none
    case text(String)
    case both(Nested, String)
  }
  enum Action: Equatable {
    case add
    case set(Nested)
    case work
    case late
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add: state.text += "@"
      case .set(let nested): state.nested = nested
      case .late: state.text += "late"
      case .work:
        return .run { send in
          try? await Task.never()
          await send(.late)
        }
      }
      return .none
    }
  }
}

/// What a log says of actions that came in unusual ways.
@MainActor
@Suite(.mainSerialExecutor)
struct LogTests {
  private let folder: TemporaryFolder
  private var path: String { self.folder.path("log.retrace") }

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private func makeStore(_ recording: Recording) -> StoreOf<Signs> {
    Store(initialState: Signs.State()) { Signs().recorded(by: recording) }
  }

  private func lines() throws -> [String] {
    let inspector = try LogInspector(at: self.path)
    var actions = inspector.actions(of: try inspector.stream())
    var lines: [String] = []
    while let action = try actions.next() {
      lines.append("\(action.number) \(action.origin) \(action.value.map { "\($0)" } ?? "-")")
    }
    return lines
  }

  private func states() throws -> [Signs.State] {
    let timeline = try Timeline(of: self.path) { Signs() }
    return try (0...timeline.count).map {
      try timeline.move(to: $0)
      return timeline.state
    }
  }

  /// Adds another sign when one is added, so many times.
  private func addAgain(_ times: Int, whenChanged store: StoreOf<Signs>) {
    guard times > 0 else { return }
    withObservationTracking {
      _ = store.text
    } onChange: {
      MainActor.assumeIsolated {
        addAgain(times - 1, whenChanged: store)
        _ = store.send(.add)
      }
    }
  }

  /// An observer sends the same action again, twice.
  @Test func nestedActionsAreRecordedInTheirOrderWithTheirOwnStates() async throws {
    let recording = try Recording(at: self.path)
    let store = makeStore(recording)
    addAgain(2, whenChanged: store)
    _ = await issues { store.send(.add) }
    try recording.close()
    #expect(store.now.text == "@@@")
    #expect(try states().map(\.text) == ["", "@", "@@", "@@@"])
    #expect(
      try lines() == ["1 user add", "2 observer(during: 1) add", "3 observer(during: 2) add"])
  }

  @Test func twoSendsInOneTurnAreBothRecorded() throws {
    let recording = try Recording(at: self.path)
    let store = makeStore(recording)
    store.send(.add)
    store.send(.add)
    try recording.close()
    #expect(store.now.text == "@@")
    #expect(try lines() == ["1 user add", "2 user add"])
  }

  @Test(arguments: 0...2) func aLogOfFewActionsIsReplayed(count: Int) throws {
    let recording = try Recording(at: self.path)
    let store = makeStore(recording)
    for _ in 0..<count { store.send(.add) }
    try recording.close()
    #expect(
      try states().map(\.text) == (0...count).map { String(repeating: "@", count: $0) })
  }

  @Test func whatWasWrittenIsReadBack() throws {
    let values: [Signs.Nested] = [
      .none, .text(""), .text("null"), .text("a\"b\\\u{0}\n€😀"),
      .both(.both(.text("x"), "y"), "z"),
    ]
    let recording = try Recording(at: self.path)
    let store = makeStore(recording)
    for value in values { store.send(.set(value)) }
    try recording.close()
    #expect(try states().dropFirst().map(\.nested) == values)
  }

  /// An action of an effect that outlives its store is dropped, and the log ends before it.
  @Test func anActionThatComesAfterTheStoreHasGoneIsNotRecorded() async throws {
    let recording = try Recording(at: self.path)
    do {
      let store = makeStore(recording)
      store.send(.add)
      store.send(.work)
      await settle()
    }
    await settle()
    try recording.close()
    #expect(try lines() == ["1 user add", "2 user work"])
    let stream = try LogInspector(at: self.path).stream()
    #expect(stream.isClosed)
    #expect(stream.actionCount == 2)
  }

  @Test func aRecordingKeepsNeitherTheStoreNorItsEffects() async throws {
    let recording = try Recording(at: self.path)
    let alive = LockIsolated(0)
    do {
      let store = Store(initialState: Signs.State()) {
        CombineReducers {
          Signs()
          Reduce { _, _ in
            let counted = Counted(alive)
            return .run { _ in
              defer { withExtendedLifetime(counted) {} }
              try await Task.never()
            }
          }
        }
        .recorded(by: recording)
      }
      store.send(.add)
      await settle()
      #expect(alive.value == 1)
    }
    await turn { alive.value == 0 }
    #expect(alive.value == 0)
    #expect(try LogInspector(at: self.path).stream().isClosed)
    try recording.close()
  }

  /// A store goes on after its recording was closed, and the log says where it ends.
  @Test func anActionAfterTheEndOfARecordingIsApplied() throws {
    let recording = try Recording(at: self.path)
    let store = makeStore(recording)
    store.send(.add)
    try recording.close()
    store.send(.add)
    #expect(store.now.text == "@@")
    #expect(recording.failure == nil)
    #expect(try lines() == ["1 user add"])
    #expect(try LogInspector(at: self.path).stream().isClosed)
    #expect(try states().last?.text == "@")
  }
}
