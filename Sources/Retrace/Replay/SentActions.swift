public import ActionCoding

/// Actions that reducers have sent at once and whose turn has not come, in their order: as the bytes
/// that they are written as, to be compared with those of the log.
@usableFromInline
final class SentActions {
  /// One whose bytes are not in `memory`.
  struct Late {
    /// Its bytes as they are when its turn has come; `nil` where it has none.
    var bytes: () -> [UInt8]?
    var text: () -> String
  }

  private struct Entry {
    var sender: Int
    var offset: Int
    var count: Int
  }

  /// The bytes that all of them may take here; what is more is kept as it is.
  @usableFromInline static var capacity: Int { 16_384 }

  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline @exclusivity(unchecked) var end = 0
  /// Whether none is waiting.
  @usableFromInline @exclusivity(unchecked) var isEmpty = true
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// Those at the front that have had their turn.
  @exclusivity(unchecked) private var taken = 0
  @exclusivity(unchecked) private var late: [Int: Late] = [:]

  init() {
    self.memory = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit {
    self.memory.deallocate()
  }

  /// Takes an action that is sent, if `encode` can write it and there is room for it.
  @inlinable
  func append(
    sender: Int, _ encode: (inout RecordWriter) throws(RecordOverflow) -> Void
  ) -> Bool {
    var writer = RecordWriter(
      UnsafeMutableRawBufferPointer(
        start: self.memory + self.end, count: Self.capacity - self.end))
    do throws(RecordOverflow) {
      try encode(&writer)
    } catch {
      return false
    }
    self.note(sender, count: writer.count)
    return true
  }

  @usableFromInline
  func note(_ sender: Int, count: Int) {
    self.entries.append(Entry(sender: sender, offset: self.end, count: count))
    self.end += count
    self.isEmpty = false
  }

  /// Takes an action whose bytes are made when its turn has come.
  func append(sender: Int, late: Late) {
    self.late[self.entries.count] = late
    self.note(sender, count: 0)
  }

  /// The number of the action whose reducer has sent the next one.
  var nextSender: Int? { self.isEmpty ? nil : self.entries[self.taken].sender }

  /// The bytes of the next one; `nil` where it has none.
  func nextBytes() -> [UInt8]? {
    if let late = self.late[self.taken] { return late.bytes() }
    let entry = self.entries[self.taken]
    return Array(UnsafeRawBufferPointer(start: self.memory + entry.offset, count: entry.count))
  }

  /// The next one as text, where it has no bytes.
  func nextText() -> String { self.late[self.taken]?.text() ?? "an action" }

  /// Whether the next one was sent by that action, and has these bytes.
  @usableFromInline
  func isNext(sender: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !self.isEmpty, self.late.isEmpty else { return false }
    let entry = self.entries[self.taken]
    guard entry.sender == sender, entry.count == bytes.count else { return false }
    return UnsafeRawBufferPointer(start: self.memory + entry.offset, count: entry.count)
      .elementsEqual(bytes)
  }

  /// The next one has had its turn.
  @usableFromInline
  func take() {
    if !self.late.isEmpty { self.late[self.taken] = nil }
    self.taken += 1
    guard self.taken == self.entries.count else { return }
    self.entries.removeAll(keepingCapacity: true)
    self.taken = 0
    self.end = 0
    self.isEmpty = true
  }
}
