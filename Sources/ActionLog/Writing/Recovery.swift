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

  /// A tail or a copy, and how far it can be read.
  private struct Leftover {
    var name: String
    var header: TailHeader
    var nextSequence: UInt64
    var remains: TailScan.Remains
  }

  func recover(lock: any OpenFile) throws(LogError) -> Opening {
    let names: [String]
    do throws(FileError) {
      names = try fileSystem.list(directory).sorted()
    } catch {
      throw failure(error)
    }
    var (nextSequence, run) = try endOfSegments(names)
    let (leftovers, lost) = try findLeftovers(names)
    let live: LiveState?
    do throws(FileError) {
      live = try readLive(names)
    } catch {
      throw failure(error)
    }
    for leftover in leftovers { run = max(run, leftover.header.run) }
    let end = leftovers.reduce(nextSequence) { max($0, $1.nextSequence) }
    try checkRoom(run: max(run, live?.run ?? 0), nextSequence: end)
    do throws(FileError) {
      try seal(leftovers, live: live, run: run, nextSequence: &nextSequence)
      run = max(run, live?.run ?? 0)
      try clear(names, leftovers: leftovers, lost: lost)
    } catch {
      throw failure(error)
    }
    return Opening(lock: lock, run: run + 1, nextSequence: nextSequence, nextOrdinal: 1)
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
    LogError(error, doing: "The log \"\(directory)\" cannot be opened for writing")
  }

  // MARK: Segments

  /// The number after the last record in a segment, and the run that wrote it.
  ///
  /// A last segment without a record that can be read is put into quarantine: its numbers are
  /// still in the tails, or in no place.
  private func endOfSegments(_ names: [String]) throws(LogError) -> (UInt64, UInt32) {
    for name in names.reversed() where FileName.segmentNumber(name) != nil {
      let path = join(directory, name)
      let outcome: SegmentScan.Outcome
      do throws(FileError) {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        outcome = try SegmentScan.scan(file, name: name)
      } catch {
        throw failure(error)
      }
      switch outcome {
      case .segment(let scan) where !scan.records.isEmpty:
        let unknown = scan.header.readOnlyCompatible & ~Format.knownReadOnlyCompatible
        if unknown != 0 {
          throw .newer(path, "feature bits 0x\(String(unknown, radix: 16)) of the format")
        }
        return (scan.nextSequence, scan.header.run)
      case .newer(let what):
        throw .newer(path, what)
      default:
        do throws(FileError) {
          try quarantine(name)
        } catch {
          throw failure(error)
        }
      }
    }
    return (1, 0)
  }

  // MARK: Tails

  /// The tails and copies that can be read, one for each tail; and the names of those that can't.
  private func findLeftovers(_ names: [String]) throws(LogError) -> ([Leftover], [String]) {
    var best: [UInt64: Leftover] = [:]
    var torn: [String] = []
    for name in names {
      let isTail = FileName.tailNumber(name) != nil
      guard isTail || FileName.copyNumber(name) != nil else { continue }
      do throws(FileError) {
        let file = try fileSystem.open(join(directory, name), .read)
        defer { file.close() }
        let (scan, finding) = try TailScan.begin(file)
        guard var scan else {
          if case .newer(let what) = finding {
            throw FileError(what, name, 0)
          }
          if case .damaged = finding, isTail { torn.append(name) }
          continue
        }
        while try scan.next({ _, _ in }) {}
        let leftover = Leftover(
          name: name, header: scan.header, nextSequence: scan.nextSequence,
          remains: try scan.remains())
        // What stands behind a copy's prefix was never promised, or is of an earlier use.
        if isTail && leftover.remains != .nothing { torn.append(name) }
        if let other = best[scan.header.salt], other.nextSequence >= leftover.nextSequence {
          continue
        }
        best[scan.header.salt] = leftover
      } catch {
        if error.number == 0 { throw .newer(join(directory, error.path), error.operation) }
        throw failure(error)
      }
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

  /// Writes the records that are in no segment yet, and how the run ended.
  private func seal(
    _ leftovers: [Leftover], live: LiveState?, run: UInt32, nextSequence: inout UInt64
  ) throws(FileError) {
    var sealer: Sealer?
    for leftover in leftovers where leftover.nextSequence > nextSequence {
      let start = max(nextSequence, leftover.header.firstSequence)
      if start != nextSequence || sealer?.run != leftover.header.run {
        try sealer?.finish(isClean: false)
        sealer = makeSealer(run: leftover.header.run, nextSequence: start)
      }
      try feed(&sealer, from: leftover, start: start)
      nextSequence = leftover.nextSequence
    }
    if let live {
      if sealer?.run != live.run {
        try sealer?.finish(isClean: false)
        sealer = makeSealer(run: live.run, nextSequence: nextSequence)
      }
      let note = RecoveryNote(process: live.process, inFlight: live.inFlight).encoded()
      try addRecord(&sealer, kind: .recovery, stream: 0, time: al_system_microseconds(), note)
      nextSequence += 1
    }
    try sealer?.finish(isClean: false)
  }

  private func makeSealer(run: UInt32, nextSequence: UInt64) -> Sealer {
    Sealer(
      directory: directory, fileSystem: fileSystem, run: run, blockSize: options.blockSize,
      nextSequence: nextSequence, flags: .recovered)
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
  private func clear(
    _ names: [String], leftovers: [Leftover], lost: [String]
  ) throws(FileError) {
    let old = names.filter {
      $0 == FileName.live || FileName.tailNumber($0) != nil || FileName.copyNumber($0) != nil
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
  private func quarantine(_ name: String) throws(FileError) {
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
  }
}
