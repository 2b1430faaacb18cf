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

  init(
    directory: String, segments: [SegmentScan], chunks: [TailChunk], tails: [TailInfo],
    damage: [LogDamage], live: LiveState?, isBeingWritten: Bool?, writer: UInt32?,
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
    for (number, chunk) in chunks.enumerated() { assembly.add(chunk, number) }
    units = assembly.units
    self.damage = damage + assembly.damage
  }

  var firstSequence: UInt64 { units.first?.firstSequence ?? 1 }
  var nextSequence: UInt64 { units.last?.endSequence ?? 1 }

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

  mutating func add(_ segment: SegmentScan, _ number: Int) {
    for index in segment.records.indices {
      let block = segment.entries[index].header
      add(
        first: block.firstSequence, end: block.endSequence, run: segment.header.run,
        source: .block(segment: number, entry: index), path: join(directory, segment.name),
        offset: segment.entries[index].offset)
    }
  }

  mutating func add(_ chunk: TailChunk, _ number: Int) {
    add(
      first: chunk.firstSequence, end: chunk.firstSequence + UInt64(chunk.count),
      run: chunk.header.run, source: .chunk(number), path: join(directory, chunk.name),
      offset: UInt64(chunk.offset), mayOverlap: true)
  }

  private mutating func add(
    first: UInt64, end: UInt64, run: UInt32, source: LogIndex.Unit.Source, path: String,
    offset: UInt64, mayOverlap: Bool = false
  ) {
    guard let expected = units.last?.endSequence else {
      units.append(
        LogIndex.Unit(firstSequence: first, endSequence: end, run: run, source: source))
      return
    }
    if first > expected {
      damage.append(
        LogDamage(
          effect: .loss, path: directory, sequences: expected...(first - 1),
          message: "\(LogError.records(expected...(first - 1))) missing"))
    }
    if first < expected && !mayOverlap {
      damage.append(
        LogDamage(
          effect: .none, path: path, offset: offset,
          message: "a block begins again at record \(first), behind record \(expected - 1)"))
    }
    if end > expected {
      units.append(
        LogIndex.Unit(
          firstSequence: max(first, expected), endSequence: end, run: run, source: source))
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
