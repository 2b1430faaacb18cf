internal import CActionLog

/// What writing the good records of a log to a new one came to.
public struct SalvageResult: Sendable {
  /// Records that were written, and read again and found to be the same.
  public var records: UInt64 = 0
  public var segments = 0
  /// Bytes of the new log.
  public var bytes: UInt64 = 0
  /// Records that are lost, by their numbers, and that the log had not known to be.
  public var lost: [ClosedRange<UInt64>] = []
  /// What the log had itself recorded as missing.
  public var gaps: [LogGap] = []
  /// What was not as it had been written.
  public var damage: [LogDamage] = []

  /// Whether anything was lost that the log had not known to be.
  public var hasLoss: Bool {
    !lost.isEmpty || damage.contains { $0.effect == .loss }
  }
}

/// Writes all that can be read of a log to a new one, which is whole, and reads it again to see that
/// it is.
///
/// Numbers, runs, times and segments stay as they are; where records are lost, the new log says so.
/// Nothing in the old one is changed.
///
/// - Parameters:
///   - path: The log.
///   - target: The directory of the new one; it is made, and must not be there.
///   - progress: Called now and then with the records done and the records in all.
/// - Throws: `invalidArgument` when there is something at `target`, `damaged` when what was written
///   can't be read again, what opening a log throws, and what the system refuses.
public func salvageLog(
  at path: String, to target: String, fileSystem: any FileSystem = .real,
  progress: ((_ done: UInt64, _ total: UInt64) -> Void)? = nil
) throws(LogError) -> SalvageResult {
  let reader = try LogReader(at: path, mode: .salvage, fileSystem: fileSystem)
  var salvage = Salvage(reader: reader, target: target, fileSystem: fileSystem)
  try salvage.makeTarget()
  try salvage.write(progress)
  try salvage.check()
  return salvage.result
}

private struct Salvage {
  private let reader: LogReader
  private let target: String
  private let fileSystem: any FileSystem
  private var sealer: Sealer?
  private var digest = RecordDigest()
  /// The number after the last record's that was written.
  private var expected: UInt64?
  /// Segments of the log that are still to come.
  private var segments: ArraySlice<SegmentSummary>
  private(set) var result = SalvageResult()

  init(reader: LogReader, target: String, fileSystem: any FileSystem) {
    self.reader = reader
    self.target = target
    self.fileSystem = fileSystem
    let summary = reader.summary
    segments = summary.segments[...]
    result.damage = summary.damage
    result.gaps = summary.gaps
  }

  func makeTarget() throws(LogError) {
    do throws(FileError) {
      try fileSystem.makeDirectory(target)
    } catch {
      if error.number == 17 {
        throw LogError(
          .invalidArgument,
          """
          There is something at "\(target)" already. Name a path that is not there yet: a log is \
          never written over another.
          """, path: target, errno: error.number)
      }
      throw failure(error)
    }
  }

  private func failure(_ error: FileError) -> LogError {
    LogError(error, doing: "The log \"\(target)\" cannot be written")
  }

  // MARK: Writing

  mutating func write(_ progress: ((UInt64, UInt64) -> Void)?) throws(LogError) {
    let total = reader.summary.records
    var cursor = reader.cursor()
    while let record = try cursor.next() {
      try enterSegment(of: record)
      do throws(FileError) {
        if let expected, record.sequence > expected {
          try sealer?.skip(to: record.sequence, cause: 0)
        }
        try sealer?.add(
          kind: record.kind, stream: record.stream, time: record.time, body: record.payload)
      } catch {
        throw failure(error)
      }
      digest.add(record)
      expected = record.sequence + 1
      if digest.count % 65_536 == 0 { progress?(digest.count, total) }
    }
    let known = result.gaps.compactMap(\.sequences)
    result.lost = cursor.gaps.filter { gap in
      !known.contains { $0.contains(gap.lowerBound) && $0.contains(gap.upperBound) }
    }
    let isClean = reader.summary.runs.last?.endedCleanly == true && !result.hasLoss
    do throws(FileError) {
      try sealer?.finish(isClean: isClean)
      try fileSystem.syncDirectory(parent(of: target))
    } catch {
      throw failure(error)
    }
    progress?(digest.count, total)
  }

  /// Begins a segment where the log has one, or where another run begins.
  private mutating func enterSegment(of record: LogRecord) throws(LogError) {
    var entered: SegmentSummary?
    while let next = segments.first, next.firstSequence <= record.sequence {
      entered = next
      segments.removeFirst()
    }
    let isNewRun = sealer?.run != record.run
    guard entered != nil || isNewRun else { return }
    var cut: SegmentCut?
    var flags: SegmentHeader.Flags = []
    if let entered, entered.run == record.run {
      if entered.startsRun { flags.insert(.startsRun) }
      if entered.isRecovered { flags.insert(.recovered) }
      // What a segment restates is true before its own first record alone.
      if entered.hasPreamble, entered.firstSequence == record.sequence {
        cut = try readCut(entered)
      }
    }
    // A run that was killed before it had a segment is in tails alone.
    if entered == nil,
      reader.summary.runs.contains(where: { $0.firstSequence == record.sequence })
    {
      flags.insert(.startsRun)
    }
    do throws(FileError) {
      try sealer?.finish(isClean: false)
    } catch {
      throw failure(error)
    }
    let start = expected ?? record.sequence
    var gap: SegmentHeader.Gap?
    if record.sequence > start { gap = SegmentHeader.Gap(first: start, cause: 0) }
    sealer = Sealer(
      directory: target, fileSystem: fileSystem, run: record.run, blockSize: 64 << 10,
      nextSequence: record.sequence, flags: flags, cut: cut, gap: gap)
    expected = record.sequence
  }

  private mutating func readCut(_ segment: SegmentSummary) throws(LogError) -> SegmentCut? {
    do throws(LogError) {
      return SegmentCut(try reader.preamble(of: segment), isComplete: segment.isComplete)
    } catch {
      guard error.code == .damaged else { throw error }
      result.damage.append(
        LogDamage(
          effect: .loss, path: segment.path,
          message: "what the segment restates is damaged"))
      return nil
    }
  }

  // MARK: Checking

  mutating func check() throws(LogError) {
    if digest.count == 0 { return }
    let written = try LogReader(at: target, mode: .salvage, fileSystem: fileSystem)
    let report = try written.verify()
    var found = RecordDigest()
    var cursor = written.cursor()
    while let record = try cursor.next() { found.add(record) }
    guard report.isGood, found == digest else {
      throw LogError(
        .damaged,
        """
        What was written to "\(target)" is not what is read from it. Check the disk that it is \
        on, and write to another one.
        """, path: target)
    }
    let summary = written.summary
    result.records = digest.count
    result.segments = summary.segments.count
    result.bytes = summary.segmentBytes
  }
}

/// Tells whether two logs hold the same records.
private struct RecordDigest: Hashable {
  private(set) var count: UInt64 = 0
  private var sum: UInt32 = 0

  mutating func add(_ record: LogRecord) {
    count += 1
    let head: (UInt64, UInt64, UInt64) = (
      record.sequence.littleEndian, record.time.littleEndian,
      (UInt64(record.run) << 32 | UInt64(record.stream) << 8 | UInt64(record.kind.rawValue))
        .littleEndian
    )
    sum = withUnsafeBytes(of: head) { checksum(sum, $0) }
    sum = checksum(sum, record.payload)
  }
}
