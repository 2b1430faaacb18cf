internal import ActionCoding
public import ActionLog

/// Goes through the records of one stream and counts its actions.
@usableFromInline
struct StreamCursor {
  @usableFromInline var cursor: LogCursor
  @usableFromInline let stream: UInt16
  @usableFromInline let lastSequence: UInt64
  @usableFromInline var nextSequence: UInt64
  private let path: String
  /// The number of the stream's last action among the records returned so far.
  @usableFromInline var number: Int

  /// - Parameter number: The first action that is wanted; 0 for everything from the schema on.
  init(_ inspector: LogInspector, _ stream: StreamInfo, from number: Int) {
    self.stream = UInt16(stream.number)
    self.lastSequence = stream.lastSequence
    self.path = inspector.path
    var start = stream.firstSequence
    self.number = stream.firstPosition
    if number > 0, let index = stream.index.entryIndex(ofAction: number) {
      let entry = stream.index.entries[index]
      if entry.block.firstSequence > start { start = entry.block.firstSequence }
      self.number = entry.actionsBefore
    }
    self.nextSequence = start
    self.cursor = inspector.reader.cursor(from: start)
  }

  /// The next record of the stream, valid until the next call.
  ///
  /// - Throws: A `LogError` for damage, a ``ReplayError`` where records are missing.
  @inlinable
  mutating func next() throws -> LogRecord? {
    while self.nextSequence <= self.lastSequence, let record = try self.cursor.next() {
      guard record.sequence == self.nextSequence else {
        if record.sequence > self.lastSequence { return nil }
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
    return nil
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
