package import ActionLog
internal import Glibc
internal import Synchronization

/// A disk in memory, which lends the very bytes that the log writes into.
///
/// One that `losesPower` knows at any moment what of its content, mapped memory and names
/// included, has been made safe; `powerCut` says what may be left.
package final class MemoryFileSystem: FileSystem {
  /// A call that changes something, for those who want to look at the disk before or after it.
  package typealias Observer = @Sendable (MemoryFileSystem) -> Void

  package let losesPower: Bool
  /// Whether tails may be mapped; otherwise they are written by calls.
  private let mayMap: Bool
  private let gate = Mutex<MemoryTree>(MemoryTree())
  private let observer = Mutex<Observer?>(nil)

  package init(losesPower: Bool = false, isMappingSafe: Bool = true) {
    self.losesPower = losesPower
    mayMap = isMappingSafe
  }

  /// Has `observer` called before each change, while nothing else can change but mapped memory.
  package func observe(_ observer: Observer?) {
    self.observer.withLock { $0 = observer }
  }

  /// Changes something; one change at a time, so that an observer sees a single moment.
  func change<R>(_ body: (inout MemoryTree) -> R) -> R {
    gate.withLock { tree in
      if losesPower, let observer = observer.withLock({ $0 }) {
        watched.withLock { $0 = tree }
        observer(self)
        watched.withLock { $0 = nil }
      }
      return body(&tree)
    }
  }

  /// The names while an observer looks.
  private let watched = Mutex<MemoryTree?>(nil)

  /// The names now; also for an observer, which must not wait for the change that it precedes.
  var tree: MemoryTree {
    watched.withLock { $0 } ?? gate.withLock { $0 }
  }

  // MARK: For tests

  package var paths: [String] { tree.current.files.keys.sorted() }

  package func contents(_ path: String) -> [UInt8]? { tree.current.files[path]?.contents }

  /// Puts a file there, safe on the disk.
  package func put(_ path: String, _ bytes: [UInt8]) {
    let node = MemoryNode(losesPower: losesPower)
    _ = bytes.withUnsafeBytes { node.write($0, 0) }
    node.sync()
    gate.withLock { tree in
      tree.current.files[path] = node
      tree.disk.files[path] = node
    }
  }

  /// Makes a directory that is there for good.
  package func put(directory path: String) {
    gate.withLock { tree in
      tree.current.directories.insert(path)
      tree.disk.directories.insert(path)
    }
  }

  package func remove(_ path: String) {
    gate.withLock { tree in
      tree.current.files[path] = nil
      tree.disk.files[path] = nil
    }
  }

  package func isLocked(_ path: String) -> Bool {
    tree.current.files[path]?.isLocked ?? false
  }

  /// What a kill leaves: all bytes as they are, and no locks.
  package func copyAfterKill() -> MemoryFileSystem {
    let copy = MemoryFileSystem(losesPower: losesPower, isMappingSafe: mayMap)
    let names = tree.current
    for directory in names.directories { copy.put(directory: directory) }
    // In this order tails come before segments: what the log's thread writes meanwhile is in
    // both, as it would be at one moment.
    for (path, node) in names.files.sorted(by: { $0.key < $1.key }) {
      copy.put(path, node.contents)
    }
    return copy
  }

  /// Brings some pages of some files to the disk, as a system does whenever it likes.
  package func writeBack(_ generator: inout SeededGenerator) {
    let nodes = tree.current.files.sorted { $0.key < $1.key }.map(\.value)
    if nodes.isEmpty { return }
    for _ in 0..<1 + generator.below(4) {
      nodes[generator.below(nodes.count)].writeBack(&generator)
    }
  }

  // MARK: FileSystem

  package func isMappingSafe(in path: String) -> Bool { mayMap }

  package func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    let result: Result<MemoryNode, FileError>
    if let node = tree.current.files[path], mode != .create {
      result = .success(node)
    } else {
      result = change { tree in
        if tree.current.directories.contains(path) {
          return .failure(FileError("open", path, EISDIR))
        }
        guard tree.current.directories.contains(MemoryTree.parent(path)) else {
          return .failure(FileError("open", path, ENOENT))
        }
        if let node = tree.current.files[path] {
          return mode == .create ? .failure(FileError("open", path, EEXIST)) : .success(node)
        }
        guard mode == .create || mode == .openOrCreate else {
          return .failure(FileError("open", path, ENOENT))
        }
        let node = MemoryNode(losesPower: losesPower)
        tree.apply(.link(path, node), losesPower: losesPower)
        return .success(node)
      }
    }
    return MemoryFile(path: path, node: try result.get(), fileSystem: self)
  }

  package func makeDirectory(_ path: String) throws(FileError) {
    let number: Int32 = change { tree in
      let isTaken = tree.current.directories.contains(path) || tree.current.files[path] != nil
      if isTaken { return EEXIST }
      guard tree.current.directories.contains(MemoryTree.parent(path)) else { return ENOENT }
      tree.apply(.directory(path), losesPower: losesPower)
      return 0
    }
    if number != 0 { throw FileError("create", path, number) }
  }

  package func list(_ path: String) throws(FileError) -> [String] {
    let names = tree.current
    guard names.directories.contains(path) else { throw FileError("list", path, ENOENT) }
    let all = Array(names.files.keys) + Array(names.directories)
    return all.filter { $0 != path && MemoryTree.parent($0) == path }.map(MemoryTree.name)
  }

  package func type(of path: String) throws(FileError) -> FileType {
    let names = tree.current
    if names.directories.contains(path) { return .directory }
    guard names.files[path] != nil else { throw FileError("look at", path, ENOENT) }
    return .file
  }

  package func rename(_ path: String, to target: String) throws(FileError) {
    let isDone = change { tree in
      guard let node = tree.current.files[path] else { return false }
      let isMove = MemoryTree.parent(path) != MemoryTree.parent(target)
      tree.apply(
        isMove ? .move(path, target, node) : .rename(path, target, node), losesPower: losesPower)
      return true
    }
    if !isDone { throw FileError("rename", path, ENOENT) }
  }

  package func unlink(_ path: String) throws(FileError) {
    let isDone = change { tree in
      guard let node = tree.current.files[path] else { return false }
      tree.apply(.unlink(path, node), losesPower: losesPower)
      return true
    }
    if !isDone { throw FileError("remove", path, ENOENT) }
  }

  package func syncDirectory(_ path: String) throws(FileError) {
    change { $0.sync(path) }
  }
}
