internal import ActionCoding
internal import ActionLog

/// The records of a stream as a replay takes them: one ahead, so that what belongs to an action can
/// be told from the next one.
final class ReplayTape {
  private var cursor: StreamCursor
  /// The next record, valid until `advance`; `nil` at the end, and before the first `advance`.
  private(set) var next: LogRecord?
  /// The number of the action that `next` is or belongs to.
  private(set) var number: Int
  /// Why nothing more can be read.
  private(set) var failure: (any Error)?

  /// - Parameter cursor: Where to begin; `next` is its first record.
  init(_ cursor: StreamCursor) {
    self.cursor = cursor
    self.number = cursor.number
    self.advance()
  }

  /// Goes on by one record.
  func advance() {
    do {
      self.next = try self.cursor.next()
      self.number = self.cursor.number
    } catch {
      self.next = nil
      self.failure = error
    }
  }

  /// Goes to an action.
  ///
  /// - Returns: Whether it is there; `next` is its record then.
  func seek(toAction number: Int) -> Bool {
    while let record = self.next {
      if record.kind == .action, self.number >= number { return self.number == number }
      self.advance()
    }
    return false
  }
}
