internal import Synchronization

/// Reads a log, also one that is being written.
///
/// Nothing is ever written or made.
public final class LogReader: Sendable {
  /// The directory.
  public let path: String
  public let mode: ReadMode
  let fileSystem: any FileSystem
  let openSegments = OpenSegments()
  private let current: Mutex<LogIndex>

  /// Opens a log and looks through its directory, its segments' indexes and its tails.
  ///
  /// Throws when there is no log, when it is of a newer format, when the system refuses, and in
  /// `strict` mode when anything in it is damaged or torn.
  public init(
    at path: String, mode: ReadMode = .tolerateTail, fileSystem: any FileSystem = .real
  ) throws(LogError) {
    if path.isEmpty { throw .emptyPath }
    self.path = path
    self.mode = mode
    self.fileSystem = fileSystem
    var indexing = LogIndexing(directory: path, fileSystem: fileSystem)
    let index = try indexing.look()
    current = Mutex(index)
    if mode == .strict, let damage = index.damage.first {
      throw LogError(
        .damaged,
        """
        The log "\(path)" is damaged: \(damage). Open it without strict mode to read what is \
        good, or restore it from a backup.
        """, path: damage.path)
    }
  }

  var index: LogIndex { current.withLock { $0 } }

  /// Looks again: what a writer has appended since is seen from now on, by open cursors as well.
  public func refresh() throws(LogError) {
    try refresh(trusting: index)
  }

  /// Looks again at everything: a segment may have been packed again.
  func refreshFromScratch() throws(LogError) {
    try refresh(trusting: nil)
  }

  private func refresh(trusting previous: LogIndex?) throws(LogError) {
    var indexing = LogIndexing(directory: path, fileSystem: fileSystem, previous: previous)
    let next = try indexing.look()
    current.withLock { $0 = next }
    openSegments.keep(only: Set(next.segments.map { join(path, $0.name) }))
  }

  /// What the log holds, as of the last look.
  public var summary: LogSummary {
    LogSummary(index, path: path, readEnd: readEnd, countActions: countActions)
  }

  /// The blocks in order, then what is in tails only, in stretches.
  public var blocks: [BlockSummary] {
    let index = index
    var result: [BlockSummary] = []
    var current: Int?
    for unit in index.units {
      switch unit.source {
      case .block(let number, let entry):
        let segment = index.segments[number]
        if number != current {
          current = number
          for entry in segment.entries.prefix(while: { $0.header.isPreamble }) {
            result.append(BlockSummary(entry.header, run: segment.header.run))
          }
        }
        result.append(BlockSummary(segment.entries[entry].header, run: unit.run))
      case .chunk(let number):
        let chunk = index.chunks[number]
        result.append(
          BlockSummary(
            chunk, from: unit.firstSequence, actions: countActions(unit, chunk)))
      }
    }
    return result
  }

  /// The actions of a tail's stretch that no block holds, by stream.
  ///
  /// Sealing goes on between the stretches' bounds, so that a block may hold the first records of
  /// one: then the others are counted here, once for each tail at most.
  private func countActions(_ unit: LogIndex.Unit, _ chunk: TailChunk) -> [UInt16: UInt64] {
    guard unit.firstSequence > chunk.firstSequence else { return chunk.actions }
    var actions: [UInt16: UInt64] = [:]
    var cursor = cursor(from: unit.firstSequence)
    while cursor.nextSequence < unit.endSequence, let record = try? cursor.next() {
      if record.kind == .action { actions[record.stream, default: 0] += 1 }
    }
    return actions
  }

  /// A place in the log, before the record of this number.
  ///
  /// A number before the first record's is taken for the first.
  public func cursor(from sequence: UInt64 = 1) -> LogCursor {
    LogCursor(self, from: sequence)
  }

  /// Says that the block with a record is about to be read, so that a slow disk begins while
  /// something else is done; it does not wait.
  package func expectRead(of sequence: UInt64) {
    let index = index
    guard let unit = index.unit(for: sequence),
      case .block(let segment, let place) = index.units[unit].source
    else { return }
    let scan = index.segments[segment]
    let entry = scan.entries[place]
    // Whoever reads is told of what fails.
    guard let file = try? openSegments.file(at: join(path, scan.name), in: fileSystem) else {
      return
    }
    file.expectRead(of: entry.header.size + Int(entry.header.storedSize), at: entry.offset)
  }

  /// The records that a segment restates before its own; none for the first segment of a run.
  ///
  /// - Parameter segment: One of `summary.segments`.
  public func preamble(of segment: SegmentSummary) throws(LogError) -> [PreambleRecord] {
    let index = index
    guard
      let scan = index.segments.first(where: {
        $0.header.firstSequence == segment.firstSequence && $0.header.run == segment.run
      })
    else {
      throw LogError(
        .outOfRange,
        """
        The log "\(path)" has no segment that begins with record \(segment.firstSequence). Look \
        at its summary again.
        """, path: path)
    }
    var records: [PreambleRecord] = []
    let contents = BlockContents()
    let source = BlockSource(reader: self)
    for entry in scan.entries where entry.header.isPreamble {
      _ = try source.load(entry, of: scan, into: contents)
      records += contents.preambleRecords
    }
    return records
  }

  /// The note that recovery left about a run, if it did and it can be read, and the times of the
  /// records before it in the same block.
  private func readEnd(_ unit: LogIndex.Unit) -> RecoveredEnd? {
    var note: RecoveryNote?
    var times: (UInt64, UInt64)?
    var cursor = cursor(from: unit.firstSequence)
    while cursor.nextSequence < unit.endSequence, let record = try? cursor.next() {
      if record.kind == .recovery {
        note = RecoveryNote(record.payload, run: unit.run)
      } else {
        times = (
          min(times?.0 ?? .max, record.time), max(times?.1 ?? 0, record.time)
        )
      }
    }
    return note.map { RecoveredEnd(note: $0, times: times) }
  }
}
