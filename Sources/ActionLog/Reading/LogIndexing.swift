internal import CActionLog
internal import Glibc

/// Looks at a log's directory and makes an index of it.
///
/// Nothing is written.
struct LogIndexing {
  /// Bytes of a tail that are read at once.
  static let chunkSize = 64 << 10

  let directory: String
  let fileSystem: any FileSystem
  /// What is known already: finished segments are not looked at again.
  var previous: LogIndex?

  private var damage: [LogDamage] = []
  /// The last segment, when it ends early though nothing tells of a kill.
  private var cutOff: String?
  /// The first numbers of segments that can't be read, by their names.
  private var unreadable: [UInt64] = []
  private var tailBytes: UInt64 = 0

  init(directory: String, fileSystem: any FileSystem, previous: LogIndex? = nil) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.previous = previous
  }

  /// How often a log that changes while it is looked at is looked at again.
  private static let maximumLooks = 8

  /// Looks until what seems to be missing is missing twice in a directory that stays the same: what
  /// a writer, a recovery or a pruning moves meanwhile is no damage.
  mutating func look() throws(LogError) -> LogIndex {
    var looks = 1
    while true {
      damage = []
      unreadable = []
      cutOff = nil
      tailBytes = 0
      let names = try checkSubstance()
      let index = try look(names)
      let hasLoss = index.damage.contains { $0.effect != .none }
      guard hasLoss, looks < Self.maximumLooks else { return index }
      looks += 1
      let again = try list()
      let isWritten = try readLock(again).0
      if again == names && isWritten == index.isBeingWritten && isWritten != true { return index }
      // A writer that is there now may have moved anything.
      if isWritten == true && looks > 3 { return index }
      previous = nil
    }
  }

  /// The names in the directory; throws unless some of them are a log's.
  @discardableResult
  mutating func checkSubstance() throws(LogError) -> [String] {
    let names = try list()
    guard names.contains(where: Self.isSubstance) else {
      throw LogError(
        .empty,
        """
        "\(directory)" holds no log: there is no segment and no tail in it. Check the path; \
        a log is the directory that a program was told to record to.
        """, path: directory)
    }
    return names
  }

  private mutating func look(_ names: [String]) throws(LogError) -> LogIndex {
    // The tails before the segments: what moves from one to the other meanwhile is met twice,
    // never missed.
    let (isBeingWritten, writer) = try readLock(names)
    let live = try readLive(names)
    let (tails, chunks) = try readTails(names, isBeingWritten: isBeingWritten)
    let isClosed = isBeingWritten == false && live == nil && tails.isEmpty
    let segments = try readSegments(list(), isBeingWritten: isBeingWritten, isClosed: isClosed)
    return LogIndex(
      directory: directory, segments: segments, chunks: chunks, tails: tails,
      unreadable: unreadable, cutOff: cutOff, damage: damage, live: live,
      isBeingWritten: isBeingWritten, writer: writer, tailBytes: tailBytes)
  }

  /// Whether a file of this name makes a directory a log: all but what a program leaves that was
  /// killed before it had begun.
  private static func isSubstance(_ name: String) -> Bool {
    FileName.isOfLog(name) && name != FileName.live && name != FileName.quarantine
      && name != FileName.lock && FileName.packingNumber(name) == nil
  }

  private func list() throws(LogError) -> [String] {
    do throws(FileError) {
      if try fileSystem.type(of: directory) != .directory {
        throw FileError("open", directory, ENOTDIR)
      }
      return try fileSystem.list(directory).sorted()
    } catch {
      switch error.number {
      case ENOENT:
        throw LogError(
          .notFound,
          "There is no log at \"\(directory)\": the path does not exist. Check the path.",
          path: directory, errno: error.number)
      case ENOTDIR:
        throw .notADirectory(directory)
      default:
        throw failure(error)
      }
    }
  }

  private func failure(_ error: FileError) -> LogError {
    LogError(error, doing: "The log \"\(directory)\" cannot be read")
  }

  // MARK: The writer

  private func readLock(_ names: [String]) throws(LogError) -> (Bool?, UInt32?) {
    guard names.contains(FileName.lock) else { return (false, nil) }
    do throws(FileError) {
      let file = try fileSystem.open(join(directory, FileName.lock), .read)
      defer { file.close() }
      let isLocked = file.isLocked()
      return (isLocked, isLocked == true ? try WriterLock.process(file) : nil)
    } catch {
      throw failure(error)
    }
  }

  private func readLive(_ names: [String]) throws(LogError) -> LiveState? {
    guard names.contains(FileName.live) else { return nil }
    do throws(FileError) {
      let file = try fileSystem.open(join(directory, FileName.live), .read)
      defer { file.close() }
      let bytes = try file.readBytes(Format.liveSize, at: 0)
      return bytes.withUnsafeBytes { LiveState.decode($0) }
    } catch {
      // A writer that closes takes it away.
      if error.number == ENOENT { return nil }
      throw failure(error)
    }
  }

  // MARK: Tails

  private mutating func readTails(
    _ names: [String], isBeingWritten: Bool?
  ) throws(LogError) -> ([LogIndex.TailInfo], [TailChunk]) {
    var best: [UInt64: (info: LogIndex.TailInfo, chunks: [TailChunk])] = [:]
    for name in names {
      let isTail = FileName.tailNumber(name) != nil
      guard isTail || FileName.copyNumber(name) != nil else { continue }
      // While the tail's own memory is there, its copy says nothing new.
      if !isTail && isBeingWritten == true { continue }
      do throws(FileError) {
        guard let found = try readTail(name, isTail: isTail) else { continue }
        let salt = found.0.header.salt
        if let other = best[salt], other.info.nextSequence >= found.0.nextSequence { continue }
        best[salt] = (info: found.0, chunks: found.1)
      } catch {
        if error.number == 0 { throw .newer(join(directory, error.path), error.operation) }
        if error.number == ENOENT { continue }
        throw failure(error)
      }
    }
    let sorted = best.values.sorted {
      $0.info.header.firstSequence < $1.info.header.firstSequence
    }
    if isBeingWritten != true {
      for (info, _) in sorted where FileName.tailNumber(info.name) != nil {
        let entry = LogDamage.remains(
          info.remains, path: join(directory, info.name), offset: info.end,
          next: info.nextSequence)
        if let entry { damage.append(entry) }
      }
    }
    return (sorted.map(\.info), sorted.flatMap(\.chunks))
  }

  private mutating func readTail(
    _ name: String, isTail: Bool
  ) throws(FileError) -> (LogIndex.TailInfo, [TailChunk])? {
    let file = try fileSystem.open(join(directory, name), .read)
    defer { file.close() }
    tailBytes += try file.size()
    let (found, finding) = try TailScan.begin(file)
    guard var scan = found else {
      if case .newer(let what) = finding { throw FileError(what, name, 0) }
      if isTail, let entry = try TailScan.damage(finding, file) { damage.append(entry) }
      return nil
    }
    if !scan.isHeaderWhole && isTail {
      damage.append(
        LogDamage(
          effect: .none, path: join(directory, name), offset: 0,
          message: "one of the two copies of the header is damaged"))
    }
    let header = scan.header
    var chunks: [TailChunk] = []
    while try scan.next({ sequence, frame in
      let isNew = chunks.last.map { frame.offset - $0.offset >= Self.chunkSize } ?? true
      if isNew {
        chunks.append(
          TailChunk(
            name: name, header: header, offset: frame.offset, end: frame.offset,
            firstSequence: sequence, earliest: frame.time, latest: frame.time))
      }
      chunks[chunks.count - 1].include(frame)
    }) {}
    let info = LogIndex.TailInfo(
      name: name, header: header, nextSequence: scan.nextSequence,
      remains: try scan.remains(), end: scan.offset, durable: scan.durable)
    return (info, chunks)
  }

  // MARK: Segments

  private mutating func readSegments(
    _ names: [String], isBeingWritten: Bool?, isClosed: Bool
  ) throws(LogError) -> [SegmentScan] {
    var known: [String: SegmentScan] = [:]
    for scan in previous?.segments ?? [] where scan.hasFooter { known[scan.name] = scan }
    let segments = names.filter { FileName.segmentNumber($0) != nil }
    var result: [SegmentScan] = []
    for name in segments {
      if let scan = known[name] {
        result.append(scan)
        note(scan, isLast: name == segments.last, isBeingWritten: isBeingWritten)
        continue
      }
      let path = join(directory, name)
      do throws(FileError) {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        switch try SegmentScan.scan(file, name: name) {
        case .segment(var scan):
          if isClosed && name == segments.last && scan.loseEnd() { cutOff = name }
          result.append(scan)
          note(scan, isLast: name == segments.last, isBeingWritten: isBeingWritten)
        case .newer(let what):
          throw FileError(what, name, 0)
        case .unused:
          // A kill leaves such a one only behind the last block, and nothing in it.
          let hasMore = try TailScan.hasContent(file, from: Format.segmentStart)
          if (name != segments.last && isBeingWritten != true) || hasMore || isClosed {
            noteUnreadable(name, segments)
            if isClosed && name == segments.last { cutOff = name }
          }
        case .damagedHeader:
          noteUnreadable(name, segments)
          if isClosed && name == segments.last { cutOff = name }
        }
      } catch {
        if error.number == 0 { throw .newer(path, error.operation) }
        // Deleted by retention since the directory was listed.
        if error.number == ENOENT { continue }
        throw failure(error)
      }
    }
    noteMissingIndexes(result)
    return result
  }

  /// A run that was killed is followed by what recovery wrote; where another run follows at once, it
  /// was closed, and closing writes an index.
  private mutating func noteMissingIndexes(_ segments: [SegmentScan]) {
    for (scan, next) in zip(segments, segments.dropFirst())
    where !scan.hasFooter && next.header.run > scan.header.run {
      let flags = next.header.flags
      guard flags.contains(.startsRun), !flags.contains(.recovered),
        !scan.damage.contains(where: \.isAtEnd)
      else { continue }
      damage.append(
        LogDamage(
          effect: .none, path: join(directory, scan.name), offset: scan.end,
          message: "the index at the end is missing; the blocks were found without it"))
    }
  }

  private mutating func noteUnreadable(_ name: String, _ segments: [String]) {
    let first = FileName.segmentNumber(name) ?? 0
    unreadable.append(first)
    let next = segments.first { $0 > name }.flatMap { FileName.segmentNumber($0) }
    damage.append(
      LogDamage(
        effect: .loss, path: join(directory, name), offset: 0,
        sequences: next.flatMap { $0 > first ? first...($0 - 1) : nil },
        message: "this is no segment, or its header is damaged: nothing in it can be read"))
  }

  private mutating func note(_ scan: SegmentScan, isLast: Bool, isBeingWritten: Bool?) {
    for entry in scan.damage {
      // The end of a segment that is being written is not there yet.
      if entry.isAtEnd && isLast && isBeingWritten == true { continue }
      damage.append(
        LogDamage(
          effect: entry.effect, path: join(directory, scan.name), offset: entry.offset,
          message: entry.message))
    }
  }
}

extension TailChunk {
  mutating func include(_ frame: TailFrame) {
    count += 1
    end = frame.offset + TailFrame.size(frame.body.count)
    let kind = RecordKind(rawValue: frame.kind)
    kinds.insert(kind)
    if kind == .action { actions[frame.stream, default: 0] += 1 }
    if frame.time < earliest { earliest = frame.time }
    if frame.time > latest { latest = frame.time }
  }
}
