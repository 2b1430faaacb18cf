internal import CActionLog
internal import Glibc

/// What a look at every byte of a log came to.
public struct LogVerification: Sendable {
  public var segments = 0
  public var blocks = 0
  public var records: UInt64 = 0
  /// Bytes that were read and checked.
  public var bytes: UInt64 = 0
  /// Everything that is not as it was written, in the order of the log.
  public var damage: [LogDamage] = []

  /// Whether nothing is wrong.
  public var isGood: Bool { damage.isEmpty }
  /// Whether records are lost.
  public var hasLoss: Bool { damage.contains { $0.effect == .loss } }
}

extension LogReader {
  /// Reads everything and checks every checksum, every structure and every sequence number.
  ///
  /// - Parameter progress: Called now and then with the bytes done and the bytes in all.
  /// - Throws: What the system refuses. Damage is no error here: it is in the result.
  public func verify(
    progress: ((_ done: UInt64, _ total: UInt64) -> Void)? = nil
  ) throws(LogError) -> LogVerification {
    let index = index
    var result = LogVerification()
    result.damage = index.damage
    let total = index.segments.reduce(index.tailBytes) { $0 + $1.fileSize }
    // A record may be in a block and in a tail, or in two segments; only the units know where it
    // is read.
    var counts = index.segments.map { [UInt64](repeating: 0, count: $0.entries.count) }
    for unit in index.units {
      let count = unit.endSequence - unit.firstSequence
      switch unit.source {
      case .block(let segment, let entry): counts[segment][entry] = count
      // Each frame was checked when the tail was looked through.
      case .chunk: result.records += count
      }
    }
    for (segment, counts) in zip(index.segments, counts) {
      try verify(segment, counts, index, &result)
      result.segments += 1
      result.bytes += segment.fileSize
      progress?(result.bytes, total)
    }
    result.bytes = total
    progress?(total, total)
    return result
  }

  private func verify(
    _ segment: SegmentScan, _ counts: [UInt64], _ index: LogIndex,
    _ result: inout LogVerification
  ) throws(LogError) {
    do throws(FileError) {
      let file = try fileSystem.open(join(self.path, segment.name), .read)
      defer { file.close() }
      let start = try file.readBytes(Format.segmentStart, at: 0)
      if case .header(let now, _) = start.withUnsafeBytes({ SegmentHeader.find(in: $0) }),
        now.salt != segment.header.salt,
        case .segment(let other) = try SegmentScan.scan(file, name: segment.name)
      {
        // It was packed again since it was looked at.
        try check(other, file, other.entries.map { $0.header.recordCount }, index, &result)
      } else {
        try check(segment, file, counts, index, &result)
      }
    } catch {
      // Removed by retention since it was looked at.
      if error.number == ENOENT { return }
      throw LogError(error, doing: "The log \"\(self.path)\" cannot be read")
    }
  }

  private func check(
    _ segment: SegmentScan, _ file: any OpenFile, _ counts: [UInt64], _ index: LogIndex,
    _ result: inout LogVerification
  ) throws(FileError) {
    let path = join(self.path, segment.name)
    let contents = BlockContents()
    for (entry, records) in zip(segment.entries, counts) {
      result.blocks += 1
      let header = entry.header
      let onDisk = try file.readBytes(header.size, at: entry.offset)
      let found = onDisk.withUnsafeBytes { BlockHeader.decode($0, seed: segment.seed) }
      if found != header {
        result.damage.append(
          LogDamage(
            effect: .none, path: path, offset: entry.offset,
            message: "the header of a block is damaged; the index has it, too"))
      }
      if try contents.load(entry, file, seed: segment.seed), contents.agrees(with: header) {
        result.records += records
      } else {
        note(LogDamage(in: path, entry), entry, records, index, &result)
      }
    }
  }

  /// Notes a block that can't be read, and whether its records stand elsewhere.
  private func note(
    _ damage: LogDamage, _ entry: BlockEntry, _ records: UInt64, _ index: LogIndex,
    _ result: inout LogVerification
  ) {
    var damage = damage
    let header = entry.header
    if !header.isPreamble {
      let isInTails = (header.firstSequence..<header.endSequence).allSatisfy {
        index.chunk(for: $0) != nil
      }
      if isInTails {
        damage.effect = .tornEnd
        damage.message = "a block is torn; a tail has its records"
        result.records += records
      } else if records == 0 {
        damage.effect = .tornEnd
        damage.message = "a block is torn; the next segment has its records"
      }
      if damage.effect == .tornEnd { damage.sequences = nil }
    }
    result.damage.append(damage)
  }
}

extension LogDamage {
  /// A block that can't be read.
  fileprivate init(in path: String, _ entry: BlockEntry) {
    let header = entry.header
    let sequences = header.firstSequence...(max(header.firstSequence, header.endSequence - 1))
    self.init(
      effect: .loss, path: path, offset: entry.offset,
      sequences: header.isPreamble ? nil : sequences,
      message: header.isPreamble
        ? "a block of what the segment restates is damaged"
        : "a block is damaged: \(LogError.records(sequences)) lost")
  }
}
