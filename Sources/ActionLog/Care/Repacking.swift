internal import CActionLog

/// Packs a finished segment again, thoroughly, in a file of its own that then takes its place.
///
/// Who has the old file open reads on in it.
struct Repacking {
  let directory: String
  let fileSystem: any FileSystem
  let blockSize: Int

  /// A segment that was packed again and has not taken its place yet.
  struct Packed {
    var path: String
    var target: String
  }

  /// Writes and syncs the new file; nil when the segment is not finished or not whole, when packing
  /// gains nothing, or when `isStopped` says so.
  func pack(_ name: String, isStopped: () -> Bool) throws(FileError) -> Packed? {
    let target = join(directory, name)
    let file = try fileSystem.open(target, .read)
    defer { file.close() }
    guard case .segment(let scan) = try SegmentScan.scan(file, name: name), scan.hasFooter,
      scan.damage.isEmpty, !scan.records.isEmpty
    else { return nil }
    var header = scan.header
    header.salt = UInt64.random(in: 1...UInt64.max)
    header.flags.insert(.repacked)
    let temporary = FileName.packing(header.firstSequence)
    let path = join(directory, temporary)
    if try fileSystem.list(directory).contains(temporary) { try fileSystem.unlink(path) }
    var segment = try SegmentWriter(
      directory: directory, header: header, name: temporary, fileSystem: fileSystem)
    do throws(FileError) {
      let isWhole = try copy(scan, file, into: &segment, isStopped)
      if isWhole {
        try segment.finish(isClean: scan.isClean)
        if segment.size < scan.fileSize { return Packed(path: path, target: target) }
      }
      try segment.discard()
      return nil
    } catch {
      try? segment.discard()
      throw error
    }
  }

  private func copy(
    _ scan: SegmentScan, _ file: any OpenFile, into segment: inout SegmentWriter,
    _ isStopped: () -> Bool
  ) throws(FileError) -> Bool {
    let contents = BlockContents()
    var builder = BlockBuilder()
    for entry in scan.entries {
      if isStopped() { return false }
      let block = entry.header
      guard try contents.load(entry, file, seed: scan.seed), contents.agrees(with: block) else {
        return false
      }
      if block.isPreamble != builder.isPreamble { try seal(&builder, &segment) }
      for index in 0..<contents.count {
        let record = contents.entries[index]
        let body = contents.body(index)
        let isFull = builder.rawSize + body.count > blockSize || builder.hasManyStreams
        if !builder.isEmpty && isFull { try seal(&builder, &segment) }
        if builder.isEmpty {
          builder.isPreamble = block.isPreamble
          builder.firstSequence =
            block.isPreamble ? block.firstSequence : block.firstSequence + UInt64(index)
          builder.durable = block.durable
        }
        builder.add(
          kind: RecordKind(rawValue: record.kind), stream: record.stream, time: record.time,
          body: body)
      }
    }
    try seal(&builder, &segment)
    return true
  }

  private func seal(
    _ builder: inout BlockBuilder, _ segment: inout SegmentWriter
  ) throws(FileError) {
    if !builder.isEmpty { _ = try segment.write(&builder, packing: .thorough) }
  }

  /// Puts the new file into the place of the old one, unless that was removed meanwhile.
  func place(_ packed: Packed) {
    do throws(FileError) {
      _ = try fileSystem.type(of: packed.target)
      try fileSystem.rename(packed.path, to: packed.target)
      try fileSystem.syncDirectory(directory)
    } catch {
      // The old one is as good; the next opening removes what is left of the new one.
      discard(packed)
    }
  }

  func discard(_ packed: Packed) {
    try? fileSystem.unlink(packed.path)
  }
}
