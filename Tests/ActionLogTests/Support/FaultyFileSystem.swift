import ActionLog
import Foundation
import Synchronization

/// A disk that fails on demand: a given call, short writes, or when it is full.
final class FaultyFileSystem: FileSystem {
  enum Call: Hashable, CaseIterable {
    case open, read, write, allocate, map, sync, size, lock, makeDirectory, list, type, rename,
      unlink, syncDirectory
  }

  struct Plan {
    /// Calls of each kind so far.
    var counts: [Call: Int] = [:]
    /// The call of a kind, counted from 1, that fails, and with what; later ones fail as well
    /// when `lasts`.
    var failing: (call: Call, number: Int, error: Int32, lasts: Bool)?
    /// The most bytes that one write takes.
    var longestWrite = Int.max
    /// The bytes that may still be written or reserved.
    var space = Int.max
  }

  let base: MemoryFileSystem
  private let plan: Mutex<Plan>

  init(_ base: MemoryFileSystem = MemoryFileSystem()) {
    self.base = base
    plan = Mutex(Plan())
  }

  func change(_ body: (inout Plan) -> Void) {
    plan.withLock { body(&$0) }
  }

  func fail(_ call: Call, _ number: Int, with error: Int32, lasts: Bool = false) {
    change {
      $0.counts = [:]
      $0.failing = (call, number, error, lasts)
    }
  }

  func count(_ call: Call) -> Int {
    plan.withLock { $0.counts[call] ?? 0 }
  }

  fileprivate func meet(_ call: Call, _ operation: String, _ path: String) throws(FileError) {
    let number: Int32? = plan.withLock { plan in
      plan.counts[call, default: 0] += 1
      guard let failing = plan.failing, failing.call == call else { return nil }
      let count = plan.counts[call] ?? 0
      let isHit = failing.lasts ? count >= failing.number : count == failing.number
      return isHit ? failing.error : nil
    }
    if let number { throw FileError(operation, path, number) }
  }

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

  func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    try meet(.open, "open", path)
    return FaultyFile(base: try base.open(path, mode), disk: self)
  }

  func makeDirectory(_ path: String) throws(FileError) {
    try meet(.makeDirectory, "create", path)
    try base.makeDirectory(path)
  }

  func list(_ path: String) throws(FileError) -> [String] {
    try meet(.list, "list", path)
    return try base.list(path)
  }

  func type(of path: String) throws(FileError) -> FileType {
    try meet(.type, "look at", path)
    return try base.type(of: path)
  }

  func rename(_ path: String, to target: String) throws(FileError) {
    try meet(.rename, "rename", path)
    try base.rename(path, to: target)
  }

  func unlink(_ path: String) throws(FileError) {
    try meet(.unlink, "remove", path)
    try base.unlink(path)
  }

  func syncDirectory(_ path: String) throws(FileError) {
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
    return try base.read(into: buffer, at: offset)
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
