internal import ActionCoding
public import ActionLog

/// The records of a stream as a replay takes them: one ahead, so that what belongs to an action can
/// be told from the next one.
@usableFromInline
final class ReplayTape {
  @usableFromInline @exclusivity(unchecked) var cursor: StreamCursor
  /// Whether there is a next record.
  @usableFromInline @exclusivity(unchecked) var hasNext = false
  /// Actions that reducers have sent, whose turn has not come.
  @usableFromInline let sent = SentActions()
  /// Why nothing more can be read.
  @exclusivity(unchecked) private(set) var failure: (any Error)?
  /// Whether the running action differs from the recorded one.
  @usableFromInline @exclusivity(unchecked) var hasDifference = false
  /// Takes what shared values hold from a place on, as records tell it.
  private let shared: SharedPlayer?
  private var notes: SharedNotes
  /// The paths of what was taken out of the action and of what it read.
  var redacted: [String] = []
  @usableFromInline @exclusivity(unchecked) var hasNotes = false

  /// - Parameter cursor: Where to begin; `next` is its first record.
  init(_ cursor: StreamCursor, shared: SharedPlayer? = nil, startingAt position: Int = 0) {
    self.cursor = cursor
    self.shared = shared
    self.notes = SharedNotes(position: position)
    self.loadNext()
  }

  /// The next record, valid until `advance`; `nil` at the end.
  @inlinable
  var next: LogRecord? { self.hasNext ? self.cursor.cursor.last : nil }

  /// Whether the next record is an action.
  @inlinable
  var nextIsAction: Bool { self.hasNext && self.cursor.cursor.lastKind == 4 }

  /// The number of the action that `next` is or belongs to.
  @inlinable
  var number: Int { self.cursor.number }

  /// Goes on by one record.
  @inlinable
  func advance() {
    // What is passed may tell of shared values.
    if self.hasNext, self.hasNotes || self.cursor.cursor.lastKind == 6 { self.pass() }
    if self.hasNext, self.cursor.passInBlock() { return }
    self.loadNext()
  }

  /// Goes on by one record, maybe in another block.
  @usableFromInline
  func loadNext() {
    do {
      self.hasNext = try self.cursor.next() != nil
    } catch {
      self.hasNext = false
      self.failure = error
    }
  }

  @usableFromInline
  func pass() {
    guard let record = self.next else { return }
    guard let shared = self.shared else { return }
    self.hasNotes = self.notes.pass(record, number: self.number, to: shared)
  }

  /// Takes what a note tells of the running action, and goes on.
  func takeNote(_ record: LogRecord) {
    var reader = RecordReader(record.payload)
    if case .redacted(let paths)? = try? NotePayload(from: &reader) { self.redacted += paths }
    self.advance()
  }

  /// Whether the stream ends here.
  var isAtEnd: Bool { self.next == nil || self.next?.kind == .close }

  /// Goes to an action.
  ///
  /// - Returns: Whether it is there; `next` is its record then.
  func seek(toAction number: Int) -> Bool {
    while let record = self.next {
      if record.kind == .action, self.number >= number {
        if let shared { self.notes.settle(shared) }
        return self.number == number
      }
      self.advance()
    }
    return false
  }
}
