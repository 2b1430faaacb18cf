internal import ActionCoding
public import ActionLog

/// The records of a stream as a replay takes them: one ahead, so that what belongs to an action can
/// be told from the next one.
@usableFromInline
final class ReplayTape {
  @usableFromInline @exclusivity(unchecked) var cursor: StreamCursor
  /// The next record, valid until `advance`; `nil` at the end, and before the first `advance`.
  @usableFromInline @exclusivity(unchecked) var next: LogRecord?
  /// The number of the action that `next` is or belongs to.
  @usableFromInline @exclusivity(unchecked) var number: Int
  /// Why nothing more can be read.
  @exclusivity(unchecked) private(set) var failure: (any Error)?
  /// Whether a reducer has sent an action whose turn has not come.
  @usableFromInline @exclusivity(unchecked) var expectsAction = false
  /// Whether the running action differs from the recorded one.
  @usableFromInline @exclusivity(unchecked) var hasDifference = false

  /// - Parameter cursor: Where to begin; `next` is its first record.
  init(_ cursor: StreamCursor) {
    self.cursor = cursor
    self.number = cursor.number
    self.advance()
  }

  /// Goes on by one record.
  @inlinable
  func advance() {
    do {
      self.next = try self.cursor.next()
      self.number = self.cursor.number
    } catch {
      self.fail(error)
    }
  }

  @usableFromInline
  func fail(_ error: any Error) {
    self.next = nil
    self.failure = error
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
