internal import CActionLog
internal import Glibc

/// Turns records, handed over in order, into blocks and segments.
///
/// It knows no thread and no tail: the writer's thread feeds it, and so does recovery.
struct Sealer {
  let directory: String
  let fileSystem: any FileSystem
  let run: UInt32
  let blockSize: Int
  /// The flags of the next segment.
  var flags: SegmentHeader.Flags

  private var builder = BlockBuilder()
  private(set) var segment: SegmentWriter?
  /// What stands before the records of the next segment; kept until the first of them is written.
  private var cut: SegmentCut?
  private var gap: SegmentHeader.Gap?
  /// A file that could not be taken away when its segment was given up.
  private var stale: String?
  /// The number of the next record to be handed over.
  private(set) var nextSequence: UInt64
  /// The last record that is in a block.
  private(set) var writtenSequence: UInt64
  /// The last record in a block that is safe against a loss of power.
  private(set) var syncedSequence: UInt64
  /// The last record that is known to be safe in any form; goes into the headers that follow.
  var durableSequence: UInt64
  private(set) var storedBytes: UInt64 = 0
  private(set) var storedStateBytes: UInt64 = 0
  /// Segments that were finished so far.
  private(set) var finishedSegments = 0

  init(
    directory: String, fileSystem: any FileSystem, run: UInt32, blockSize: Int,
    nextSequence: UInt64, flags: SegmentHeader.Flags, cut: SegmentCut? = nil,
    gap: SegmentHeader.Gap? = nil
  ) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.run = run
    self.blockSize = blockSize
    self.flags = flags
    self.cut = cut
    self.gap = gap
    self.nextSequence = nextSequence
    writtenSequence = nextSequence - 1
    syncedSequence = nextSequence - 1
    durableSequence = nextSequence - 1
  }

  var segmentSize: UInt64 { segment?.size ?? 0 }
  var segmentName: String? { segment.map { FileName.segment($0.header.firstSequence) } }
  /// Bytes that the current segment takes for what it restates, when that is all; else 0.
  private(set) var restatedSize: UInt64 = 0
  /// Whether a segment is still to begin that can be replayed without those before it.
  var isToStandAlone: Bool {
    segment == nil && (flags.contains(.startsRun) || cut?.isComplete == true)
  }

  /// Takes the next record.
  ///
  /// `plain` says that there is no time to pack.
  mutating func add(
    kind: RecordKind, stream: UInt16, time: UInt64, body: UnsafeRawBufferPointer,
    plain: Bool = false
  ) throws(FileError) {
    if !builder.isEmpty {
      let isFull = builder.rawSize + body.count > blockSize
      if isFull || builder.hasManyStreams { try seal(plain: plain) }
    }
    if builder.isEmpty { builder.firstSequence = nextSequence }
    builder.add(kind: kind, stream: stream, time: time, body: body)
    nextSequence += 1
    if builder.rawSize >= blockSize { try seal(plain: plain) }
  }

  /// Writes what was gathered, as a block that may be a small one.
  mutating func seal(plain: Bool = false) throws(FileError) {
    if builder.isEmpty { return }
    if segment == nil { try begin(at: builder.firstSequence) }
    let end = builder.firstSequence + UInt64(builder.count)
    builder.durable = mark(before: builder.firstSequence)
    guard let sizes = try segment?.write(&builder, packing: plain ? .none : .fast) else { return }
    count(sizes)
    writtenSequence = end - 1
    flags.remove(.startsRun)
    cut = nil
    gap = nil
  }

  /// What a header that stands before a record says of durability: nothing of what comes after it,
  /// which may be durable in a tail's copy only.
  private func mark(before sequence: UInt64) -> UInt64 {
    min(durableSequence, max(sequence, 1) - 1)
  }

  private mutating func count(_ sizes: BlockBuilder.Sizes) {
    storedBytes += UInt64(sizes.stored)
    storedStateBytes += UInt64(sizes.states)
  }

  private mutating func begin(at sequence: UInt64) throws(FileError) {
    var flags = flags
    if let cut, !cut.records.isEmpty {
      flags.insert(.preamble)
      if cut.isComplete { flags.insert(.complete) }
    }
    if let stale {
      do throws(FileError) {
        try fileSystem.unlink(stale)
      } catch {
        if error.number != ENOENT { throw error }
      }
      self.stale = nil
    }
    let header = SegmentHeader(
      salt: UInt64.random(in: 1...UInt64.max), firstSequence: sequence, run: run, flags: flags,
      created: al_system_microseconds(), durable: mark(before: sequence), gap: gap)
    segment = try SegmentWriter(directory: directory, header: header, fileSystem: fileSystem)
    try writePreamble(cut?.records ?? [], of: header)
    restatedSize = flags.contains(.complete) ? segmentSize : 0
  }

  private mutating func writePreamble(
    _ records: [PreambleRecord], of header: SegmentHeader
  ) throws(FileError) {
    var builder = BlockBuilder()
    builder.isPreamble = true
    builder.firstSequence = header.firstSequence
    builder.durable = mark(before: header.firstSequence)
    for (index, record) in records.enumerated() {
      record.payload.withUnsafeBytes { body in
        builder.add(kind: record.kind, stream: record.stream, time: header.created, body: body)
      }
      let isLast = index == records.count - 1
      let next = isLast ? 0 : records[index + 1].payload.count
      if isLast || builder.rawSize + next > blockSize || builder.hasManyStreams {
        if let sizes = try segment?.write(&builder, packing: .fast) { count(sizes) }
      }
    }
  }

  /// Makes all blocks so far safe against a loss of power.
  mutating func sync() throws(FileError) {
    try segment?.sync()
    noteSynced()
  }

  private mutating func noteSynced() {
    syncedSequence = writtenSequence
    durableSequence = max(durableSequence, syncedSequence)
  }

  /// Ends the segment; the next record begins another, behind a preamble.
  mutating func cut(_ next: SegmentCut) throws(FileError) {
    try finish(isClean: false)
    cut = next
  }

  /// Ends the last segment.
  mutating func finish(isClean: Bool) throws(FileError) {
    try seal()
    if segment != nil {
      try segment?.finish(isClean: isClean)
      finishedSegments += 1
    }
    segment = nil
    noteSynced()
  }

  /// Passes over numbers whose records are lost: the next segment says so.
  mutating func skip(to sequence: UInt64, cause: Int32) throws(FileError) {
    try finish(isClean: false)
    gap = SegmentHeader.Gap(first: gap?.first ?? nextSequence, cause: cause)
    nextSequence = sequence
    writtenSequence = sequence - 1
    syncedSequence = sequence - 1
  }

  /// Begins again behind the last record that was written whole, in a new segment.
  mutating func restart() throws(FileError) {
    builder.clear()
    nextSequence = writtenSequence + 1
    guard var segment else { return }
    self.segment = nil
    if segment.hasRecords {
      try segment.abandon()
      noteSynced()
    } else {
      try discard(segment)
    }
  }

  private mutating func discard(_ segment: SegmentWriter) throws(FileError) {
    do throws(FileError) {
      try segment.discard()
    } catch {
      if error.number != ENOENT { stale = segment.path }
    }
  }
}
