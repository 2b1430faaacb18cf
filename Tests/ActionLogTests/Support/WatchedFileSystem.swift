import ActionLog
import LogSimulation
import Foundation
import Synchronization

/// A disk in memory that says what was synced, and may take its time for it.
final class WatchedFileSystem: FileSystem {
  private struct State {
    var directories: [String] = []
    var files = 0
    var onSync: @Sendable () -> Void = {}
  }

  let base = MemoryFileSystem()
  private let state = Mutex(State())

  var syncedDirectories: [String] { state.withLock { $0.directories } }
  var fileSyncs: Int { state.withLock { $0.files } }

  func forget() {
    state.withLock {
      $0.directories = []
      $0.files = 0
    }
  }

  /// Has a closure called in each sync of a file.
  func onSync(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onSync = body }
  }

  fileprivate func fileIsSynced() {
    let body = state.withLock { state in
      state.files += 1
      return state.onSync
    }
    body()
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    WatchedFile(try base.open(path, mode), self)
  }
  func makeDirectory(_ path: String) throws(FileError) { try base.makeDirectory(path) }
  func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
  func type(of path: String) throws(FileError) -> FileType { try base.type(of: path) }
  func rename(_ path: String, to target: String) throws(FileError) {
    try base.rename(path, to: target)
  }
  func unlink(_ path: String) throws(FileError) { try base.unlink(path) }
  func syncDirectory(_ path: String) throws(FileError) {
    state.withLock { $0.directories.append(path) }
  }
}

private final class WatchedFile: OpenFile {
  let base: any OpenFile
  let disk: WatchedFileSystem

  init(_ base: any OpenFile, _ disk: WatchedFileSystem) {
    self.base = base
    self.disk = disk
  }

  var path: String { base.path }
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    try base.read(into: buffer, at: offset)
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    try base.write(bytes, at: offset)
  }
  func allocate(_ size: Int) throws(FileError) { try base.allocate(size) }
  func map(_ size: Int) throws(FileError) -> any MappedMemory { try base.map(size) }
  func sync() throws(FileError) {
    disk.fileIsSynced()
    try base.sync()
  }
  func size() throws(FileError) -> UInt64 { try base.size() }
  func lock() throws(FileError) -> Bool { try base.lock() }
  func isLocked() -> Bool? { base.isLocked() }
  func close() { base.close() }
}
