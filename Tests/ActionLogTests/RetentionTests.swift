import Foundation
import Synchronization
import LogSimulation
import Testing

@testable import ActionLog

/// What goes when a log is to stay small, and what never does.
@Suite struct RetentionTests {
  private func facts(_ entries: [(UInt64, Bool, UInt64)]) -> [Pruning.Facts] {
    entries.enumerated().map { index, entry in
      let header = SegmentHeader(
        salt: 1, firstSequence: UInt64(index + 1), run: 1,
        flags: entry.1 ? [.preamble, .complete] : [], created: entry.2 * 1_000_000, durable: 0)
      return Pruning.Facts(name: FileName.segment(UInt64(index + 1)), size: entry.0, header: header)
    }
  }

  private func count(
    _ facts: [Pruning.Facts], bytes: UInt64? = nil, age: UInt64? = nil, now: UInt64 = 1000
  ) -> Int {
    Pruning.plan(
      facts, Retention(maximumBytes: bytes, maximumAge: age), now: now * 1_000_000
    ).count
  }

  @Test func bytesAreKeptByWholeSegmentsFromTheOldest() {
    let all = facts([(10, true, 1), (10, true, 2), (10, true, 3), (10, true, 4)])
    #expect(count(all, bytes: 100) == 0)
    #expect(count(all, bytes: 40) == 0)
    #expect(count(all, bytes: 39) == 1)
    #expect(count(all, bytes: 20) == 2)
    // Never all.
    #expect(count(all, bytes: 1) == 3)
    #expect(Pruning.plan(all, Retention(maximumBytes: 1), now: 0).isOver)
    #expect(Pruning.plan(all, Retention(maximumBytes: 20), now: 0).rest == 20)
    #expect(count([], bytes: 1) == 0)
    #expect(count(all) == 0)
  }

  @Test func theOnlyCheckpointIsNeverRemoved() {
    // Nothing after the first stands alone.
    let one = facts([(10, true, 1), (10, false, 2), (10, false, 3)])
    #expect(count(one, bytes: 1) == 0)
    #expect(Pruning.plan(one, Retention(maximumBytes: 1), now: 0).isOver)
    // From one that stands alone to the next that does.
    let two = facts([(10, true, 1), (10, false, 2), (10, true, 3), (10, false, 4)])
    #expect(count(two, bytes: 35) == 2)
    #expect(count(two, bytes: 1) == 2)
  }

  /// A wrong clock does not block retention, and the records' own times say nothing.
  @Test func ageIsThatOfTheSeal() {
    // Sealed when the next one was made: at 100, 200 and 300; the last is open.
    let all = facts([(10, true, 0), (10, true, 100), (10, true, 200), (10, true, 300)])
    #expect(count(all, age: 850, now: 1000) == 1)
    #expect(count(all, age: 650, now: 1000) == 3)
    #expect(count(all, age: 2000, now: 1000) == 0)
    // The clock was a year ahead for one segment: that one looks young, those behind it do not.
    let ahead = facts([(10, true, 0), (10, true, 31_536_000), (10, true, 200), (10, true, 300)])
    #expect(count(ahead, age: 750, now: 1000) == 2)
  }

  @Test func aHeaderThatCannotBeReadIsNoPlaceToBegin() {
    var all = facts([(10, true, 1), (10, true, 2), (10, true, 3)])
    all[1].header = nil
    #expect(count(all, bytes: 25) == 2)
    #expect(count(all, bytes: 5) == 2)
  }

  // MARK: The writer

  private func options(_ bytes: UInt64) -> LogOptions {
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.initialTailSize = 4 << 10
    options.maximumTailSize = 8 << 10
    options.segmentSize = 8 << 10
    options.retention.maximumBytes = bytes
    options.syncPolicy = .none
    return options
  }

