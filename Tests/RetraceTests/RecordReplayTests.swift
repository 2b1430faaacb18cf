import ActionLog
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Recording a store and replaying it: every state comes back.
@MainActor
@Suite
struct RecordReplayTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  /// Records `actions` and returns the state after each, by a plain fold in memory.
  private func record(_ actions: [Counter.Action], at path: String) async throws -> [Counter.State]
  {
    let recording = try Recording(at: path)
    let store = Store(initialState: Counter.State()) {
      Counter().recorded(by: recording)
    }
    for action in actions { store.send(action) }
    try recording.close()
    var states = [Counter.State()]
    for action in actions {
      var state = states[states.count - 1]
      _ = Counter()._reduce(into: &state, action: action)
      states.append(state)
    }
    return states
  }

  @Test func aStreamIsNamedAfterTheFeatureWhateverOperatorsItEndsWith() throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(at: path)
    _ = Store(initialState: Counter.State()) {
      Counter().dependency(\.uuid, .incrementing)._printChanges(nil).recorded(by: recording)
    }
    try recording.close()
    #expect(try LogInspector(at: path).stream(run: nil, named: nil).name == "Counter")
  }

  @Test(arguments: [0, 1, 2, 50])
  func everyStateComesBack(count: Int) async throws {
    let path = self.folder.path("log.retrace")
    let actions = (0..<count).map { index -> Counter.Action in
      switch index % 4 {
      case 0: .increment
      case 1: .add(index)
      case 2: .choose(.named("é\(index)", weight: 0.1))
      default: .decrement
      }
    }
    let states = try await self.record(actions, at: path)
    let timeline = try Timeline(of: path) { Counter() }
    #expect(timeline.count == count)
    for number in 0...count {
      try timeline.move(to: number)
      #expect(timeline.state == states[number])
      #expect(timeline.action == (number == 0 ? nil : actions[number - 1]))
    }
    for number in (0...count).reversed() {
      try timeline.move(to: number)
      #expect(timeline.state == states[number])
      #expect(timeline.action == (number == 0 ? nil : actions[number - 1]))
    }
    #expect(try timeline.stepBackward() == false)
  }

  @Test func responsesOfEffectsAreReplayedAndEffectsAreNotRun() async throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Counter.State()) {
      Counter().recorded(by: recording)
    }
    store.send(.add(7))
    await store.send(.fetch).finish()
    store.send(.chain(3))
    try recording.close()

    let timeline = try Timeline(of: path) { Counter() }
    try timeline.move(to: timeline.count)
    #expect(timeline.state == store.state)
    #expect(timeline.state.log == ["fact 7"])

    let inspector = try LogInspector(at: path)
    let stream = try inspector.stream()
    var actions = inspector.actions(of: stream)
    var lines: [String] = []
    while let action = try actions.next() {
      lines.append("\(action.number) \(action.origin) \(action.value.map { "\($0)" } ?? "-")")
    }
    #expect(
      lines == [
        "1 user add(7)", "2 user fetch", #"3 effect(startedBy: 2) response(text: "fact 7")"#,
        "4 user chain(3)", "5 action(4) chain(2)", "6 action(5) chain(1)",
      ])
    let fetch = try inspector.action(2, of: stream)
    #expect(fetch.effects.map(\.start.name) == ["fetch"])
    #expect(fetch.effects.map(\.end) == [.finished])
    #expect(fetch.effects.map(\.endedAfter) == [3])
  }

  @Test func aSecondRecordingIsASecondRun() async throws {
    let path = self.folder.path("log.retrace")
    let first = try await self.record([.increment, .increment], at: path)
    let second = try await self.record([.decrement], at: path)
    let inspector = try LogInspector(at: path)
    #expect(inspector.runs.map(\.number) == [1, 2])
    let timelines = try [1, 2, nil].map { try Timeline(of: path, run: $0) { Counter() } }
    for timeline in timelines { try timeline.move(to: timeline.count) }
    #expect(timelines.map(\.state) == [first[2], second[1], second[1]])
  }

  @Test func streamsOfOneRunAreKeptApart() throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(at: path)
    let left = Store(initialState: Counter.State()) {
      Counter().recorded(by: recording, as: "left")
    }
    let right = Store(initialState: Counter.State(count: 100)) {
      Counter().recorded(by: recording, as: "right")
    }
    for _ in 1...10 {
      left.send(.increment)
      right.send(.decrement)
      right.send(.decrement)
    }
    try recording.close()
    let timelines = try ["left", "right"].map { try Timeline(of: path, stream: $0) { Counter() } }
    for timeline in timelines { try timeline.move(to: timeline.count) }
    #expect(timelines.map(\.count) == [10, 20])
    #expect(timelines.map(\.state.count) == [10, 80])
    #expect(throws: ReplayError.self) { try Timeline(of: path) { Counter() } }
    do {
      _ = try Timeline(of: path) { Counter() }
    } catch let error as ReplayError {
      #expect(
        error.message == """
          Run 1 of '\(path)' has 2 streams: 'left' (1), 'right' (2). Name one, as in '1:left/end'.
          """)
    }
  }

  /// Records actions until the log has so many states, and returns how many actions there were.
  ///
  /// States are written when earlier ones are compressed, which another thread does in its own
  /// time.
  private func record(
    at path: String, untilStates wanted: Int, _ action: (Int) -> Counter.Action
  ) throws -> [Counter.Action] {
    let recording = try Recording(at: path)
    let store = Store(initialState: Counter.State()) {
      Counter().recorded(by: recording)
    }
    var actions: [Counter.Action] = []
    repeat {
      for _ in 0..<2_048 {
        actions.append(action(actions.count))
        store.send(actions[actions.count - 1])
      }
      Thread.sleep(forTimeInterval: 0.002)
    } while try self.stateCount(at: path) < wanted && actions.count < 4_000_000
    try recording.close()
    return actions
  }

  private func stateCount(at path: String) throws -> Int {
    let reader = try LogReader(at: path)
    var count = 0
    for block in reader.blocks where block.kinds.contains(.state) {
      var cursor = reader.cursor(from: block.firstSequence)
      for _ in 0..<block.count where try cursor.next()?.kind == .state { count += 1 }
    }
    return count
  }

  @Test func checkpointsAreWrittenAndUsed() throws {
    let path = self.folder.path("log.retrace")
    let actions = try self.record(at: path, untilStates: 4) { .add($0 &* 7_919 % 1_000) }
    var states = [Counter.State()]
    for action in actions {
      var state = states[states.count - 1]
      _ = Counter()._reduce(into: &state, action: action)
      states.append(state)
    }
    let timeline = try Timeline(of: path) { Counter() }
    let count = actions.count
    #expect(timeline.count == count)
    for number in [count - 1, 17, count / 3, count, 0, 1, count / 2, count / 2 - 1] {
      try timeline.move(to: number)
      #expect(timeline.state == states[number])
    }
    let report = try timeline.replay { _ in }
    #expect(report.actionCount == count)
    #expect(report.statesCompared >= 3)
    #expect(report.divergence == nil)
  }

  @Test func checkpointsTakeNoMoreThanTheActions() throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(at: path)
    var random = SystemRandomNumberGenerator()
    // A state that compresses badly and does not fit into a block with others.
    let large = (0..<4_000).map { _ in String(random.next(), radix: 36) }
    let store = Store(initialState: Counter.State(log: large)) {
      Counter().recorded(by: recording)
    }
    for index in 0..<200_000 { store.send(.add(index &* 7_919 % 1_000)) }
    try recording.close()
    let blocks = try LogReader(at: path).blocks.filter { $0.run == 1 }
    let states = blocks.filter { $0.kinds.contains(.state) && $0.count == 1 }
    let others = blocks.filter { !$0.kinds.contains(.state) }
    let stateSize = states.reduce(0) { $0 + $1.storedSize }
    #expect(stateSize <= others.reduce(0) { $0 + $1.storedSize } + (states.first?.storedSize ?? 0))
  }

  @Test func aReducerThatDoesSomethingElseDiverges() throws {
    let path = self.folder.path("log.retrace")
    let actions = try self.record(at: path, untilStates: 3) { _ in .increment }
    let timeline = try Timeline<Counter.State, Counter.Action>(of: path) {
      Counter()
      Reduce { state, _ in
        if state.count == 1_000 { state.count += 1 }
        return .none
      }
    }
    let report = try timeline.replay { _ in }
    let divergence = try #require(report.divergence)
    #expect(divergence.path == "count")
    #expect(divergence.lastAgreement == 0)
    #expect((1_000...actions.count).contains(divergence.action))
    #expect(divergence.expected == "\(divergence.action)")
    #expect(divergence.actual == "\(divergence.action + 1)")
    #expect(
      divergence.description == """
        The replay differs from the recording after action \(divergence.action): 'count' was \
        \(divergence.action), and is \(divergence.action + 1) now. The states after action 0 agreed.
        """)
  }

  @Test func whyFindsTheLastChange() async throws {
    let path = self.folder.path("log.retrace")
    var actions = [Counter.Action](repeating: .increment, count: 5_000)
    actions[1_233] = .choose(.named("x", weight: 2))
    _ = try await self.record(actions, at: path)
    let timeline = try Timeline(of: path) { Counter() }
    let change = try timeline.lastChange(
      of: .init([.name("choice")]), upTo: 5_000, progress: { _ in })
    #expect(change?.action == 1_234)
    #expect(change?.old.map { "\($0)" } == "none")
    #expect(change?.new.map { "\($0)" } == #"named("x", weight: 2.0)"#)
    let count = try timeline.lastChange(
      of: .init([.name("count")]), upTo: 1_234, progress: { _ in })
    #expect(count?.action == 1_233)
  }

  @Test func outOfRangeSaysWhatThereIs() async throws {
    let path = self.folder.path("log.retrace")
    _ = try await self.record([.increment], at: path)
    let timeline = try Timeline(of: path) { Counter() }
    do {
      try timeline.move(to: 2)
      Issue.record("There is no state 2.")
    } catch let error as ReplayError {
      #expect(
        error.message == "There is no state 2: 'Counter' of run 1 has the states 0 to 1.")
    }
    #expect(timeline.position == 0)
  }

  @Test func recordedInsideOfATreeIsAnIssueAndRecordsNothing() throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Counter.State()) {
      CombineReducers {
        Counter().recorded(by: recording)
        EmptyReducer()
      }
    }
    withKnownIssue { _ = store.send(.increment) }
    #expect(store.count == 1)
    try recording.close()
    #expect(try LogInspector(at: path).runs.map(\.streams.count) == [0])
  }

  @Test func theLogIsTheSameAfterJumps() async throws {
    let path = self.folder.path("log.retrace")
    _ = try await self.record([Counter.Action](repeating: .increment, count: 3_000), at: path)
    let before = try contents(of: path)
    let timeline = try Timeline(of: path) { Counter() }
    for number in 0..<1_000 { try timeline.move(to: number &* 7_919 % 3_001) }
    #expect(try contents(of: path) == before)
  }

  @Test func twelveActionsTakeLessThan64KiB() async throws {
    let path = self.folder.path("log.retrace")
    _ = try await self.record([Counter.Action](repeating: .increment, count: 12), at: path)
    let size = try contents(of: path).values.reduce(0) { $0 + $1.count }
    #expect(size < 64 << 10)
  }

  @Test func aRecorderDoesNotKeepTheStore() throws {
    let recording = try Recording(at: self.folder.path("log.retrace"))
    weak var weakStore: Store<Counter.State, Counter.Action>?
    do {
      let store = Store(initialState: Counter.State()) {
        Counter().recorded(by: recording)
      }
      weakStore = store
      store.send(.increment)
    }
    #expect(weakStore == nil)
    try recording.close()
    let stream = try LogInspector(at: self.folder.path("log.retrace")).stream()
    #expect(stream.isClosed)
  }
}

/// Every file of a log with its bytes.
func contents(of path: String) throws -> [String: Data] {
  var found: [String: Data] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: path) {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    if !file.hasDirectoryPath { found[name] = try? Data(contentsOf: file) }
  }
  return found
}
