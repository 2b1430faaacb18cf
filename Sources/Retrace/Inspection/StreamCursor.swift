internal import ActionCoding
public import ActionLog

/// Goes through the records of one stream and counts its actions; over gaps as well, where the
/// numbers are known again behind them.
@usableFromInline
struct StreamCursor {
  @usableFromInline var cursor: LogCursor
  @usableFromInline let stream: UInt16
  /// The last record before the next gap, or the run's last one.
  @usableFromInline var lastSequence: UInt64
  @usableFromInline var nextSequence: UInt64
  private let path: String
  /// The number of the stream's last action among the records returned so far.
  @usableFromInline var number: Int
  private let reader: LogReader
  private let streamEnd: UInt64
  /// Where to go on behind the gaps that are still to come.
  private var restarts: ArraySlice<StreamRestart>

  /// - Parameter number: The first action that is wanted; 0 for everything from the schema on.
  init(_ inspector: LogInspector, _ stream: StreamInfo, from number: Int) {
    var start = stream.firstSequence
    var before = stream.firstPosition
    if number > 0, let index = stream.index.entryIndex(ofAction: number) {
      let entry = stream.index.entries[index]
      if entry.block.firstSequence > start { start = entry.block.firstSequence }
      before = entry.actionsBefore
    }
    self.init(inspector, stream, at: start, after: before)
  }

  /// - Parameters:
  ///   - sequence: The first record that is wanted.
  ///   - number: The number of the stream's last action before it.
  init(_ inspector: LogInspector, _ stream: StreamInfo, at sequence: UInt64, after number: Int) {
    self.stream = UInt16(stream.number)
    self.path = inspector.path
    self.number = number
    self.nextSequence = sequence
    self.reader = inspector.reader
    self.streamEnd = stream.lastSequence
    self.restarts = stream.index.restarts.drop { $0.gapSequence <= sequence }
    self.lastSequence = self.restarts.first.map { $0.gapSequence - 1 } ?? stream.lastSequence
    self.cursor = inspector.reader.cursor(from: sequence)
  }

  /// The next record of the stream, valid until the next call.
  ///
  /// - Throws: A `LogError` for damage, a ``ReplayError`` where records are missing.
  @inlinable
  mutating func next() throws -> LogRecord? {
    repeat {
      while self.nextSequence <= self.lastSequence, let record = try self.cursor.next() {
        guard record.sequence == self.nextSequence else {
          if record.sequence > self.lastSequence { break }
          throw self.missing(before: record.sequence)
        }
        self.nextSequence &+= 1
        guard record.stream == self.stream else {
          if record.kind == .gap { throw self.unwritten() }
          continue
        }
        if record.kind == .action { self.number &+= 1 }
        return record
      }
    } while self.passGap()
    return nil
  }

  /// Goes on to the next record where that is the stream's, and in the block of the last one.
  @inlinable
  mutating func passInBlock() -> Bool {
    guard self.nextSequence <= self.lastSequence,
      let kind = self.cursor.passInBlock(of: self.stream)
    else { return false }
    self.nextSequence &+= 1
    if kind == 4 { self.number &+= 1 }
    return true
  }

  /// Goes on behind the next gap; returns whether there is one.
  @usableFromInline
  mutating func passGap() -> Bool {
    guard let restart = self.restarts.popFirst() else { return false }
    self.number = restart.number
    self.nextSequence = restart.sequence
    self.lastSequence = self.restarts.first.map { $0.gapSequence - 1 } ?? self.streamEnd
    self.cursor = self.reader.cursor(from: restart.sequence)
    return true
  }

  @usableFromInline
  func missing(before sequence: UInt64) -> ReplayError {
    ReplayError(
      .gap,
      """
      '\(self.path)' lacks the records \(self.nextSequence) to \(sequence - 1), after action \
      \(self.number): what comes later can't be counted. Run 'retrace verify' to see what is \
      damaged.
      """, action: self.number)
  }

  @usableFromInline
  func unwritten() -> ReplayError {
    ReplayError(
      .gap,
      """
      '\(self.path)' could not be written for a while after action \(self.number), and lacks what \
      was recorded then: what comes later can't be counted. Run 'retrace info' to see what is \
      missing and why.
      """, action: self.number)
  }
}
