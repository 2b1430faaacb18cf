import ActionLog
import Foundation
import Synchronization

/// A disk in memory, which lends the very bytes that the log writes into.
final class MemoryFileSystem: FileSystem {
  final class Node: @unchecked Sendable {
    // Each node is guarded by its own lock, since mapped memory is written without any.
    private let state = Mutex<(size: Int, holder: ObjectIdentifier?)>((0, nil))
    private(set) var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 4096)
    private var retired: [UnsafeMutableRawBufferPointer] = []

    deinit {
      memory.deallocate()
      for buffer in retired { buffer.deallocate() }
    }

    var size: Int { state.withLock { $0.size } }

    var contents: [UInt8] {
      var bytes = [UInt8](repeating: 0, count: size)
      _ = bytes.withUnsafeMutableBytes { read($0, 0) }
      return bytes
    }

    /// Makes room; memory that was lent stays valid, and so files that are mapped do not grow.
    private func reserve(_ count: Int) {
      if count <= memory.count { return }
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(count, memory.count * 2), alignment: 4096)
      larger.initializeMemory(as: UInt8.self, repeating: 0)
      larger.copyMemory(from: UnsafeRawBufferPointer(memory))
      retired.append(memory)
      memory = larger
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int {
      state.withLock { state in
        guard offset < state.size else { return 0 }
        let count = min(buffer.count, state.size - offset)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[offset..<offset + count]))
        return count
      }
    }

    func write(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
      state.withLock { state in
        reserve(offset + bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + bytes.count])
          .copyMemory(from: bytes)
        state.size = max(state.size, offset + bytes.count)
        return bytes.count
      }
    }

    func allocate(_ size: Int) {
      state.withLock { state in
        reserve(size)
        state.size = max(state.size, size)
      }
    }

    func truncate(_ size: Int) {
      state.withLock { $0.size = size }
    }

    func lock(_ holder: ObjectIdentifier) -> Bool {
      state.withLock { state in
        guard state.holder == nil || state.holder == holder else { return false }
        state.holder = holder
        return true
      }
    }

    func unlock(_ holder: ObjectIdentifier) {
      state.withLock { state in
        if state.holder == holder { state.holder = nil }
      }
    }

    var isLocked: Bool { state.withLock { $0.holder != nil } }
  }

  private struct Tree {
    var files: [String: Node] = [:]
    var directories: Set<String> = ["/"]
  }

  private let tree = Mutex(Tree())

  // MARK: For tests

  var paths: [String] { tree.withLock { $0.files.keys.sorted() } }

  func contents(_ path: String) -> [UInt8]? {
    tree.withLock { $0.files[path] }?.contents
  }

  func put(_ path: String, _ bytes: [UInt8]) {
    let node = Node()
    _ = bytes.withUnsafeBytes { node.write($0, 0) }
    tree.withLock { $0.files[path] = node }
  }

  func remove(_ path: String) {
    tree.withLock { $0.files[path] = nil }
  }

  func isLocked(_ path: String) -> Bool {
    tree.withLock { $0.files[path] }?.isLocked ?? false
  }

  /// What a kill leaves: all bytes as they are, and no locks.
  func copyAfterKill() -> MemoryFileSystem {
    let copy = MemoryFileSystem()
    tree.withLock { tree in
      // In this order tails come before segments: what the log's thread writes meanwhile is in
      // both, as it would be at one moment.
      for (path, node) in tree.files.sorted(by: { $0.key < $1.key }) {
        copy.put(path, node.contents)
      }
      copy.tree.withLock { $0.directories = tree.directories }
    }
    return copy
  }

  // MARK: FileSystem

  func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    let result: Result<Node, FileError> = tree.withLock { tree in
      if tree.directories.contains(path) { return .failure(FileError("open", path, EISDIR)) }
      let parent = (path as NSString).deletingLastPathComponent
      guard tree.directories.contains(parent) else {
        return .failure(FileError("open", path, ENOENT))
      }
      if let node = tree.files[path] {
        return mode == .create ? .failure(FileError("open", path, EEXIST)) : .success(node)
      }
      guard mode == .create || mode == .openOrCreate else {
        return .failure(FileError("open", path, ENOENT))
      }
      let node = Node()
      tree.files[path] = node
      return .success(node)
    }
    return MemoryFile(path: path, node: try result.get())
  }

  func makeDirectory(_ path: String) throws(FileError) {
    let number: Int32 = tree.withLock { tree in
      if tree.directories.contains(path) || tree.files[path] != nil { return EEXIST }
      let parent = (path as NSString).deletingLastPathComponent
      guard tree.directories.contains(parent) else { return ENOENT }
      tree.directories.insert(path)
      return 0
    }
    if number != 0 { throw FileError("create", path, number) }
  }

  func list(_ path: String) throws(FileError) -> [String] {
    let names: [String]? = tree.withLock { tree in
      guard tree.directories.contains(path) else { return nil }
      let all = Array(tree.files.keys) + Array(tree.directories)
      return all.filter { ($0 as NSString).deletingLastPathComponent == path && $0 != path }
        .map { ($0 as NSString).lastPathComponent }
    }
    guard let names else { throw FileError("list", path, ENOENT) }
    return names
  }

  func type(of path: String) throws(FileError) -> FileType {
    let type: FileType? = tree.withLock { tree in
      if tree.directories.contains(path) { return .directory }
      return tree.files[path] != nil ? .file : nil
    }
    guard let type else { throw FileError("look at", path, ENOENT) }
    return type
  }

  func rename(_ path: String, to target: String) throws(FileError) {
    let isDone = tree.withLock { tree in
      guard let node = tree.files.removeValue(forKey: path) else { return false }
      tree.files[target] = node
      return true
    }
    if !isDone { throw FileError("rename", path, ENOENT) }
  }

  func unlink(_ path: String) throws(FileError) {
    let isDone = tree.withLock { $0.files.removeValue(forKey: path) != nil }
    if !isDone { throw FileError("remove", path, ENOENT) }
  }

  func syncDirectory(_ path: String) throws(FileError) {}
}

private final class MemoryFile: OpenFile {
  let path: String
  let node: MemoryFileSystem.Node

  init(path: String, node: MemoryFileSystem.Node) {
    self.path = path
    self.node = node
  }

  deinit {
    close()
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    node.read(buffer, Int(offset))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    node.write(bytes, Int(offset))
  }

  func allocate(_ size: Int) throws(FileError) {
    node.allocate(size)
  }

  func map(_ size: Int) throws(FileError) -> any MappedMemory {
    MemoryMapping(node: node, size: size)
  }

  func sync() throws(FileError) {}

  func size() throws(FileError) -> UInt64 { UInt64(node.size) }

  func lock() throws(FileError) -> Bool { node.lock(ObjectIdentifier(self)) }

  func isLocked() -> Bool? { node.isLocked }

  func close() {
    node.unlock(ObjectIdentifier(self))
  }
}

private final class MemoryMapping: MappedMemory, @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  private let node: MemoryFileSystem.Node

  init(node: MemoryFileSystem.Node, size: Int) {
    self.node = node
    bytes = UnsafeMutableRawBufferPointer(rebasing: node.memory[..<size])
  }
}
