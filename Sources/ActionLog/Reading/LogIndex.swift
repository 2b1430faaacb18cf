internal import CActionLog
internal import Glibc

/// A stretch of a tail that is read at once, like a block.
struct TailChunk: Sendable {
  var name: String
  var header: TailHeader
  var offset: Int
  var end: Int
  var firstSequence: UInt64
  var count = 0
  var kinds = RecordKindSet()
  var actions: [UInt16: UInt64] = [:]
  var earliest: UInt64
  var latest: UInt64
}

/// What is where in a log, as of one look at its directory.
///
/// It is not changed afterwards.
final class LogIndex: Sendable {
  struct Unit: Sendable {
    enum Source: Sendable {
      case block(segment: Int, entry: Int)
      case chunk(Int)
    }

    /// The first record that it is read for; later than the first in it when an earlier unit
    /// holds that one, too.
    var firstSequence: UInt64
    var endSequence: UInt64
    var run: UInt32
    var source: Source
  }

  /// A tail's file, and how far it could be read.
  struct TailInfo: Sendable {
    var name: String
    var header: TailHeader
    var nextSequence: UInt64
    var remains: TailScan.Remains
    var end: Int
    /// Every record up to this one was durable, as its sync marks say.
    var durable: UInt64
  }

  let directory: String
  let segments: [SegmentScan]
  let chunks: [TailChunk]
  let tails: [TailInfo]
  let units: [Unit]
  let damage: [LogDamage]
  let live: LiveState?
  let isBeingWritten: Bool?
  let writer: UInt32?
  let tailBytes: UInt64
  /// Records behind the last that can be read, which a sync mark says were durable.
  let lostEnd: ClosedRange<UInt64>?
  /// Records before the first that can be read, of segments that can't be.
  let lostStart: ClosedRange<UInt64>?
  /// A last segment that can't be read to its end, though the run was closed: how much is lost is
  /// not known.
  let lostFile: String?
  /// What the log itself says is missing, in order.
  let gaps: [LogGap]

  init(
    directory: String, segments: [SegmentScan], chunks: [TailChunk], tails: [TailInfo],
    unreadable: [UInt64], cutOff: String?, damage: [LogDamage], live: LiveState?,
    isBeingWritten: Bool?, writer: UInt32?,
    tailBytes: UInt64
  ) {
    self.directory = directory
    self.segments = segments
    self.chunks = chunks
    self.tails = tails
    self.live = live
    self.isBeingWritten = isBeingWritten
    self.writer = writer
    self.tailBytes = tailBytes
    var assembly = UnitAssembly(directory: directory)
    for (number, segment) in segments.enumerated() { assembly.add(segment, number) }
    assembly.fill(with: chunks)
    assembly.findGaps()
    units = assembly.units
    let next = units.last?.endSequence ?? 1
    // While a writer goes on, marks may be newer than the records that were looked at.
    let isOver = isBeingWritten == false
    var durable: UInt64 = 0
    if isOver {
      for segment in segments { durable = max(durable, segment.durable) }
      for tail in tails { durable = max(durable, tail.durable) }
    }
    lostStart = assembly.lostStart(unreadable, isOver: isOver)
    lostFile = cutOff
    lostEnd = durable >= next && !units.isEmpty ? next...durable : nil
    gaps = assembly.gaps
    var damage = damage + assembly.damage
    if let lostEnd {
      damage.append(
        LogDamage(
          effect: .loss, path: directory, sequences: lostEnd,
          message: "\(LogError.records(lostEnd)) missing, which had been made durable"))
    }
    self.damage = damage
  }

  var firstSequence: UInt64 { units.first?.firstSequence ?? 1 }
  var nextSequence: UInt64 { units.last?.endSequence ?? 1 }

  /// The stretch of a tail that holds a record; nil when none does.
  func chunk(for sequence: UInt64) -> Int? {
    chunks.firstIndex {
      $0.firstSequence <= sequence && sequence < $0.firstSequence + UInt64($0.count)
    }
  }

  /// The unit that holds a record, or else the first one behind it.
  func unit(for sequence: UInt64) -> Int? {
    var low = 0
    var high = units.count
    while low < high {
      let middle = (low + high) / 2
      if units[middle].endSequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low < units.count ? low : nil
  }
}

/// Puts blocks and stretches of tails in order, and notes what is missing between them.
private struct UnitAssembly {
  let directory: String
  var units: [LogIndex.Unit] = []
  var damage: [LogDamage] = []
  var gaps: [LogGap] = []
  /// What segments say is missing, by the first record behind it.
  private var known: [UInt64: SegmentHeader.Gap] = [:]

  /// What the first segment's header says.
  private var firstInSegments: UInt64?

  init(directory: String) {
    self.directory = directory
  }

