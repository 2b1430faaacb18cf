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
  /// How many records are ready, and which of them is next.
  @usableFromInline var count = 0
  @usableFromInline var position = 0
  /// The number of the first record that is ready.
  @usableFromInline var firstSequence: UInt64 = 0
  /// That of the first record in `contents`, and how many of them are read here.
  private var wholeFirst: UInt64 = 0
  private var wholeCount = 0
  @usableFromInline var run: UInt32 = 0
  private let reader: LogReader
  private var source: BlockSource
  private var sought: UInt64
  /// Whether `sought` is a record that was there, and not only any place before the first.
  private var isPlaced = false

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
    wholeCount > 0 ? firstSequence + UInt64(position) : sought
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
    position &+= 1
    return last
  }

  /// The record that was returned last; there has to be one.
  @inlinable
  package var last: LogRecord {
    let entry = entries[position &- 1]
    return LogRecord(
      sequence: firstSequence &+ UInt64(truncatingIfNeeded: position &- 1), run: run,
      stream: entry.stream, kind: RecordKind(rawValue: entry.kind), time: entry.time,
      payload: UnsafeRawBufferPointer(
        start: bytes + Int(entry.offset), count: Int(entry.length)))
  }

  /// The kind of the record that was returned last; there has to be one.
  @inlinable
  package var lastKind: UInt8 { entries[position &- 1].kind }

  /// Goes on by one record, if the next one is of that stream and in the same block.
  ///
  /// - Returns: Its kind; `nil` where `next` has to be called.
  @inlinable
  package mutating func passInBlock(of stream: UInt16) -> UInt8? {
    guard position < count, entries[position].stream == stream else { return nil }
    position &+= 1
    return entries[position &- 1].kind
  }

  /// The next record of a kind, over those between; `nil` where there is none before `end`.
  ///
  /// What is passed over costs a fraction of what records cost.
  package mutating func next(
    of kind: RecordKind, before end: UInt64
  ) throws(LogError) -> LogRecord? {
    while nextSequence < end {
      if position >= count {
        guard try advance() else { return nil }
      }
      let place = contents.firstIndex(of: kind, from: Int(nextSequence - wholeFirst))
      guard let place, place < wholeCount else {
        // Behind the last record here.
        position = Int(wholeFirst + UInt64(wholeCount) - firstSequence)
        continue
      }
      let sequence = wholeFirst + UInt64(place)
      guard sequence < end else { return nil }
      makeReady(sequence)
      position &+= 1
      return last
    }
    return nil
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
    if sequence >= wholeFirst, sequence < wholeFirst + UInt64(wholeCount) {
      makeReady(sequence)
      return
    }
    leaveBlock()
    sought = sequence
    isPlaced = false
  }

  private mutating func leaveBlock() {
    // A copy of the cursor reads from the same memory.
    if !isKnownUniquelyReferenced(&contents) { contents = BlockContents() }
    count = 0
    wholeCount = 0
    position = 0
  }

  /// How many records are made ready at once: few beside what a jump folds, and enough to make
  /// little of what each stretch costs by itself.
  private static let stretch = 256

  /// Goes to the place before a record in `contents`, and makes it and those behind it ready, if
  /// they are not.
  private mutating func makeReady(_ sequence: UInt64) {
    let index = Int(sequence - wholeFirst)
    if !contents.ready.contains(index) {
      // A copy of the cursor may stand among the records whose place these take.
      if !isKnownUniquelyReferenced(&contents) { contents = contents.copy() }
      contents.prepare(index..<min(index + Self.stretch, wholeCount))
    }
    entries = UnsafePointer(contents.entries)
    bytes = UnsafeRawPointer(contents.bytes)
    firstSequence = wholeFirst + UInt64(contents.ready.lowerBound)
    position = index - contents.ready.lowerBound
    count = min(contents.ready.upperBound, wholeCount) - contents.ready.lowerBound
  }

  /// Points at what is in `contents` now, at the record that is sought.
  ///
  /// - Parameter end: The first record behind that a later segment counts for.
  private mutating func enterBlock(first: UInt64, end: UInt64, run: UInt32) {
    wholeCount = min(contents.count, Int(clamping: end - first))
    wholeFirst = first
    self.run = run
    makeReady(sought)
  }

  /// How often the directory is looked at again for one block: a writer that is faster than this
  /// many looks is a disk that answers no one.
  private static let maximumLooks = 16

  /// Makes the next record ready, and loads the block that holds it if need be; false at the end.
  @usableFromInline
  mutating func advance() throws(LogError) -> Bool {
    if wholeCount > 0 {
      guard nextSequence == wholeFirst + UInt64(wholeCount) else {
        makeReady(nextSequence)
        return true
      }
      sought = nextSequence
      isPlaced = true
    }
    leaveBlock()
    if !isKnownUniquelyReferenced(&source) { source = BlockSource(reader: reader) }
    // What is in a tail may be in a segment by the time it is read; the directory is looked at
    // again then.
    var looks = 0
    while true {
      let index = reader.index
      if sought < index.firstSequence { try passDeleted(to: index.firstSequence) }
      guard let number = index.unit(for: sought) else { return try endsHere(index) }
      let unit = index.units[number]
      if unit.firstSequence > sought {
        let missing = sought...(unit.firstSequence - 1)
        guard reader.mode == .salvage else { throw lost(missing, index) }
        gaps.append(missing)
        sought = unit.firstSequence
      }
      do throws(LogError) {
        if try load(unit, index) { return true }
      } catch {
        guard error.code == .damaged else { throw error }
        // A tail that was not let go yet has the same records.
        if let chunk = index.chunk(for: sought), try load(chunk: chunk, run: unit.run, index) {
          return true
        }
        guard reader.mode == .salvage else { throw error }
        gaps.append(sought...(unit.endSequence - 1))
        sought = unit.endSequence
        continue
      }
      looks += 1
      if looks > Self.maximumLooks { throw lost(sought...(unit.endSequence - 1), index) }
      if case .block = unit.source {
        try reader.refreshFromScratch()
      } else {
        try reader.refresh()
      }
    }
  }

  /// Goes on behind records that were deleted, and says so if any of them was still to be read.
  private mutating func passDeleted(to first: UInt64) throws(LogError) {
    if let missing = reader.index.lostStart, sought <= missing.upperBound {
      guard reader.mode == .salvage else { throw lost(missing, reader.index) }
      gaps.append(max(sought, missing.lowerBound)...missing.upperBound)
    } else if isPlaced {
      let deleted = sought...(first - 1)
      guard reader.mode == .salvage else {
        throw LogError(
          .deleted,
          """
          \(LogError.records(deleted)) no longer in the log "\(reader.path)": older segments were \
          removed while it was read. Go on from record \(first).
          """, path: reader.path)
      }
      gaps.append(deleted)
    }
    sought = first
  }

  /// False, unless records are missing at the end: those are told, once in salvage mode.
  private mutating func endsHere(_ index: LogIndex) throws(LogError) -> Bool {
    if let name = index.lostFile, reader.mode != .salvage {
      throw LogError(
        .damaged,
        """
        The segment "\(join(reader.path, name))" can't be read to its end: what stands behind record \
        \(sought - 1) is lost. Open the log in salvage mode to read the others, or restore the file \
        from a backup.
        """, path: join(reader.path, name))
    }
    guard let missing = index.lostEnd, sought <= missing.upperBound else { return false }
    guard reader.mode == .salvage else { throw lost(missing, index) }
    gaps.append(missing)
    sought = missing.upperBound + 1
    return false
  }

  private mutating func load(_ unit: LogIndex.Unit, _ index: LogIndex) throws(LogError) -> Bool {
    guard case .block(let segment, let entry) = unit.source else {
      guard case .chunk(let number) = unit.source else { return false }
      return try load(chunk: number, run: unit.run, index)
    }
    let scan = index.segments[segment]
    guard try source.load(scan.entries[entry], of: scan, into: contents) else { return false }
    enterBlock(
      first: scan.entries[entry].header.firstSequence, end: unit.endSequence, run: unit.run)
    return true
  }

  private mutating func load(
    chunk number: Int, run: UInt32, _ index: LogIndex
  ) throws(LogError) -> Bool {
    guard try source.load(index.chunks[number], into: contents) else { return false }
    enterBlock(first: index.chunks[number].firstSequence, end: .max, run: run)
    return true
  }

  private func lost(_ range: ClosedRange<UInt64>, _ index: LogIndex) -> LogError {
    let gap = index.gaps.first { $0.sequences?.contains(range.lowerBound) == true }
    let fact =
      gap.map { "The log \"\(reader.path)\" says that \($0)" }
      ?? "\(LogError.records(range)) missing from the log \"\(reader.path)\""
    let advice =
      gap == nil
      ? "Open the log in salvage mode to read the others, or restore it from a backup."
      : "Open the log in salvage mode to read the others."
    return LogError(.damaged, "\(fact). \(advice)", path: reader.path)
  }
}
