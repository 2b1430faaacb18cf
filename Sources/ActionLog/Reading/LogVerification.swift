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
    for segment in index.segments {
      try verify(segment, &result)
      result.segments += 1
      result.bytes += segment.fileSize
      progress?(result.bytes, total)
    }
    for chunk in index.chunks {
      // Each frame was checked when the tail was looked through.
      result.records += UInt64(chunk.count)
    }
    for unit in index.units {
      guard case .chunk(let number) = unit.source else { continue }
      result.records -= unit.firstSequence - index.chunks[number].firstSequence
    }
    result.bytes = total
    progress?(total, total)
    return result
  }

  private func verify(
    _ segment: SegmentScan, _ result: inout LogVerification
  ) throws(LogError) {
    let path = join(self.path, segment.name)
    do throws(FileError) {
      let file = try fileSystem.open(path, .read)
      defer { file.close() }
      let contents = BlockContents()
      for entry in segment.entries {
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
          if !header.isPreamble { result.records += UInt64(header.count) }
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
      throw LogError(error, doing: "the log \(self.path) cannot be read")
    }
  }
}
