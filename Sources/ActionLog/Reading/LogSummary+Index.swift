/// What a stretch says that ends with the record that recovery wrote.
struct RecoveredEnd {
  var note: RecoveryNote
  /// The earliest and the latest time of the run's own records in it, if there are any.
  var times: (UInt64, UInt64)?
}

extension LogSummary {
  /// Adds up what an index knows; `readEnd` reads what recovery wrote about a run, and
  /// `countActions` counts those of a stretch of a tail.
  init(
    _ index: LogIndex, path: String, readEnd: (LogIndex.Unit) -> RecoveredEnd?,
    countActions: (LogIndex.Unit, TailChunk) -> [UInt16: UInt64]
  ) {
    self.path = path
    firstSequence = index.firstSequence
    nextSequence = index.nextSequence
    gaps = index.gaps
    damage = index.damage
    isBeingWritten = index.isBeingWritten
    writer = index.writer
    tailBytes = index.tailBytes
    segments = index.segments.map { SegmentSummary($0, directory: index.directory) }
    segmentBytes = segments.reduce(0) { $0 + $1.size }
    for unit in index.units { add(unit, index, readEnd, countActions) }
    addLive(index)
  }

  private mutating func add(
    _ unit: LogIndex.Unit, _ index: LogIndex, _ readEnd: (LogIndex.Unit) -> RecoveredEnd?,
    _ countActions: (LogIndex.Unit, TailChunk) -> [UInt16: UInt64]
  ) {
    var times: (UInt64, UInt64)?
    var counts: [UInt16: UInt64] = [:]
    var kinds = RecordKindSet()
    var isClean = false
    switch unit.source {
    case .block(let segment, let entry):
      let block = index.segments[segment].entries[entry].header
      times = (block.earliest, block.latest)
      for count in block.streams { counts[count.stream, default: 0] += UInt64(count.actions) }
      kinds.rawValue = block.kinds
      isClean = index.segments[segment].isClean
    case .chunk(let number):
      let chunk = index.chunks[number]
      times = (chunk.earliest, chunk.latest)
      counts = countActions(unit, chunk)
      kinds = chunk.kinds
      tailRecords += unit.endSequence - unit.firstSequence
    }
    let end = kinds.contains(.recovery) ? readEnd(unit) : nil
    // Recovery may come days after the run.
    let own = end.map(\.times) ?? times
    let shown = own ?? times ?? (0, 0)
    if runs.last?.number != unit.run {
      runs.append(
        RunSummary(
          number: unit.run, firstSequence: unit.firstSequence, lastSequence: unit.firstSequence,
          firstTime: shown.0, lastTime: shown.1))
    }
    let last = runs.count - 1
    runs[last].lastSequence = unit.endSequence - 1
    if let own {
      runs[last].firstTime = min(runs[last].firstTime, own.0)
      runs[last].lastTime = max(runs[last].lastTime, own.1)
    }
    runs[last].counts.merge(counts, uniquingKeysWith: +)
    runs[last].endedCleanly = isClean
    if let note = end?.note {
      runs[last].inFlight = note.inFlight
      runs[last].process = note.process
    }
  }

  /// What the last writer said of itself, when it has not closed.
  private mutating func addLive(_ index: LogIndex) {
    guard let live = index.live, let last = runs.indices.last, runs[last].number == live.run else {
      return
    }
    runs[last].isBeingWritten = index.isBeingWritten == true
    runs[last].inFlight = live.inFlight
    runs[last].process = live.process
  }
}

extension SegmentSummary {
  init(_ scan: SegmentScan, directory: String) {
    self.init(
      path: join(directory, scan.name), run: scan.header.run,
      firstSequence: scan.header.firstSequence, nextSequence: scan.nextSequence,
      blocks: scan.entries.count, size: scan.fileSize, created: scan.header.created,
      hasPreamble: scan.entries.first?.header.isPreamble == true,
      isComplete: scan.header.flags.contains(.complete),
      startsRun: scan.header.flags.contains(.startsRun),
      isRecovered: scan.header.flags.contains(.recovered),
      isRepacked: scan.header.flags.contains(.repacked), hasIndex: scan.hasFooter)
  }
}

extension BlockSummary {
  init(_ header: BlockHeader, run: UInt32) {
    var actions: [UInt16: UInt64] = [:]
    for count in header.streams { actions[count.stream, default: 0] += UInt64(count.actions) }
    self.init(
      run: run, firstSequence: header.firstSequence, count: Int(header.count),
      kinds: RecordKindSet(rawValue: header.kinds), actions: actions, earliest: header.earliest,
      latest: header.latest, isPreamble: header.isPreamble, isTail: false,
      storedSize: header.size + Int(header.storedSize), rawSize: Int(header.rawSize))
  }

  init(_ chunk: TailChunk, from first: UInt64, actions: [UInt16: UInt64]) {
    self.init(
      run: chunk.header.run, firstSequence: first,
      count: Int(chunk.firstSequence + UInt64(chunk.count) - first), kinds: chunk.kinds,
      actions: actions, earliest: chunk.earliest, latest: chunk.latest, isPreamble: false,
      isTail: true, storedSize: chunk.end - chunk.offset, rawSize: chunk.end - chunk.offset)
  }
}
