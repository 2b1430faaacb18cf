internal import ActionLog
internal import Synchronization

/// A file's content in memory, and what of it a loss of power would leave.
///
/// The memory is lent to those who map the file: what they write is the file's content at once,
/// without a call that could be seen.
package final class MemoryNode: @unchecked Sendable {
  package static let pageSize = 4096

  // Mapped memory is written without any lock; sizes, the disk's image and the holder of the
  // lock are guarded.
  private let state = Mutex<State>(State())
  private(set) var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 4096)
  private var retired: [UnsafeMutableRawBufferPointer] = []
  /// Whether the disk's image is kept, which costs a copy at each sync.
  private let losesPower: Bool

  private struct State {
    var size = 0
    var holder: ObjectIdentifier?
    /// What stands on the disk itself.
    var disk: [UInt8] = []
  }

  package init(losesPower: Bool) {
    self.losesPower = losesPower
  }

  deinit {
    memory.deallocate()
    for buffer in retired { buffer.deallocate() }
  }

  package var size: Int { state.withLock { $0.size } }

  package var contents: [UInt8] { state.withLock { contents($0.size) } }

  private func contents(_ size: Int) -> [UInt8] {
    [UInt8](UnsafeRawBufferPointer(rebasing: memory[..<size]))
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

  package func truncate(_ size: Int) {
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

  // MARK: The disk

  /// Brings everything to the disk.
  func sync() {
    if !losesPower { return }
    state.withLock { $0.disk = contents($0.size) }
  }

  /// Brings some pages to the disk, as a system does whenever it likes.
  func writeBack(_ generator: inout SeededGenerator) {
    state.withLock { state in
      let pages = (state.size + Self.pageSize - 1) / Self.pageSize
      if pages == 0 { return }
      let page = generator.below(pages)
      let start = page * Self.pageSize
      let end = min(start + Self.pageSize, state.size)
      if state.disk.count < end {
        state.disk.append(contentsOf: repeatElement(0, count: end - state.disk.count))
      }
      state.disk.withUnsafeMutableBytes { disk in
        UnsafeMutableRawBufferPointer(rebasing: disk[start..<end])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
      }
    }
  }

  /// What the disk has, and what it would have if everything were brought to it.
  var image: (disk: [UInt8], current: [UInt8]) {
    state.withLock { ($0.disk, contents($0.size)) }
  }
}

/// An open file of a `MemoryFileSystem`.
final class MemoryFile: OpenFile {
  let path: String
  private let node: MemoryNode
  private let fileSystem: MemoryFileSystem

  init(path: String, node: MemoryNode, fileSystem: MemoryFileSystem) {
    self.path = path
    self.node = node
    self.fileSystem = fileSystem
  }

  deinit {
    node.unlock(ObjectIdentifier(self))
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    node.read(buffer, Int(offset))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    fileSystem.change { _ in node.write(bytes, Int(offset)) }
  }

  func allocate(_ size: Int) throws(FileError) {
    fileSystem.change { _ in node.allocate(size) }
  }

  func map(_ size: Int) throws(FileError) -> any MappedMemory {
    MemoryMapping(node: node, size: size)
  }

  func sync() throws(FileError) {
    fileSystem.change { _ in node.sync() }
  }

  func size() throws(FileError) -> UInt64 { UInt64(node.size) }

  func lock() throws(FileError) -> Bool { node.lock(ObjectIdentifier(self)) }

  func isLocked() -> Bool? { node.isLocked }

  func close() { node.unlock(ObjectIdentifier(self)) }
}

private final class MemoryMapping: MappedMemory, @unchecked Sendable {
  /// Holds the memory.
  private let node: MemoryNode
  let bytes: UnsafeMutableRawBufferPointer

  init(node: MemoryNode, size: Int) {
    self.node = node
    bytes = UnsafeMutableRawBufferPointer(rebasing: node.memory[..<size])
  }
}
