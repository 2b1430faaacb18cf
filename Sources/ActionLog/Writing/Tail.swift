internal import CActionLog

/// A tail in use or in reserve: a file whose memory records are encoded into, and the copy of it
/// that is synced.
final class Tail: @unchecked Sendable {
  let ordinal: UInt32
  let capacity: Int
  let path: String
  let copyPath: String
  private let file: any OpenFile
  let memory: any MappedMemory
  /// Whether the memory is the file's own; else it is written to the file after each record.
  let isMapped: Bool

  // Set once, when the tail is entered; read by the sealing thread afterwards.
  private(set) var firstSequence: UInt64 = 0
  private(set) var baseTime: UInt64 = 0
  private(set) var seed: UInt32 = 0
  /// Where its last record ends; set before the next tail is made known.
  var end = 0

  // The sealing thread's own, which touches them for each record, and never while they change.
  @exclusivity(unchecked) var sealedOffset = Format.tailStart
  @exclusivity(unchecked) var sealedSequence: UInt64 = 0

  // Guarded by the lock on copies.
  var copiedOffset = 0
  var copiedSequence: UInt64 = 0
  var copy: (any OpenFile)?

  /// Whether every page was touched, so that nobody waits for one. Set by who makes the tail, later
  /// by the sealing thread.
  private(set) var isPresent = false

  /// Guarded by the lock on tails that are not mapped: how much of the memory is in the file.
  private var persistedOffset = 0

  /// The fewest bytes of a tail.
  static let leastCapacity = 4096

  private init(
    ordinal: UInt32, capacity: Int, path: String, copyPath: String, file: any OpenFile,
    memory: any MappedMemory, isMapped: Bool
  ) {
    self.ordinal = ordinal
    self.capacity = capacity
    self.path = path
    self.copyPath = copyPath
    self.file = file
    self.memory = memory
    self.isMapped = isMapped
  }

  var first: UnsafeMutablePointer<UInt8> {
    // The memory is never empty: `make` asks for at least a page.
    memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + Format.tailStart
  }

  var limit: UnsafeMutablePointer<UInt8> {
    first + (capacity - Format.tailStart)
  }

  /// How far into the tail `position` is; nil when it is in another.
  func offset(of position: UnsafePointer<UInt8>) -> Int? {
    position >= UnsafePointer(first) && position <= UnsafePointer(limit)
      ? position - UnsafePointer(first) + Format.tailStart : nil
  }

  // MARK: Making

  /// Makes a new tail, its space reserved and every byte zero.
  static func make(
    in directory: String, ordinal: UInt32, capacity: Int, isMapped: Bool,
    fileSystem: any FileSystem
  ) throws(FileError) -> Tail {
    let path = join(directory, FileName.tail(ordinal))
    let file = try fileSystem.open(path, .create)
    do {
      try file.allocate(capacity)
      let memory: any MappedMemory = isMapped ? try file.map(capacity) : HeapMemory(capacity)
      return Tail(
        ordinal: ordinal, capacity: capacity, path: path,
        copyPath: join(directory, FileName.copy(ordinal)), file: file, memory: memory,
        isMapped: isMapped)
    } catch {
      file.close()
      try? fileSystem.unlink(path)
      throw error
    }
  }

  /// Makes a new tail of `capacity` bytes or, where the disk has no room for that, of fewer, down
  /// to `least`.
  static func make(
    in directory: String, ordinal: UInt32, capacity: Int, orAtLeast least: Int, isMapped: Bool,
    fileSystem: any FileSystem
  ) throws(FileError) -> Tail {
    var size = capacity
    while true {
      do throws(FileError) {
        return try make(
          in: directory, ordinal: ordinal, capacity: size, isMapped: isMapped,
          fileSystem: fileSystem)
      } catch {
        guard error.isDiskFull, size > least else { throw error }
        size = max(least, size / 2 & ~4095)
      }
    }
  }

  // MARK: Using again

  /// The same file as a new tail under another name, every byte behind its header zero again.
  ///
  /// Its pages stay in memory, which is what makes it cheaper than a new one. Only for one that is
  /// mapped.
  func recycled(
    in directory: String, ordinal: UInt32, fileSystem: any FileSystem
  ) throws(FileError) -> Tail {
    let next = cleared(
      path: join(directory, FileName.tail(ordinal)),
      copyPath: join(directory, FileName.copy(ordinal)), ordinal: ordinal)
    try fileSystem.rename(path, to: next.path)
    if let copy {
      try fileSystem.rename(copyPath, to: next.copyPath)
      next.copy = copy
    }
    return next
  }