  private func write(_ writer: LogWriter, _ numbers: ClosedRange<Int>, isComplete: Bool) throws {
    for number in numbers {
      try writer.append(.action, stream: 0, payload: payload(number, 100))
      if number % 100 == 0 {
        let state = PreambleRecord(kind: .state, stream: 0, payload: [UInt8(number & 255)])
        writer.cut(next: { SegmentCut([state], isComplete: isComplete) })
        try writer.flush()
      }
    }
  }

  @Test func aWriterRemovesOldSegments() throws {
    try onEachFileSystem { disk, path in
      let writer = try LogWriter(at: path, options: options(20 << 10), fileSystem: disk)
      try write(writer, 1...2000, isComplete: true)
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: disk)
      let summary = reader.summary
      #expect(summary.segmentBytes <= 28 << 10)
      #expect(summary.firstSequence > 1000)
      #expect(summary.segments.first?.isComplete == true)
      #expect(try reader.all().last?.sequence == 2000)
      #expect(try reader.verify().isGood)
    }
  }

  // MARK: Pruning

  private func log() throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    for _ in 1...5 {
      let writer = try LogWriter(at: "/x", fileSystem: disk)
      for number in 1...20 { try writer.append(.action, stream: 0, payload: payload(number, 200)) }
      try writer.close()
    }
    return disk
  }

  @Test func aDryRunSaysWhatARealOneDoes() throws {
    let disk = try log()
    let before = disk.paths
    let size = try LogReader(at: "/x", fileSystem: disk).summary.segmentBytes
    let retention = Retention(maximumBytes: size / 2)
    let dry = try prune(at: "/x", retention, isDryRun: true, fileSystem: disk)
    #expect(disk.paths == before)
    let oldest: [UInt64] = [1, 21, 41]
    #expect(dry.paths == oldest.map { "/x/\(FileName.segment($0))" })
    #expect(dry.firstSequence == 61)
    #expect(dry.keptSegments == 2)
    let real = try prune(at: "/x", retention, fileSystem: disk)
    #expect(real == dry)
    #expect(real.bytes + real.keptBytes == size)
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    #expect(try reader.all().map(\.sequence) == Array(61...100))
  }

  @Test func aLogThatIsWrittenIsNotPrunedByAnother() throws {
    let disk = try log()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    let error = logError {
      _ = try prune(at: "/x", Retention(maximumBytes: 1), fileSystem: disk)
    }
    #expect(error?.code == .locked)
    #expect(
      error?.message == """
        The log "/x" is being written by process \(getpid()), and only one program can write a log \
        at a time. Wait until it ends, or record to another path.
        """)
    let dry = try prune(at: "/x", Retention(maximumBytes: 1), isDryRun: true, fileSystem: disk)
    #expect(dry.paths.count == 4)
    try writer.close()
    #expect(
      logError { _ = try prune(at: "/y", Retention(), fileSystem: disk) }?.code == .notFound)
  }

  // MARK: Readers

  /// A reader never holds anything that retention waits for, and is told what it missed.
  @Test func aSlowReaderIsToldWhatWasRemovedBeforeIt() throws {
    let disk = try log()
    let reader = try LogReader(at: "/x", fileSystem: disk)
    let salvage = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    var cursor = reader.cursor()
    var other = salvage.cursor()
    for _ in 1...5 {
      _ = try cursor.next()
      _ = try other.next()
    }
    _ = try prune(at: "/x", Retention(maximumBytes: 1), fileSystem: disk)
    // What was read ahead is there.
    for number in 6...20 { #expect(try cursor.next()?.sequence == UInt64(number)) }
    #expect(
      logError { _ = try cursor.next() }
        == LogError(
          .deleted,
          """
          records 21 to 80 are no longer in the log "/x": older segments were removed while it was \
          read. Go on from record 81.
          """, path: "/x"))
    try cursor.seek(to: 81)
    #expect(try cursor.next()?.sequence == 81)
    var seen: [UInt64] = []
    while let record = try other.next() { seen.append(record.sequence) }
    #expect(seen == Array(6...20) + Array(81...100))
    #expect(other.gaps == [21...80])
  }
}
