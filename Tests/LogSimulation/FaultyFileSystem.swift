package import ActionLog
internal import Glibc
internal import Synchronization

/// A disk that fails on demand: a given call, short reads and writes, when it is full, and while
/// it is away.
package final class FaultyFileSystem: FileSystem {
  package enum Call: Hashable, CaseIterable, Sendable {
    case open, read, write, allocate, map, sync, size, lock, makeDirectory, list, type, rename,
      unlink, syncDirectory
  }

  package struct Plan: Sendable {
    /// Calls of each kind so far.
    package var counts: [Call: Int] = [:]
    /// The call of a kind, counted from 1, that fails, and with what; later ones fail as well
    /// when `lasts`.
    package var failing: (call: Call, number: Int, error: Int32, lasts: Bool)?
    /// Only calls for paths that end so fail; nil is every path.
    package var failingSuffix: String?
    /// The most bytes that one read or write takes.
    package var longestRead = Int.max
    package var longestWrite = Int.max
    /// The bytes that may still be written or reserved.
    package var space = Int.max
    /// What every call fails with while the disk is away.
    package var away: Int32?
  }

  package let base: MemoryFileSystem
  private let plan: Mutex<Plan>

  package init(_ base: MemoryFileSystem = MemoryFileSystem()) {
    self.base = base
    plan = Mutex(Plan())
  }

  /// A disk that does all it is told to, though never more than a few bytes at once.
  package static func slow() -> FaultyFileSystem {
    let disk = FaultyFileSystem()
    disk.change {
      $0.longestRead = 1021
      $0.longestWrite = 97
    }
    return disk
  }

  package func change(_ body: (inout Plan) -> Void) {
    plan.withLock { body(&$0) }
  }

  package func fail(_ call: Call, _ number: Int, with error: Int32, lasts: Bool = false) {
    change {
      $0.counts = [:]
      $0.failing = (call, number, error, lasts)
    }
  }

  package func count(_ call: Call) -> Int {
    plan.withLock { $0.counts[call] ?? 0 }
  }

  /// Takes the disk away: from now on every call fails with `error`.
  package func takeAway(_ error: Int32 = EIO) {
    change { $0.away = error }
  }

  package func bringBack() {
    change { $0.away = nil }
  }

  fileprivate func meet(_ call: Call, _ operation: String, _ path: String) throws(FileError) {
    let number: Int32? = plan.withLock { plan in
      if let away = plan.away { return away }
      if let suffix = plan.failingSuffix, !path.hasSuffix(suffix) { return nil }
      plan.counts[call, default: 0] += 1
      guard let failing = plan.failing, failing.call == call else { return nil }
      let count = plan.counts[call] ?? 0
      let isHit = failing.lasts ? count >= failing.number : count == failing.number
      return isHit ? failing.error : nil
    }
    if let number { throw FileError(operation, path, number) }
  }

  fileprivate var longestRead: Int { plan.withLock { $0.longestRead } }

  /// How much of a write goes through; throws when nothing does, since the disk is full.
  fileprivate func admit(_ count: Int, _ path: String) throws(FileError) -> Int {
    let admitted = plan.withLock { plan in
      let admitted = min(count, plan.longestWrite, plan.space)
      if plan.space != .max { plan.space -= admitted }
      return admitted
    }
    if admitted == 0 && count > 0 { throw FileError("write", path, ENOSPC) }
    return admitted
  }

  fileprivate func reserve(_ count: Int, _ path: String) throws(FileError) {
    let fits = plan.withLock { plan in
      if plan.space == .max { return true }
      if plan.space < count { return false }
      plan.space -= count
      return true
    }
    if !fits { throw FileError("allocate", path, ENOSPC) }
  }

  // MARK: FileSystem

  package func isMappingSafe(in path: String) -> Bool { base.isMappingSafe(in: path) }

  package func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    try meet(.open, "open", path)
    return FaultyFile(base: try base.open(path, mode), disk: self)
  }

  package func makeDirectory(_ path: String) throws(FileError) {
    try meet(.makeDirectory, "create", path)
    try base.makeDirectory(path)
  }

  package func list(_ path: String) throws(FileError) -> [String] {
    try meet(.list, "list", path)
    return try base.list(path)
  }

  package func type(of path: String) throws(FileError) -> FileType {
    try meet(.type, "look at", path)
    return try base.type(of: path)
  }

  package func rename(_ path: String, to target: String) throws(FileError) {
    try meet(.rename, "rename", path)
    try base.rename(path, to: target)
  }

  package func unlink(_ path: String) throws(FileError) {
    try meet(.unlink, "remove", path)
    try base.unlink(path)
  }

  package func syncDirectory(_ path: String) throws(FileError) {
    try meet(.syncDirectory, "sync", path)
    try base.syncDirectory(path)
  }
}

private final class FaultyFile: OpenFile {
  let base: any OpenFile
  let disk: FaultyFileSystem

  init(base: any OpenFile, disk: FaultyFileSystem) {
    self.base = base
    self.disk = disk
  }

  var path: String { base.path }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    try disk.meet(.read, "read", path)
    let count = min(buffer.count, disk.longestRead)
    return try base.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    try disk.meet(.write, "write", path)
    let count = try disk.admit(bytes.count, path)
    return try base.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset)
  }

  func allocate(_ size: Int) throws(FileError) {
    try disk.meet(.allocate, "allocate", path)
    try disk.reserve(size, path)
    try base.allocate(size)
  }

  func map(_ size: Int) throws(FileError) -> any MappedMemory {
    try disk.meet(.map, "map", path)
    return try base.map(size)
  }

  func sync() throws(FileError) {
    try disk.meet(.sync, "sync", path)
    try base.sync()
  }

  func size() throws(FileError) -> UInt64 {
    try disk.meet(.size, "look at", path)
    return try base.size()
  }

  func lock() throws(FileError) -> Bool {
    try disk.meet(.lock, "lock", path)
    return try base.lock()
  }

  func isLocked() -> Bool? { base.isLocked() }

  func close() { base.close() }
}