  /// The same files as a new tail under the same name: for a disk that takes nothing new.
  ///
  /// What the tail held is lost, unless it is elsewhere. Only for one that is mapped.
  func reused() -> Tail {
    let next = cleared(path: path, copyPath: copyPath, ordinal: ordinal)
    next.copy = copy
    return next
  }

  private func cleared(path: String, copyPath: String, ordinal: UInt32) -> Tail {
    // A kill in the middle of this leaves a tail that says so.
    memory.bytes.copyBytes(from: TailHeader.letGo)
    let records = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Format.tailStart...])
    records.initializeMemory(as: UInt8.self, repeating: 0)
    let tail = Tail(
      ordinal: ordinal, capacity: capacity, path: path, copyPath: copyPath, file: file,
      memory: memory, isMapped: isMapped)
    tail.isPresent = true
    return tail
  }

  /// Touches every page, so that the appender does not wait for them; for a tail of nobody yet.
  func prefault() {
    if makePresent(from: 0) { return }
    var at = 0
    while at < capacity {
      memory.bytes.storeBytes(of: 0, toByteOffset: at, as: UInt8.self)
      at += 4096
    }
  }

  /// Has the system make the pages from `offset` on present, also while records are put into them;
  /// false where it can't.
  @discardableResult
  func makePresent(from offset: Int) -> Bool {
    isPresent = true
    guard isMapped, let base = memory.bytes.baseAddress else { return false }
    let page = offset & ~4095
    return al_make_present(base + page, capacity - page)
  }

  /// Writes the header: from here on the file is a tail.
  func enter(
    firstSequence: UInt64, baseTime: UInt64, run: UInt32, salt: UInt64, durable: UInt64
  ) {
    self.firstSequence = firstSequence
    self.baseTime = baseTime
    seed = ActionLog.seed(of: salt)
    sealedSequence = firstSequence - 1
    copiedSequence = firstSequence - 1
    let header = TailHeader(
      salt: salt, firstSequence: firstSequence, baseTime: baseTime, run: run, ordinal: ordinal,
      durable: min(durable, firstSequence - 1))
    memory.bytes.copyBytes(from: header.encoded())
  }

  // MARK: Reading

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

  /// Goes back, so that record `next` is the next one to be sealed.
  func rewind(to next: UInt64) {
    sealedOffset = Format.tailStart
    sealedSequence = firstSequence - 1
    var isBroken = false
    while sealedSequence + 1 < next, let frame = frame(at: sealedOffset, isBroken: &isBroken) {
      if frame.kind != 0 { sealedSequence += 1 }
      sealedOffset += TailFrame.size(frame.body.count)
    }
  }

  // MARK: Writing

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
      if copiedOffset == 0 {
        try fileSystem.unlink(copyPath)
        file.close()
        copy = nil
      }
      throw error
    }
    try file.sync()
    if isNew { try fileSystem.syncDirectory(directory) }
    copiedOffset = end
    copiedSequence = max(copiedSequence, sequence)
  }

  /// Writes what was appended since the last time to the file, where it is not mapped.
  ///
  /// `end` is a frame's end. A frame goes in at once where it lies in one page, which a kill cannot
  /// tear; else its length goes in last.
  func persist(to end: Int) throws(FileError) {
    if persistedOffset == 0 {
      try write(0..<Format.tailStart)
      persistedOffset = Format.tailStart
    }
    var isBroken = false
    while persistedOffset < end,
      let frame = frame(at: persistedOffset, isBroken: &isBroken)
    {
      let start = persistedOffset
      let next = start + TailFrame.size(frame.body.count)
      if start / 4096 == (next - 1) / 4096 {
        try write(start..<next)
      } else {
        try write(start + 4..<next)
        try write(start..<start + 4)
      }
      persistedOffset = next
    }
  }

  private func write(_ range: Range<Int>) throws(FileError) {
    try file.writeFully(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.bytes)[range]),
      at: UInt64(range.lowerBound))
  }

  /// Removes both files; the memory goes with the last reference.
  func remove(fileSystem: any FileSystem) throws(FileError) {
    try Self.unlink(path, fileSystem)
    file.close()
    if let copy {
      try Self.unlink(copyPath, fileSystem)
      copy.close()
    }
    copy = nil
  }

  /// Removes a file that may be gone already, when removing it is tried again.
  private static func unlink(_ path: String, _ fileSystem: any FileSystem) throws(FileError) {
    do throws(FileError) {
      try fileSystem.unlink(path)
    } catch {
      if error.number != 2 { throw error }
    }
  }
}

/// Memory of the process, for file systems whose mapped files can't always be written.
final class HeapMemory: MappedMemory, @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ count: Int) {
    bytes = .allocate(byteCount: count, alignment: 4096)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    bytes.deallocate()
  }
}
