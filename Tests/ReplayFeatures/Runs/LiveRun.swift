import ActionLog
import ComposableArchitecture
import ConcurrencyExtras
import Foundation
import Retrace

/// A run of a store that was recorded: its states, and where the log is.
struct LiveRun {
  typealias Facts = ActionFacts<[VaultValues]>

  let path: String
  /// State 0, and the one after each action.
  let states: [Node.State]
  let actions: [Node.Action]
  let facts: [Facts]
  /// Whether a digest of each state is in the log.
  let hasDigests: Bool
  /// Whether records are missing, since the log became larger than it may be.
  let isIncomplete: Bool
  let looking: Looking
  /// The numbers that other threads have shared, each for a while.
  let written: Set<Int>

  /// The feature that was recorded, which remembers its states.
  static func feature(
    _ capture: Capture<Node.State, Node.Action, [VaultValues]>, _ looking: Looking
  ) -> some ReducerOf<Node> {
    Captured(base: Node(), capture: capture, looking: looking) { $0.vaultValues }
  }
}

extension GeneratedRun {
  /// Runs the store and records it.
  ///
  /// - Parameters:
  ///   - path: Where the log is made.
  ///   - looking: When the reducer reads all that is shared; by chance when `nil`.
  /// - Throws: A `LogError` when it can't be written.
  @MainActor
  func live(at path: String, looking: Looking? = nil) async throws -> LiveRun {
    var random = SplitMix(seed: ~self.seed)
    var options = LogOptions()
    options.syncPolicy = .none
    if random.once(in: 4) {
      options.segmentSize = 4 << 10
      options.blockSize = 1 << 10
      // Where the oldest segments are gone, a replay begins with the first state that is left.
      if random.once(in: 2) { options.retention.maximumBytes = 24 << 10 }
    }
    let hasFailed = LockIsolated(false)
    options.onFailure = { _ in hasFailed.setValue(true) }
    var contents = RecordingContents()
    let hasDigests = random.once(in: 2)
    if hasDigests { contents.digestInterval = 1 }
    let interval = 1 + random.below(8)
    let recording = try Recording(
      at: path, options: options, contents: contents,
      checkpoints: .every(interval, atOnce: random.once(in: 2)))
    let looking = looking ?? random.one(of: Looking.allCases)
    let capture = Capture<Node.State, Node.Action, [VaultValues]>()
    let board = GateBoard()
    var initialState: Node.State?
    do {
      let world = RunWorld(board: board)
      let state = withDependencies(world.install) { Node.State.random(&random) }
      initialState = state
      let store = Store(initialState: state) {
        LiveRun.feature(capture, looking)
          .recorded(by: recording, as: "node")
      } withDependencies: {
        world.install(&$0)
      }
      let driver = RunDriver(store: store, world: world, recording: recording)
      if random.once(in: 4) { driver.observe() }
      for step in self.steps { await driver.take(step) }
      await driver.finish(&random)
      // While the store lives its last state is written as well.
      if random.once(in: 2) { try recording.close() }
    }
    try recording.close()
    board.open()
    return LiveRun(
      path: path, states: [initialState].compactMap(\.self) + capture.states,
      actions: capture.actions, facts: capture.facts, hasDigests: hasDigests,
      isIncomplete: hasFailed.value,
      looking: looking, written: board.written)
  }
}

/// What is around the stores of a run: apart from that of all other runs.
struct RunWorld: Sendable {
  let board: GateBoard
  let clock = TestClock()
  let ids = StackElementIDGenerator.incrementing
  private let memory = InMemoryStorage()
  private let files = FileStorage.inMemory
  private let defaults = UncheckedSendable(UserDefaults.inMemory)

  init(board: GateBoard) {
    self.board = board
  }

  @Sendable
  func install(_ values: inout DependencyValues) {
    values.context = .live
    values[Gates.self] = self.board.gates
    values.continuousClock = self.clock
    values.stackElementID = self.ids
    values.defaultInMemoryStorage = self.memory
    values.defaultFileStorage = self.files
    values.defaultAppStorage = self.defaults.value
  }
}
