/// A record, as a cursor lends it.
public struct LogRecord {
  /// Its number in the log, counted from 1.
  public var sequence: UInt64
  public var run: UInt32
  public var stream: UInt16
  public var kind: RecordKind
  /// Microseconds since 1970.
  public var time: UInt64
  /// Valid until the next call on the cursor, and only as long as the cursor lives.
  public var payload: UnsafeRawBufferPointer

  @inlinable
  init(
    sequence: UInt64, run: UInt32, stream: UInt16, kind: RecordKind, time: UInt64,
    payload: UnsafeRawBufferPointer
  ) {
    self.sequence = sequence
    self.run = run
    self.stream = stream
    self.kind = kind
    self.time = time
    self.payload = payload
  }
}

/// A place in a log, from which its records are read in order.
///
/// A cursor holds one block in memory, whatever the size of the log.
public struct LogCursor {
  private var contents: BlockContents
  // What `contents` says, beside it: a class's properties are checked for exclusive access at
  // each use, which would cost more than all the rest of a record.
  @usableFromInline var entries: UnsafePointer<BlockContents.Entry>
  @usableFromInline var bytes: UnsafeRawPointer
  @usableFromInline var count = 0
  @usableFromInline var position = 0
  /// The number of the first record in `contents`.
  @usableFromInline var firstSequence: UInt64 = 0
  @usableFromInline var run: UInt32 = 0
  private let reader: LogReader
  private var source: BlockSource
  private var sought: UInt64

  /// In salvage mode: the records that were passed over, since they cannot be read.
  public private(set) var gaps: [ClosedRange<UInt64>] = []

  init(_ reader: LogReader, from sequence: UInt64) {
    self.reader = reader
    contents = BlockContents()
    entries = UnsafePointer(contents.entries)
    bytes = UnsafeRawPointer(contents.bytes)
    source = BlockSource(reader: reader)
    sought = sequence
  }

  /// The number of the record that `next` will look for.
  public var nextSequence: UInt64 {
    count > 0 ? firstSequence + UInt64(position) : sought
  }

  /// The next record, or nil at the end of the log; after a `refresh` there may be more.
  ///
  /// Throws when the record cannot be read, unless the log was opened in salvage mode: then the
  /// cursor passes over it and says so in `gaps`.
  @inlinable
  public mutating func next() throws(LogError) -> LogRecord? {
    if position >= count {
      guard try advance() else { return nil }
    }
    let entry = entries[position]
    let sequence = firstSequence &+ UInt64(truncatingIfNeeded: position)
    position &+= 1
    return LogRecord(
      sequence: sequence, run: run, stream: entry.stream, kind: RecordKind(rawValue: entry.kind),
      time: entry.time,
      payload: UnsafeRawBufferPointer(
        start: bytes + Int(entry.offset), count: Int(entry.length)))
  }

  /// Goes to the place before a record.
  ///
  /// One behind the last is the end.
  public mutating func seek(to sequence: UInt64) throws(LogError) {
    let index = reader.index
    let range = index.firstSequence...index.nextSequence
    guard range.contains(sequence) else {
      let held =
        range.lowerBound == range.upperBound
        ? "it holds no records"
        : "it holds \(range.lowerBound) to \(range.upperBound - 1)"
      throw LogError(
        .outOfRange,
        "The log \"\(reader.path)\" has no record \(sequence): \(held). Choose one of these.",
        path: reader.path)
    }
    if sequence >= firstSequence, sequence < firstSequence + UInt64(count) {
      position = Int(sequence - firstSequence)
      return
    }
    leaveBlock()
    sought = sequence
  }

  private mutating func leaveBlock() {
    // Another cursor may be reading from the same memory.
    if !isKnownUniquelyReferenced(&contents) { contents = BlockContents() }
    count = 0
    position = 0
  }

  /// Points at what is in `contents` now.
  private mutating func enterBlock() {
    entries = UnsafePointer(contents.entries)
    bytes = UnsafeRawPointer(contents.bytes)
    count = contents.count
  }

  /// Loads the block that holds the next record; false at the end.
  @usableFromInline
  mutating func advance() throws(LogError) -> Bool {
    if count > 0 { sought = firstSequence + UInt64(count) }
    leaveBlock()
    if !isKnownUniquelyReferenced(&source) { source = BlockSource(reader: reader) }
    // What is in a tail may be in a segment by the time it is read; the directory is looked at
    // again then. A writer that is faster than this many looks is a disk that answers no one.
    var looks = 0
    while true {
      let index = reader.index
      if sought < index.firstSequence { sought = index.firstSequence }
      guard let number = index.unit(for: sought) else { return false }
      let unit = index.units[number]
      if unit.firstSequence > sought {
        let missing = sought...(unit.firstSequence - 1)
        guard reader.mode == .salvage else { throw lost(missing) }
        gaps.append(missing)
        sought = unit.firstSequence
      }
      do throws(LogError) {
        if try load(unit, index) { return true }
      } catch {
        guard reader.mode == .salvage, error.code == .damaged else { throw error }
        gaps.append(sought...(unit.endSequence - 1))
        sought = unit.endSequence
        continue
      }
      looks += 1
      if looks > 16 { throw lost(sought...(unit.endSequence - 1)) }
      try reader.refresh()
    }
  }

  private mutating func load(_ unit: LogIndex.Unit, _ index: LogIndex) throws(LogError) -> Bool {
    let first: UInt64
    switch unit.source {
    case .block(let segment, let entry):
      let scan = index.segments[segment]
      first = scan.entries[entry].header.firstSequence
      try source.load(scan.entries[entry], of: scan, into: contents)
    case .chunk(let number):
      first = index.chunks[number].firstSequence
      guard try source.load(index.chunks[number], into: contents) else { return false }
    }
    enterBlock()
    firstSequence = first
    position = Int(sought - first)
    run = unit.run
    return true
  }

  private func lost(_ range: ClosedRange<UInt64>) -> LogError {
    LogError(
      .damaged,
      """
      \(LogError.records(range)) missing from the log "\(reader.path)". Open the log in salvage \
      mode to read the others, or restore it from a backup.
      """, path: reader.path)
  }
}
