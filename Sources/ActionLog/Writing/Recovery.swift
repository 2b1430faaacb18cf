internal import CActionLog
internal import Glibc

/// Brings what a killed run left in its tails into a segment, before a new run begins.
///
/// It looks at the last segment and at the tails, never at the rest: opening does not depend on
/// the size of the log.
struct Recovery {
  let directory: String
  let fileSystem: any FileSystem
  let options: LogOptions
  private var report = OpeningReport()
  /// Every record up to this one was durable, as far as sync marks tell.
  private var durable: UInt64 = 0

  init(directory: String, fileSystem: any FileSystem, options: LogOptions) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.options = options
  }

  /// A tail or a copy, and how far it can be read.
  private struct Leftover {
    var name: String
    var header: TailHeader
    var nextSequence: UInt64
  }

  /// What the segments end with.
  private struct End {
    var nextSequence: UInt64 = 1
    var run: UInt32 = 0
    /// What the segment that is written next begins with: that of one it takes the place of.
    var cut: SegmentCut?
    var flags: SegmentHeader.Flags = .recovered
  }

  mutating func recover(lock: any OpenFile) throws(LogError) -> Opening {
    let names: [String]
    let leftovers: [Leftover]
    let lost: [String]
    let live: LiveState?
    var end: End
    do throws(FileError) {
      names = try fileSystem.list(directory).sorted()
      (leftovers, lost) = try findLeftovers(names)
      live = try readLive(names)
      end = try endOfSegments(names, leftovers, isOpen: live != nil || !leftovers.isEmpty)
    } catch {
      throw failure(error)
    }
    var run = leftovers.reduce(end.run) { max($0, $1.header.run) }
    let last = leftovers.reduce(end.nextSequence) { max($0, $1.nextSequence) }
    try checkRoom(run: max(run, live?.run ?? 0), nextSequence: max(last, durable + 1))
    do throws(FileError) {
      let gap = try seal(leftovers, live: live, run: run, &end)
      run = max(run, live?.run ?? 0)
      try clear(names, lost: lost)
      return Opening(
        lock: lock, run: run + 1, nextSequence: end.nextSequence, nextOrdinal: 1,
        isNew: !names.contains { FileName.segmentNumber($0) != nil }, gap: gap, report: report)
    } catch {
      throw failure(error)
    }
  }

  /// Throws when there are no numbers left for another run.
  ///
  /// No program writes as many; a file may say so all the same.
  private func checkRoom(run: UInt32, nextSequence: UInt64) throws(LogError) {
    if run < Format.maximumRun, nextSequence < Format.lastSequence { return }
    throw LogError(
      .outOfRange,
      """
      The log "\(directory)" ends with run \(run) and record \(nextSequence - 1), behind which the \
      format has no room for another run. Record to another path.
      """, path: directory)
  }

  private func failure(_ error: FileError) -> LogError {
    // No call of the system, but what a file says of itself.
    if error.number == 0 { return .newer(join(directory, error.path), error.operation) }
    return LogError(error, doing: "The log \"\(directory)\" cannot be opened for writing")
  }

  // MARK: Segments

  /// What stands behind the last record in a segment.
  ///
  /// A last segment without a record that can be read is put into quarantine: its numbers are
  /// still in the tails, or in no place.
  private mutating func endOfSegments(
    _ names: [String], _ leftovers: [Leftover], isOpen: Bool
  ) throws(FileError) -> End {
    for name in names.reversed() where FileName.segmentNumber(name) != nil {
      let file = try fileSystem.open(join(directory, name), .read)
      defer { file.close() }
      switch try SegmentScan.scan(file, name: name) {
      case .segment(let scan) where !scan.records.isEmpty:
        let unknown = scan.header.readOnlyCompatible & ~Format.knownReadOnlyCompatible
        if unknown != 0 {
          throw FileError("feature bits 0x\(String(unknown, radix: 16)) of the format", name, 0)
        }
        durable = max(durable, scan.durable)
        return try end(of: scan, file, isOpen ? leftovers : nil)
      case .newer(let what):
        throw FileError(what, name, 0)
      default:
        // Only a kill leaves one without records.
        if !isOpen {
          report.damage.append(
            LogDamage(
              effect: .loss, path: join(directory, name), offset: 0,
              message: "the file ends before its first record, or its header is damaged"))
        }
        try quarantine(name)
      }
    }
    return End()
  }

  /// What stands behind a segment's last good record.
  ///
  /// Blocks that no sync had covered when the power went may have lost pages; those that tails hold
  /// as well are written again, from the first one that did.
  private mutating func end(
    of scan: SegmentScan, _ file: any OpenFile, _ leftovers: [Leftover]?
  ) throws(FileError) -> End {
    var end = End(nextSequence: scan.nextSequence, run: scan.header.run)
    guard let leftovers else {
      var scan = scan
      if scan.loseEnd(), let lost = scan.damage.last {
        report.damage.append(
          LogDamage(
            effect: .loss, path: join(directory, scan.name), offset: lost.offset,
            message: lost.message))
      }
      return end
    }
    let first = leftovers.first.map { min($0.header.firstSequence, durable + 1) } ?? durable + 1
    let contents = BlockContents()
    var expected = scan.header.firstSequence
    for entry in scan.records {
      let block = entry.header
      defer { expected = block.endSequence }
      // Either the block's header was lost, or its bytes.
      let isNext = block.firstSequence == expected
      guard !isNext || block.endSequence > first else { continue }
      if isNext, try contents.load(entry, file, seed: scan.seed) { continue }
      let isHeld = leftovers.contains {
        $0.header.firstSequence <= expected && $0.nextSequence > expected
      }
      guard isHeld else {
        let sequences = expected...(isNext ? block.endSequence - 1 : block.firstSequence - 1)
        report.damage.append(
          LogDamage(
            effect: .loss, path: join(directory, scan.name), offset: entry.offset,
            sequences: sequences,
            message: "a block is damaged: \(LogError.records(sequences)) lost"))
        continue
      }
      end.nextSequence = expected
      if expected == scan.header.firstSequence {
        // The new segment needs its name.
        end.cut = try readCut(scan, file)
        end.flags.formUnion(scan.header.flags.intersection([.startsRun]))
        try quarantine(scan.name)
      }
      return end
    }
    return end
  }

  private func readCut(
    _ scan: SegmentScan, _ file: any OpenFile
  ) throws(FileError) -> SegmentCut? {
    let contents = BlockContents()
    var cut = SegmentCut([], isComplete: scan.header.flags.contains(.complete))
    for entry in scan.entries where entry.header.isPreamble {
      guard try contents.load(entry, file, seed: scan.seed) else { return nil }
      cut.records += contents.preambleRecords
    }
    return cut.records.isEmpty ? nil : cut
  }

  // MARK: Tails

  /// The tails and copies that can be read, one for each tail, in order; and the names of the tails
  /// that can't be read to their end.
  private mutating func findLeftovers(
    _ names: [String]
  ) throws(FileError) -> ([Leftover], [String]) {
    var best: [UInt64: Leftover] = [:]
    var damages: [UInt64: LogDamage] = [:]
    var torn: [String] = []
    for name in names {
      let isTail = FileName.tailNumber(name) != nil
      guard isTail || FileName.copyNumber(name) != nil else { continue }
      let file = try fileSystem.open(join(directory, name), .read)
      defer { file.close() }
      let (found, finding) = try TailScan.begin(file)
      guard var scan = found else {
        if case .newer(let what) = finding { throw FileError(what, name, 0) }
        if isTail, let entry = try TailScan.damage(finding, file) {
          torn.append(name)
          report.damage.append(entry)
        }
        continue
      }
      while try scan.next({ _, _ in }) {}
      let remains = try scan.remains()
      durable = max(durable, scan.durable)
      // What stands behind a copy's prefix was never promised, or is of an earlier use.
      if isTail && remains != .nothing {
        torn.append(name)
        damages[scan.header.salt] = LogDamage.remains(
          remains, path: join(directory, name), offset: scan.offset, next: scan.nextSequence)
      }
      let salt = scan.header.salt
      if let other = best[salt], other.nextSequence >= scan.nextSequence { continue }
      best[salt] = Leftover(name: name, header: scan.header, nextSequence: scan.nextSequence)
    }
    for (salt, damage) in damages.sorted(by: { $0.value.path < $1.value.path }) {
      // Where the copy goes as far as anything was durable, it stands for the tail.
      let isHealed = best[salt].map { FileName.copyNumber($0.name) != nil } ?? false
      if !isHealed { report.damage.append(damage) }
    }
    let leftovers = best.values.sorted { $0.header.firstSequence < $1.header.firstSequence }
    return (leftovers, torn)
  }

  private func readLive(_ names: [String]) throws(FileError) -> LiveState? {
    guard names.contains(FileName.live) else { return nil }
    let file = try fileSystem.open(join(directory, FileName.live), .read)
    defer { file.close() }
    let bytes = try file.readBytes(Format.liveSize, at: 0)
    return bytes.withUnsafeBytes { LiveState.decode($0) }
  }

  // MARK: Sealing

  /// Writes the records that are in no segment yet, and how the run ended; returns what is lost
  /// right before the next record.
  private mutating func seal(
    _ leftovers: [Leftover], live: LiveState?, run: UInt32, _ end: inout End
  ) throws(FileError) -> SegmentHeader.Gap? {
    var sealer: Sealer?
    for leftover in leftovers where leftover.nextSequence > end.nextSequence {
      let start = max(end.nextSequence, leftover.header.firstSequence)
      if start != end.nextSequence || sealer?.run != leftover.header.run {
        try sealer?.finish(isClean: false)
        sealer = begin(run: leftover.header.run, at: start, &end)
      }
      try feed(&sealer, from: leftover, start: start)
      report.recoveredRecords += leftover.nextSequence - start
      end.nextSequence = leftover.nextSequence
    }
    let isCut = durable >= end.nextSequence
    if let live {
      if sealer?.run != live.run || isCut {
        try sealer?.finish(isClean: false)
        let start = max(end.nextSequence, durable + 1)
        sealer = begin(run: live.run, at: start, &end)
        end.nextSequence = start
      }
      let note = RecoveryNote(process: live.process, inFlight: live.inFlight).encoded()
      try addRecord(&sealer, kind: .recovery, stream: 0, time: al_system_microseconds(), note)
      end.nextSequence += 1
    }
    try sealer?.finish(isClean: false)
    guard durable >= end.nextSequence else { return nil }
    let gap = SegmentHeader.Gap(first: end.nextSequence, cause: 0)
    report.lost.append(end.nextSequence...durable)
    end.nextSequence = durable + 1
    return gap
  }

  private mutating func begin(run: UInt32, at start: UInt64, _ end: inout End) -> Sealer {
    var gap: SegmentHeader.Gap?
    if start > end.nextSequence {
      gap = SegmentHeader.Gap(first: end.nextSequence, cause: 0)
      report.lost.append(end.nextSequence...(start - 1))
    }
    let isSameStart = gap == nil
    defer {
      end.cut = nil
      end.flags = .recovered
      end.run = run
    }
    return Sealer(
      directory: directory, fileSystem: fileSystem, run: run, blockSize: options.blockSize,
      nextSequence: start, flags: isSameStart ? end.flags : .recovered,
      cut: isSameStart ? end.cut : nil, gap: gap)
  }

  private func addRecord(
    _ sealer: inout Sealer?, kind: RecordKind, stream: UInt16, time: UInt64, _ body: [UInt8]
  ) throws(FileError) {
    var failure: FileError?
    body.withUnsafeBytes { bytes in
      do throws(FileError) {
        try sealer?.add(kind: kind, stream: stream, time: time, body: bytes)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func feed(
    _ sealer: inout Sealer?, from leftover: Leftover, start: UInt64
  ) throws(FileError) {
    let file = try fileSystem.open(join(directory, leftover.name), .read)
    defer { file.close() }
    guard var scan = try TailScan.begin(file).0 else { return }
    var failure: FileError?
    while failure == nil, scan.nextSequence < leftover.nextSequence {
      let isMore = try scan.next { sequence, frame in
        guard sequence >= start else { return }
        do throws(FileError) {
          try sealer?.add(
            kind: RecordKind(rawValue: frame.kind), stream: frame.stream, time: frame.time,
            body: frame.body)
        } catch {
          failure = error
        }
      }
      if !isMore { break }
    }
    if let failure { throw failure }
  }

  // MARK: Clearing

  /// Removes what is in a segment now, and keeps what could not be read.
  private mutating func clear(_ names: [String], lost: [String]) throws(FileError) {
    let old = names.filter {
      $0 == FileName.live || FileName.tailNumber($0) != nil || FileName.copyNumber($0) != nil
        || FileName.packingNumber($0) != nil
    }
    if old.isEmpty { return }
    for name in old {
      if lost.contains(name) {
        try quarantine(name)
      } else {
        try fileSystem.unlink(join(directory, name))
      }
    }
    try fileSystem.syncDirectory(directory)
  }

  /// Moves a file out of the log's way, without removing a byte of it.
  private mutating func quarantine(_ name: String) throws(FileError) {
    let place = join(directory, FileName.quarantine)
    do throws(FileError) {
      try fileSystem.makeDirectory(place)
    } catch {
      if error.number != EEXIST { throw error }
    }
    let taken = try fileSystem.list(place)
    var target = name
    var number = 1
    while taken.contains(target) {
      number += 1
      target = "\(name).\(number)"
    }
    try fileSystem.rename(join(directory, name), to: join(place, target))
    try fileSystem.syncDirectory(place)
    try fileSystem.syncDirectory(directory)
    report.quarantined.append(join(place, target))
  }
}

extension LogDamage {
  /// What is wrong behind the last record of a tail that can be read; nil when nothing is.
  static func remains(
    _ remains: TailScan.Remains, path: String, offset: Int, next: UInt64
  ) -> LogDamage? {
    switch remains {
    case .nothing: nil
    case .torn:
      LogDamage(
        effect: .tornEnd, path: path, offset: UInt64(offset),
        message: "what stands behind record \(next - 1) is no record")
    case .damaged:
      LogDamage(
        effect: .loss, path: path, offset: UInt64(offset),
        message: "record \(next) is damaged: it and what stands behind it are lost")
    }
  }
}
