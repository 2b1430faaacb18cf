internal import CActionLog

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
  private var preamble: [PreambleRecord] = []
  /// The number of the next record to be handed over.
  private(set) var nextSequence: UInt64
  /// The last record that is in a block.
  private(set) var writtenSequence: UInt64
  /// The last record in a block that is safe against a loss of power.
  private(set) var syncedSequence: UInt64
  /// The last record that is known to be safe in any form; goes into the next segment's header.
  var durableSequence: UInt64
  private(set) var storedBytes: UInt64 = 0
  private(set) var storedStateBytes: UInt64 = 0

  init(
    directory: String, fileSystem: any FileSystem, run: UInt32, blockSize: Int,
    nextSequence: UInt64, flags: SegmentHeader.Flags
  ) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.run = run
    self.blockSize = blockSize
    self.flags = flags
    self.nextSequence = nextSequence
    writtenSequence = nextSequence - 1
    syncedSequence = nextSequence - 1
    durableSequence = nextSequence - 1
  }

  var segmentSize: UInt64 { segment?.size ?? 0 }

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
    guard let sizes = try segment?.write(&builder, plain: plain) else { return }
    count(sizes)
    writtenSequence = end - 1
  }

  private mutating func count(_ sizes: BlockBuilder.Sizes) {
    storedBytes += UInt64(sizes.stored)
    storedStateBytes += UInt64(sizes.states)
  }

  private mutating func begin(at sequence: UInt64) throws(FileError) {
    var flags = flags
    if !preamble.isEmpty { flags.insert(.preamble) }
    let header = SegmentHeader(
      salt: UInt64.random(in: 1...UInt64.max), firstSequence: sequence, run: run, flags: flags,
      created: al_system_microseconds(), durable: durableSequence)
    var segment = try SegmentWriter(directory: directory, header: header, fileSystem: fileSystem)
    var builder = BlockBuilder()
    builder.isPreamble = true
    builder.firstSequence = sequence
    for (index, record) in preamble.enumerated() {
      record.payload.withUnsafeBytes { body in
        builder.add(kind: record.kind, stream: record.stream, time: header.created, body: body)
      }
      let isLast = index == preamble.count - 1
      let next = isLast ? 0 : preamble[index + 1].payload.count
      if isLast || builder.rawSize + next > blockSize || builder.hasManyStreams {
        count(try segment.write(&builder, plain: false))
      }
    }
    preamble = []
    self.flags.remove(.startsRun)
    self.segment = segment
  }

  /// Makes all blocks so far safe against a loss of power.
  mutating func sync() throws(FileError) {
    try segment?.sync()
    syncedSequence = writtenSequence
    durableSequence = max(durableSequence, syncedSequence)
  }

  /// Ends the segment; the next record begins another, behind `preamble`.
  mutating func cut(preamble records: [PreambleRecord]) throws(FileError) {
    try finish(isClean: false)
    preamble = records
  }

  /// Ends the last segment.
  mutating func finish(isClean: Bool) throws(FileError) {
    try seal()
    try segment?.finish(isClean: isClean)
    segment = nil
    syncedSequence = writtenSequence
    durableSequence = max(durableSequence, syncedSequence)
  }
}
