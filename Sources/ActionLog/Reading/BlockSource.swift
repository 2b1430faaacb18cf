internal import CActionLog
internal import Glibc

/// Reads blocks and stretches of tails from a log's files.
final class BlockSource: @unchecked Sendable {
  private let reader: LogReader
  /// The segment that was read last.
  private var file: (any OpenFile)?

  init(reader: LogReader) {
    self.reader = reader
  }

  private func open(_ name: String) throws(FileError) -> any OpenFile {
    let path = join(reader.path, name)
    if let file, file.path == path { return file }
    let opened = try reader.openSegments.file(at: path, in: reader.fileSystem)
    file = opened
    return opened
  }

  private func fail(_ error: FileError) -> LogError {
    LogError(error, doing: "The log \"\(reader.path)\" cannot be read")
  }

  /// Unpacks a block of a segment; false when the segment is gone, or was packed again, since it was
  /// looked at.
  func load(
    _ entry: BlockEntry, of segment: SegmentScan, into contents: BlockContents
  ) throws(LogError) -> Bool {
    let header = entry.header
    do throws(FileError) {
      let file = try open(segment.name)
      if try contents.load(entry, file, seed: segment.seed) { return true }
      let start = try file.readBytes(Format.segmentStart, at: 0)
      if case .header(let now, _) = start.withUnsafeBytes({ SegmentHeader.find(in: $0) }),
        now.salt != segment.header.salt
      {
        reader.openSegments.forget(file)
        self.file = nil
        return false
      }
    } catch {
      if error.number == ENOENT { return false }
      throw fail(error)
    }
    let path = join(reader.path, segment.name)
    let lost =
      header.isPreamble
      ? "what it restates for the records from \(header.firstSequence) on is"
      : LogError.records(header.firstSequence...(header.endSequence - 1))
    throw LogError(
      .damaged,
      """
      The block at byte \(entry.offset) of "\(path)" is damaged: \(lost) lost. Open the log in \
      salvage mode to read the others, or restore the file from a backup.
      """, path: path)
  }

  /// Copies a stretch of a tail; false when the tail has been used again since it was looked at.
  func load(_ chunk: TailChunk, into contents: BlockContents) throws(LogError) -> Bool {
    do throws(FileError) {
      let file = try reader.fileSystem.open(join(reader.path, chunk.name), .read)
      defer { file.close() }
      guard var scan = try TailScan.begin(file).0, scan.header.salt == chunk.header.salt else {
        return false
      }
      scan.resume(at: chunk.offset, sequence: chunk.firstSequence)
      contents.beginRecords(chunk.count, bytes: chunk.end - chunk.offset)
      var filled = 0
      for _ in 0..<chunk.count {
        let isThere = try scan.next { _, frame in
          if let body = frame.body.baseAddress {
            (contents.bytes + filled).copyMemory(from: body, byteCount: frame.body.count)
          }
          contents.addRecord(
            BlockContents.Entry(
              time: frame.time, offset: UInt32(filled), length: UInt32(frame.body.count),
              stream: frame.stream, kind: frame.kind))
          filled += frame.body.count
        }
        if !isThere { return false }
      }
      return true
    } catch {
      if error.number == ENOENT { return false }
      throw fail(error)
    }
  }
}
