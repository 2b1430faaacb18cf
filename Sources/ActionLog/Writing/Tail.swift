internal import CActionLog

/// A tail in use or in reserve: a mapped file, and the copy of it that is synced.
final class Tail: @unchecked Sendable {
  let ordinal: UInt32
  let capacity: Int
  let path: String
  let copyPath: String
  private let file: any OpenFile
  let memory: any MappedMemory

  // Set once, when the tail is entered; read by the sealing thread afterwards.
  private(set) var firstSequence: UInt64 = 0
  private(set) var baseTime: UInt64 = 0
  private(set) var seed: UInt32 = 0

  // The sealing thread's own.
  var sealedOffset = Format.tailStart
  var sealedSequence: UInt64 = 0
  var copiedOffset = 0
  var copiedSequence: UInt64 = 0
  var copy: (any OpenFile)?

  /// The fewest bytes of a tail.
  static let leastCapacity = 4096

  private init(
    ordinal: UInt32, capacity: Int, path: String, copyPath: String, file: any OpenFile,
    memory: any MappedMemory
  ) {
    self.ordinal = ordinal
    self.capacity = capacity
    self.path = path
    self.copyPath = copyPath
    self.file = file
    self.memory = memory
  }

  var first: UnsafeMutablePointer<UInt8> {
    // The memory is never empty: `make` asks for at least a page.
    memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + Format.tailStart
  }

  var limit: UnsafeMutablePointer<UInt8> {
    first + (capacity - Format.tailStart)
  }

  /// Makes a new tail, its space reserved and every byte zero.
  static func make(
    in directory: String, ordinal: UInt32, capacity: Int, fileSystem: any FileSystem
  ) throws(FileError) -> Tail {
    let path = join(directory, FileName.tail(ordinal))
    let file = try fileSystem.open(path, .create)
    do {
      try file.allocate(capacity)
      let memory = try file.map(capacity)
      return Tail(
        ordinal: ordinal, capacity: capacity, path: path,
        copyPath: join(directory, FileName.copy(ordinal)), file: file, memory: memory)
    } catch {
      file.close()
      try? fileSystem.unlink(path)
      throw error
    }
  }

  /// Makes a new tail of `capacity` bytes or, where the disk has no room for that, of fewer, down
  /// to `least`.
  static func make(
    in directory: String, ordinal: UInt32, capacity: Int, orAtLeast least: Int,
    fileSystem: any FileSystem
  ) throws(FileError) -> Tail {
    var size = capacity
    while true {
      do throws(FileError) {
        return try make(
          in: directory, ordinal: ordinal, capacity: size, fileSystem: fileSystem)
      } catch {
        guard error.isDiskFull, size > least else { throw error }
        size = max(least, size / 2 & ~4095)
      }
    }
  }

  /// The same file as a new tail under another name, every byte zero again.
  ///
  /// Its pages stay in memory, which is what makes it cheaper than a new one.
  func recycled(
    in directory: String, ordinal: UInt32, fileSystem: any FileSystem
  ) throws(FileError) -> Tail {
    memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
    let next = Tail(
      ordinal: ordinal, capacity: capacity, path: join(directory, FileName.tail(ordinal)),
      copyPath: join(directory, FileName.copy(ordinal)), file: file, memory: memory)
    try fileSystem.rename(path, to: next.path)
    if let copy {
      try fileSystem.rename(copyPath, to: next.copyPath)
      next.copy = copy
    }
    return next
  }

  /// Touches every page, so that the appender does not wait for them.
  func prefault() {
    var at = 0
    while at < capacity {
      memory.bytes.storeBytes(of: 0, toByteOffset: at, as: UInt8.self)
      at += 4096
    }
  }

  /// Writes the header: from here on the file is a tail.
  func enter(firstSequence: UInt64, baseTime: UInt64, run: UInt32, salt: UInt64) {
    self.firstSequence = firstSequence
    self.baseTime = baseTime
    seed = ActionLog.seed(of: salt)
    sealedSequence = firstSequence - 1
    copiedSequence = firstSequence - 1
    let header = TailHeader(
      salt: salt, firstSequence: firstSequence, baseTime: baseTime, run: run, ordinal: ordinal)
    memory.bytes.copyBytes(from: header.encoded())
  }

  /// The published frame at `offset`, or nil when there is none yet.
  ///
  /// Nil with `isBroken` set when the memory holds what the appender never writes there.
  func frame(at offset: Int, isBroken: inout Bool) -> TailFrame? {
    guard offset + Format.frameHeaderSize <= capacity else { return nil }
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    guard let base = bytes.baseAddress else { return nil }
    let length = Int(al_load32(base + offset))
    if length == 0 { return nil }
    guard length >= Format.frameHeaderSize, length <= capacity - offset else {
      isBroken = true
      return nil
    }
    let meta = bytes.number(UInt64.self, at: offset + 8)
    return TailFrame(
      offset: offset, kind: UInt8(truncatingIfNeeded: meta),
      stream: UInt16(truncatingIfNeeded: meta >> 8), time: baseTime &+ meta >> 24,
      body: bytes.part(offset + Format.frameHeaderSize, length - Format.frameHeaderSize))
  }

  /// Writes what was appended since the last time to the copy, and syncs it.
  ///
  /// `end` and `sequence` say how far: a frame's end, and the number of the last record before it.
  func synchronize(
    to end: Int, sequence: UInt64, directory: String, fileSystem: any FileSystem
  ) throws(FileError) {
    guard end > copiedOffset else { return }
    let file: any OpenFile
    var isNew = false
    if let copy {
      file = copy
    } else {
      file = try fileSystem.open(copyPath, .create)
      copy = file
      isNew = true
      do throws(FileError) {
        try file.allocate(capacity)
      } catch {
        // What is to be written now may fit all the same.
        if !error.isDiskFull { throw error }
      }
    }
    do throws(FileError) {
      try file.writeFully(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.bytes)[copiedOffset..<end]),
        at: UInt64(copiedOffset))
    } catch {
      // Half a copy keeps nothing safe, and its space is needed.
      if copiedOffset == 0, error.isDiskFull {
        try fileSystem.unlink(copyPath)
        file.close()
        copy = nil
      }
      throw error
    }
    try file.sync()
    if isNew { try fileSystem.syncDirectory(directory) }
    copiedOffset = end
    copiedSequence = sequence
  }

  /// Removes both files; the memory goes with the last reference.
  func remove(fileSystem: any FileSystem) throws(FileError) {
    try fileSystem.unlink(path)
    file.close()
    if let copy {
      try fileSystem.unlink(copyPath)
      copy.close()
    }
    copy = nil
  }
}