  mutating func add(_ segment: SegmentScan, _ number: Int) {
    if number == 0 { firstInSegments = segment.header.firstSequence }
    supersede(from: segment)
    let path = join(directory, segment.name)
    for index in segment.records.indices {
      let block = segment.entries[index].header
      add(
        LogIndex.Unit(
          firstSequence: block.firstSequence, endSequence: block.endSequence,
          run: segment.header.run, source: .block(segment: number, entry: index)),
        path: path, offset: segment.entries[index].offset,
        gap: index == segment.records.startIndex ? segment.header.gap : nil)
    }
  }

  /// Where a segment begins with a number that an earlier one has as well, it counts from there on:
  /// recovery wrote it since the other could not be read.
  private mutating func supersede(from segment: SegmentScan) {
    guard let first = segment.records.first?.header.firstSequence else { return }
    while let last = units.last, last.firstSequence >= first, last.run <= segment.header.run {
      units.removeLast()
    }
    if let last = units.last, last.endSequence > first, last.run <= segment.header.run {
      units[units.count - 1].endSequence = first
    }
  }

  private mutating func add(
    _ unit: LogIndex.Unit, path: String, offset: UInt64, gap: SegmentHeader.Gap?
  ) {
    var unit = unit
    let first = unit.firstSequence
    if let gap { known[first] = gap }
    let expected = units.last?.endSequence ?? first
    if first < expected {
      damage.append(
        LogDamage(
          effect: .none, path: path, offset: offset,
          message: "a block begins again at record \(first), behind record \(expected - 1)"))
    }
    if unit.endSequence > expected {
      unit.firstSequence = max(first, expected)
      units.append(unit)
    }
  }

  /// Takes from tails what no segment has: behind the last record, and where a block was lost that a
  /// tail still holds.
  mutating func fill(with chunks: [TailChunk]) {
    let sealed = units
    // What is before the first segment was removed with older ones.
    var next = firstInSegments ?? 1
    for (number, chunk) in chunks.enumerated() {
      var at = chunk.firstSequence
      let end = at + UInt64(chunk.count)
      at = max(at, min(next, end))
      var index = firstUnit(behind: at, in: sealed)
      while at < end {
        let stop = index < sealed.count ? min(end, max(at, sealed[index].firstSequence)) : end
        if stop > at {
          units.append(
            LogIndex.Unit(
              firstSequence: at, endSequence: stop, run: chunk.header.run, source: .chunk(number)))
        }
        guard index < sealed.count else { break }
        at = max(stop, sealed[index].endSequence)
        index += 1
      }
      next = max(next, end)
    }
    if units.count > sealed.count { units.sort { $0.firstSequence < $1.firstSequence } }
  }

  /// The first of the units that ends behind a record.
  private func firstUnit(behind sequence: UInt64, in units: [LogIndex.Unit]) -> Int {
    var low = 0
    var high = units.count
    while low < high {
      let middle = (low + high) / 2
      if units[middle].endSequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The records before the first that can be read, when they were not removed with older segments;
  /// they are noted.
  mutating func lostStart(_ unreadable: [UInt64], isOver: Bool) -> ClosedRange<UInt64>? {
    guard let first = units.first?.firstSequence else { return nil }
    if let gap = known[first] {
      let missing = gap.first...(first - 1)
      gaps.insert(LogGap(sequences: missing, dropped: 0, cause: gap.cause), at: 0)
      // Behind the first of all there was nothing that can have been removed.
      return gap.first == 1 ? missing : nil
    }
    if let start = unreadable.first, start > 0, start < first { return start...(first - 1) }
    // Retention leaves a segment: where there is none, nothing was removed.
    let start = firstInSegments ?? 1
    guard isOver, start < first else { return nil }
    let missing = start...(first - 1)
    damage.append(
      LogDamage(
        effect: .loss, path: directory, sequences: missing,
        message: "\(LogError.records(missing)) missing"))
    return missing
  }

  /// Notes which numbers are left out.
  mutating func findGaps() {
    guard var expected = units.first?.endSequence else { return }
    for unit in units.dropFirst() {
      let first = unit.firstSequence
      if first > expected {
        let missing = expected...(first - 1)
        if let gap = known[first], gap.first <= expected {
          gaps.append(LogGap(sequences: missing, dropped: 0, cause: gap.cause))
        } else {
          damage.append(
            LogDamage(
              effect: .loss, path: directory, sequences: missing,
              message: "\(LogError.records(missing)) missing"))
        }
      }
      expected = unit.endSequence
    }
  }
}

extension LogError {
  /// `record 7 is`, or `records 7 to 9 are`.
  static func records(_ range: ClosedRange<UInt64>) -> String {
    range.lowerBound == range.upperBound
      ? "record \(range.lowerBound) is"
      : "records \(range.lowerBound) to \(range.upperBound) are"
  }
}
