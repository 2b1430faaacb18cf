import ActionCoding
import ActionLog
import ComposableArchitecture
import ConcurrencyExtras
import Foundation
import TestSupport
import Testing

@testable import Retrace

/// What recording and replaying cost does not grow with the state or with the history.
@MainActor
@Suite struct RecordingCostTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  /// How often a value was encoded, and how many of its kind there are.
  final class Tally: Sendable {
    let encodings = LockIsolated(0)
    let living = LockIsolated((now: 0, most: 0))
  }

  /// A large value, of which each copy that is kept keeps an object.
  final class Counted: Recordable, Equatable, Sendable {
    let number: Int
    let size: Int
    let tally: Tally

    init(number: Int, size: Int, tally: Tally) {
      self.number = number
      self.size = size
      self.tally = tally
      tally.living.withValue {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    deinit { self.tally.living.withValue { $0.now -= 1 } }

    static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }

    func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
      if self.size > 0 { self.tally.encodings.withValue { $0 += 1 } }
      try self.number.encode(to: &writer)
      try [UInt8](repeating: 7, count: self.size).encode(to: &writer)
    }

    convenience init(from reader: inout RecordReader) throws(RecordDecodingError) {
      self.init(
        number: try Int(from: &reader), size: try [UInt8](from: &reader).count,
        tally: RecordingCostTests.replayed)
    }

    static func recordDefinition(
      in schema: inout RecordSchemaBuilder
    ) -> RecordSchema.Definition {
      .structure(
        name: "Counted",
        fields: [.init("number", schema.type(Int.self)), .init("bytes", schema.type([UInt8].self))])
    }
  }

  nonisolated static let replayed = Tally()

  @Reducer
  struct Heap {
    struct State: Equatable {
      var count = 0
      var large: Counted
      var lines: [String] = []
    }
    enum Action: Equatable {
      case add(Int)
      case replace
      case line(String)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let amount): state.count += amount
        case .replace:
          let old = state.large
          state.large = Counted(number: old.number + 1, size: old.size, tally: old.tally)
        case .line(let text): state.lines.append(text)
        }
        return .none
      }
    }
  }

  private func record(
    size: Int, _ tally: Tally, checkpoints: CheckpointDensity = .bySize, _ actions: [Heap.Action]
  ) throws {
    let recording = try Recording(
      at: self.path, options: LogOptions(), checkpoints: checkpoints)
    let store = Store(
      initialState: Heap.State(large: Counted(number: 0, size: size, tally: tally))
    ) {
      Heap().recorded(by: recording)
    }
    for action in actions { store.send(action) }
    try recording.close()
  }

  @Test func anActionTakesAsManyBytesLateAsEarly() throws {
    var actions: [Heap.Action] = [.add(300)]
    actions += (0..<3_000).map { .line("line \($0)") }
    actions.append(.add(300))
    try self.record(size: 100_000, Tally(), actions)
    let inspector = try LogInspector(at: self.path)
    let stream = try inspector.stream()
    let sizes = try [1, actions.count].map { try inspector.action($0, of: stream).byteCount }
    #expect(sizes[0] == sizes[1])
    #expect(sizes[0] < 8)
  }

  @Test func aLargeStateIsNotEncodedForEachAction() throws {
    let encodings = try [500, 10_000].map { count in
      try? FileManager.default.removeItem(atPath: self.path)
      let tally = Tally()
      try self.record(
        size: 200_000, tally, [Heap.Action](repeating: .add(1), count: count))
      return tally.encodings.value
    }
    // A state more, now and then, as the log grows.
    #expect(encodings[1] <= 4 * encodings[0])
  }

  @Test func aRecordingKeepsNoStates() throws {
    let tally = Tally()
    try self.record(size: 0, tally, [Heap.Action](repeating: .replace, count: 20_000))
    #expect(tally.living.value.most <= 16)
    #expect(tally.living.value.now == 0)
  }

  @Test func aTimelineKeepsABoundedNumberOfStates() throws {
    let count = 20_000
    try self.record(size: 0, Tally(), [Heap.Action](repeating: .replace, count: count))
    let living = Self.replayed.living
    let before = living.value.now
    living.withValue { $0.most = $0.now }
    do {
      let timeline = try Timeline(of: self.path) { Heap() }
      #expect(try timeline.replay { _ in }.divergence == nil)
      for _ in 0..<1_000 { try timeline.stepBackward() }
      for step in 0..<200 { try timeline.move(to: step &* 7_919 % count) }
      #expect(timeline.state.large.number == 199 &* 7_919 % count)
    }
    #expect(living.value.most - before <= 3_000)
    #expect(living.value.now == before)
  }

  @Test func theEndIsReachedFromAStateNearIt() throws {
    let count = 6_000
    try self.record(
      size: 0, Tally(), checkpoints: .every(500, atOnce: true),
      [Heap.Action](repeating: .add(1), count: count))
    let runs = LockIsolated(0)
    let timeline = try Timeline(of: self.path) {
      Heap()
      Reduce<Heap.State, Heap.Action> { _, _ in
        runs.withValue { $0 += 1 }
        return .none
      }
    }
    try timeline.move(to: count)
    #expect(timeline.state.count == count)
    #expect(runs.value <= 1_000)
  }
}
