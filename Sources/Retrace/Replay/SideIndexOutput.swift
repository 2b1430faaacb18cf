internal import ActionLog
internal import Glibc
internal import Synchronization

/// A state on its way into a side index.
enum SideIndexState {
  case bytes([UInt8])
  /// Its bytes can be had on any thread.
  case later(@Sendable () -> [UInt8]?)
}

/// The file of a side index while it is written, by any thread.
final class SideIndexOutput: Sendable {
  private let path: String
  private let partialPath: String
  private let file: any OpenFile
  private let fileSystem: any FileSystem
  private let identity: [UInt8]
  private let maximumBytes: Int
  private let content: Mutex<Content>

  private struct Content {
    var entries: [SideIndexFile.Entry] = []
    var buffer: [UInt8] = []
    var flushed: UInt64 = 0
    /// What a state takes by and by, before and after it is packed.
    var usualSize = (raw: 0, stored: 0)
    var waiting = 0
    var hasFailed = false

    var size: UInt64 { self.flushed + UInt64(self.buffer.count) }

    mutating func note(raw: Int, stored: Int) {
      guard self.usualSize.raw > 0 else { return self.usualSize = (raw, stored) }
      // Over eight or so, since they differ, and as a rule grow.
      self.usualSize.raw += (raw - self.usualSize.raw) / 8
      self.usualSize.stored += (stored - self.usualSize.stored) / 8
    }
  }

  /// How far it has come.
  struct Progress {
    /// The states that are still to come.
    var waiting: Int
    var hasFailed: Bool
    /// The bytes of a state, before it is packed; 0 where none is known.
    var usualRawSize: Int
    fileprivate var size: UInt64
    fileprivate var count: Int
    fileprivate var usualSize: Int
    fileprivate var identitySize: Int

    /// What the file will take with so many more states as large as usual.
    func size(withMore more: Int) -> UInt64 {
      let count = self.count + more
      return self.size + UInt64(more * self.usualSize)
        + UInt64(
          SideIndexFile.tableSize(count)
            + SideIndexFile.tailSize(count, identity: self.identitySize))
    }
  }

  init?(
    in folder: String, named name: String, identity: [UInt8], maximumBytes: Int,
    fileSystem: any FileSystem
  ) {
    guard identity.count <= SideIndexFile.identityLimit else { return nil }
    if (try? fileSystem.type(of: folder)) == nil { try? fileSystem.makeDirectory(folder) }
    Self.removeRemains(folder, fileSystem)
    self.path = "\(folder)/\(name)"
    self.partialPath = "\(folder)/\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).partial"
    guard let file = try? fileSystem.open(self.partialPath, .create) else { return nil }
    self.file = file
    self.fileSystem = fileSystem
    self.identity = identity
    self.maximumBytes = maximumBytes
    var content = Content()
    content.buffer = SideIndexFile.magic
    content.buffer.put(little: SideIndexFile.version)
    content.buffer.put(little: UInt32(0))
    self.content = Mutex(content)
  }

  /// Removes what replays that were killed have left half done.
  private static func removeRemains(_ folder: String, _ fileSystem: any FileSystem) {
    for name in (try? fileSystem.list(folder)) ?? [] where name.hasSuffix(".partial") {
      let parts = name.split(separator: ".")
      guard parts.count >= 3, let process = Int32(parts[parts.count - 3]), process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? fileSystem.unlink("\(folder)/\(name)")
    }
  }

  var progress: Progress {
    self.content.withLock { content in
      Progress(
        waiting: content.waiting, hasFailed: content.hasFailed,
        usualRawSize: content.usualSize.raw, size: content.size, count: content.entries.count,
        usualSize: content.usualSize.stored, identitySize: self.identity.count)
    }
  }

  /// One more state is to come.
  func expectOne() { self.content.withLock { $0.waiting += 1 } }

  /// Writes a state, in any order; `nil` for one that has no bytes. One for which there is no more
  /// room is left out.
  func add(_ state: [UInt8]?, _ number: Int, _ sequence: UInt64, wasExpected: Bool = false) {
    var state = state
    if let size = state?.count, size == 0 || size > SideIndexFile.stateLimit { state = nil }
    let stored = state.map { PackedBytes.pack($0) ?? $0 }
    self.content.withLock { content in
      if wasExpected { content.waiting -= 1 }
      guard let state, let stored, !content.hasFailed else { return }
      content.note(raw: state.count, stored: stored.count)
      let count = content.entries.count + 1
      let end =
        SideIndexFile.tableSize(count)
        + SideIndexFile.tailSize(count, identity: self.identity.count)
      guard content.size + UInt64(stored.count + 4 + end) <= UInt64(max(self.maximumBytes, 0))
      else { return }
      content.entries.append(
        SideIndexFile.Entry(
          number: number, sequence: sequence, offset: content.size,
          storedSize: UInt32(stored.count), size: UInt32(state.count)))
      content.buffer += stored
      content.buffer.put(little: PackedBytes.sum(stored))
      if content.buffer.count >= 1 << 16 { self.flush(&content) }
    }
  }

  private func flush(_ content: inout Content) {
    do {
      try self.file.writeFully(content.buffer, at: content.flushed)
      content.flushed += UInt64(content.buffer.count)
      content.buffer.removeAll(keepingCapacity: true)
    } catch {
      content.hasFailed = true
    }
  }

  /// Writes the table and gives the file its name.
  ///
  /// - Parameters:
  ///   - last: The last number whose state is believed.
  ///   - lastSequence: The log's last record.
  /// - Returns: Whether there is a file now.
  func finish(through last: Int, lastSequence: UInt64) -> Bool {
    self.content.withLock { content in
      content.entries.removeAll { $0.number > last }
      content.entries.sort { $0.number < $1.number }
      let end = SideIndexFile.End(
        tableOffset: content.size, count: UInt64(content.entries.count), lastSequence: lastSequence,
        identitySize: UInt32(self.identity.count))
      var directory = self.identity
      for first in stride(from: 0, to: content.entries.count, by: SideIndexFile.pageEntries) {
        directory.put(little: UInt64(content.entries[first].number))
        var page: [UInt8] = []
        for entry in content.entries[first...].prefix(SideIndexFile.pageEntries) {
          entry.put(to: &page)
        }
        page.put(little: PackedBytes.sum(page))
        content.buffer += page
      }
      content.buffer += end.bytes(behind: directory)
      guard !content.entries.isEmpty else { return false }
      self.flush(&content)
      guard !content.hasFailed,
        (try? self.fileSystem.rename(self.partialPath, to: self.path)) != nil
      else { return false }
      self.file.close()
      return true
    }
  }

  /// Leaves nothing behind.
  func discard() {
    self.content.withLock { content in
      content.hasFailed = true
      self.file.close()
      try? self.fileSystem.unlink(self.partialPath)
    }
  }
}
