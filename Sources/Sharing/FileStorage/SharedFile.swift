import Foundation
import Synchronization

/// One file as the references of this process see it: what is to be written, and what was seen.
///
/// The first write is done at once. Those that follow it within a second are held until the second
/// is over, and only the last of them is done; it is done before, if a reference goes, the program
/// asks for it, or the process ends.
final class SharedFile: Sendable {
  /// Who writes and reads: a key, by its object.
  typealias Writer = ObjectIdentifier

  /// What a look at the file gave.
  enum Content: Sendable {
    /// There is no file, or it is empty.
    case none
    case data(Data, FileVersion?)
  }

  private struct Write: Sendable {
    var number: UInt64
    var writer: Writer
    var encode: @Sendable () throws -> Data
  }

  private struct Intent {
    /// How many writes were asked for.
    var count: UInt64 = 0
    /// The last one, until it is on disk.
    var unwritten: Write?
    /// Who waits for it.
    var waiting: [SaveContinuation] = []
    var isHolding = false
  }

  private struct Seen {
    /// The number of the write that is on disk.
    var written: UInt64 = 0
    /// The version that this process has written.
    var own: FileVersion?
    /// What each writer has last read or written; `nil` in it when there was no file.
    var known: [Writer: FileVersion?] = [:]
    /// A version that could not be decoded, which a write must not destroy.
    var unreadable: FileVersion?
  }

  let url: URL
  let access: any FileAccess
  private let intent = Mutex(Intent())
  // Held while the file is read or written, and never while other code runs.
  private let seen = Mutex(Seen())

  init(url: URL, access: any FileAccess) {
    self.url = url
    self.access = access
  }

  // MARK: - Writing

  /// Writes now, or soon.
  ///
  /// - Parameters:
  ///   - mayHold: Whether it may be held.
  ///   - encode: Makes the content, when it is written.
  func save(
    writer: Writer, mayHold: Bool, continuation: SaveContinuation,
    encode: @escaping @Sendable () throws -> Data
  ) {
    let hold = access.hold
    let (isHeld, startsHold): (Bool, Bool) = intent.withLock { intent in
      intent.count += 1
      intent.unwritten = Write(number: intent.count, writer: writer, encode: encode)
      intent.waiting.append(continuation)
      if mayHold, intent.isHolding { return (true, false) }
      guard hold != nil, !intent.isHolding else { return (false, false) }
      intent.isHolding = true
      return (false, true)
    }
    if !isHeld { flush() }
    if startsHold, let hold {
      Task.detached {
        try? await hold.clock.sleep(for: hold.duration)
        self.endHold()
      }
    }
  }

  private func endHold() {
    intent.withLock { $0.isHolding = false }
    flush()
  }

  /// Writes what is held.
  func flush() {
    let (write, waiting): (Write?, [SaveContinuation]) = intent.withLock { intent in
      defer { intent.waiting = [] }
      return (intent.unwritten, intent.waiting)
    }
    guard let write else {
      for continuation in waiting { continuation.resume() }
      return
    }
    let result: Result<Void, any Error> = Result { try perform(write) }
    intent.withLock { intent in
      if intent.unwritten?.number == write.number { intent.unwritten = nil }
    }
    for continuation in waiting { continuation.resume(with: result) }
    access.announce(url)
  }

  private func perform(_ write: Write) throws {
    let data: Data = try write.encode()
    try seen.withLock { seen in
      // A later one was quicker.
      guard write.number > seen.written else { return }
      let version: FileVersion = try access.replace(url, with: data, keeping: seen.unreadable)
      seen.written = write.number
      seen.own = version
      seen.known[write.writer] = .some(version)
      seen.unreadable = nil
    }
  }

  // MARK: - Reading

  /// The content as this process sees it, with what it has not written yet.
  func read(_ writer: Writer) throws -> Content {
    if let write = intent.withLock({ $0.unwritten }) { return .data(try write.encode(), nil) }
    return try readFile(writer)
  }

  private func readFile(_ writer: Writer) throws -> Content {
    try seen.withLock { seen in
      do {
        let file: (data: Data, version: FileVersion)? = try access.read(url)
        seen.known[writer] = .some(file?.version)
        guard let file, !file.data.isEmpty else { return .none }
        return .data(file.data, file.version)
      } catch {
        let version: FileVersion? = access.version(of: url)
        seen.known[writer] = .some(version)
        seen.unreadable = version
        throw error
      }
    }
  }

  /// Says that a content can't be decoded.
  func keep(_ content: Content) {
    guard case .data(_, let version?) = content else { return }
    seen.withLock { $0.unreadable = version }
  }

  // MARK: - Changes by others

  /// Whether the file is another than the writer knows. If it was not written by this process,
  /// writes that are held are given up, since it is newer.
  func hasChanged(for writer: Writer) -> Bool {
    let (isOther, isForeign): (Bool, Bool) = seen.withLock { seen in
      let version: FileVersion? = access.version(of: url)
      guard let known = seen.known[writer], known != version else { return (false, false) }
      return (true, version == nil || version != seen.own)
    }
    if isForeign { giveUp() }
    return isOther
  }

  /// Forgets what a key knows that is no more.
  func forget(_ writer: Writer) {
    seen.withLock { _ = $0.known.removeValue(forKey: writer) }
  }

  /// How many writes were asked for so far.
  var writeCount: UInt64 { intent.withLock { $0.count } }

  private func giveUp() {
    let (count, waiting): (UInt64, [SaveContinuation]) = intent.withLock { intent in
      intent.unwritten = nil
      defer { intent.waiting = [] }
      return (intent.count, intent.waiting)
    }
    // One that is on its way already must not arrive.
    seen.withLock { $0.written = max($0.written, count) }
    for continuation in waiting { continuation.resume() }
  }
}

extension SharedFile {
  private struct WeakFile {
    weak var file: SharedFile?
  }

  private static let files: Mutex<[FileStorageKeyID: WeakFile]> = {
    AtExit.add { SharedFile.flushAll() }
    return Mutex([:])
  }()

  /// The file of a key, the same for all that ask while one of them keeps it.
  static func of(_ id: FileStorageKeyID) -> SharedFile {
    files.withLock { files in
      if let file = files[id]?.file { return file }
      let file = SharedFile(url: id.url, access: id.storage.access)
      // Seldom, so that it costs nothing on average.
      if files.count >= 64, files.count.nonzeroBitCount == 1 {
        files = files.filter { $0.value.file != nil }
      }
      files[id] = WeakFile(file: file)
      return file
    }
  }

  private static func flushAll() {
    let all: [SharedFile] = files.withLock { $0.values.compactMap(\.file) }
    for file in all { file.flush() }
  }
}
