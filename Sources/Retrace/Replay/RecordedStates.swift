internal import ActionCoding
internal import ActionLog

/// A state in the log.
struct RecordedState {
  /// The number of the action that led to it.
  var number: Int
  /// The state's record.
  var payload: [UInt8]
}

/// The states of a stream in its log after the first, in the order of their actions, a few at a time.
///
/// A state is written a little after its action, and one may overtake another: those of a block come
/// when the next block that has some was looked at.
///
/// Each block that is looked at is unpacked once more than for the fold alone. In a long log with
/// many states that would cost as much as the fold, so that there only some blocks are looked at,
/// spread evenly, and always the last ones.
struct RecordedStates {
  private let inspector: LogInspector
  private let stream: StreamInfo
  private let range: ClosedRange<Int>
  private let missing: [ClosedRange<Int>]
  /// The blocks that are looked at, as places in the stream's index.
  private let places: [Int]
  private var nextPlace = 0
  /// Those that were read, in order.
  private var waiting: [RecordedState] = []
  /// How many of them come before any that is still to be read.
  private var readyCount = 0

  /// Blocks with states of which all are looked at.
  static let blockLimit = 64
  /// In a log with more of them, one of so many.
  static let stride = 4

  /// - Parameters:
  ///   - first: A state after which all are wanted.
  ///   - last: The last one that is wanted; that of the last action when `nil`.
  ///   - isThorough: Whether every state is wanted, whatever that costs.
  init(
    _ inspector: LogInspector, _ stream: StreamInfo, from first: Int, through last: Int? = nil,
    isThorough: Bool = false
  ) {
    self.inspector = inspector
    self.stream = stream
    self.missing = stream.missingStates
    self.range = first...max(last ?? stream.actionCount, first)
    let entries = stream.index.entries
    // A state may stand a block or two behind its action.
    let start = stream.index.entryIndex(ofAction: first) ?? 0
    let end = min(
      (stream.index.entryIndex(ofAction: self.range.upperBound) ?? 0) + 3, entries.count)
    let places = (min(start, end)..<end).filter { entries[$0].block.kinds.contains(.state) }
    let isWhole = isThorough || places.count <= Self.blockLimit
    self.places =
      isWhole
      ? places
      : places.enumerated().filter { $0.offset % Self.stride == 0 || $0.offset >= places.count - 3 }
        .map(\.element)
  }

  /// The next state.
  ///
  /// - Throws: A `LogError` for damage.
  mutating func next() throws -> RecordedState? {
    while self.readyCount == 0, self.nextPlace < self.places.count {
      let earlier = self.waiting.count
      try self.readBlock()
      self.readyCount = earlier
    }
    if self.readyCount > 0 { self.readyCount -= 1 }
    return self.waiting.isEmpty ? nil : self.waiting.removeFirst()
  }

  /// Reads the states of the next block that has some.
  private mutating func readBlock() throws {
    let entry = self.stream.index.entries[self.places[self.nextPlace]]
    self.nextPlace += 1
    var cursor = self.inspector.records(in: entry.block)
    while let record = try cursor.next(of: .state) {
      guard record.stream == UInt16(self.stream.number) else { continue }
      var reader = RecordReader(record.payload)
      guard let header = try? StateHeader(from: &reader), header.reasonForAbsence == nil,
        header.number > self.range.lowerBound, self.range.contains(header.number),
        // Within a gap nothing leads to a state.
        !self.missing.contains(where: { $0.contains(header.number) })
      else { continue }
      self.waiting.append(RecordedState(number: header.number, payload: Array(record.payload)))
    }
    self.waiting.sort { $0.number < $1.number }
  }
}
