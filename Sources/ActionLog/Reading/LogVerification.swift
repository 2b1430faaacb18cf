internal import CActionLog

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
    // A record may be in a block and in a tail; only the units know where it is read.
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
      try verify(segment, counts, &result)
      result.segments += 1
      result.bytes += segment.fileSize
      progress?(result.bytes, total)
    }
    result.bytes = total
    progress?(total, total)
    return result
  }

  private func verify(
    _ segment: SegmentScan, _ counts: [UInt64], _ result: inout LogVerification
  ) throws(LogError) {
    let path = join(self.path, segment.name)
    do throws(FileError) {
      let file = try fileSystem.open(path, .read)
      defer { file.close() }
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
        let buffer = contents.storedBuffer(Int(header.storedSize))
        let count = try file.readFully(into: buffer, at: entry.offset + UInt64(header.size))
        if count == buffer.count, contents.unpack(header, seed: segment.seed),
          contents.agrees(with: header)
        {
          result.records += records
          continue
        }
        let sequences = header.firstSequence...(max(header.firstSequence, header.endSequence - 1))
        result.damage.append(
          LogDamage(
            effect: .loss, path: path, offset: entry.offset,
            sequences: header.isPreamble ? nil : sequences,
            message: header.isPreamble
              ? "a block of what the segment restates is damaged"
              : "a block is damaged: \(LogError.records(sequences)) lost"))
      }
    } catch {
      throw LogError(error, doing: "The log \"\(self.path)\" cannot be read")
    }
  }
}
