import ActionLog
import Dispatch
import LogSimulation
import Synchronization
import Testing

/// What a log does that has as many bytes as it may, and nothing that can be removed.
@Suite struct RetentionLimitTests {
  /// What a writer's owner was told.
  private final class Owner: Sendable {
    private let told = Mutex<(failures: [LogError], gaps: [LogGap])>(([], []))

    private let hasRecovered = DispatchSemaphore(value: 0)

    func waitForRecovery() { hasRecovered.wait() }

    var failures: [LogError] { told.withLock { $0.failures } }
    var gaps: [LogGap] { told.withLock { $0.gaps } }

    func options(_ bytes: UInt64, _ policy: FailurePolicy = .dropOldest) -> LogOptions {
      var options = LogOptions()
      options.blockSize = 1 << 10
      options.initialTailSize = 4 << 10
      options.maximumTailSize = 8 << 10
      options.segmentSize = 1 << 20
      options.syncPolicy = .none
      options.failurePolicy = policy
      options.retention.maximumBytes = bytes
      options.onFailure = { error in self.told.withLock { $0.failures.append(error) } }
      options.onRecovery = { gap in
        self.told.withLock { $0.gaps.append(gap) }
        self.hasRecovered.signal()
      }
      return options
    }
  }

  private static func text(_ path: String = "/x") -> String {
    """
    The log "\(path)" has reached the 8192 bytes that its retention allows, and nothing of it can be \
    removed: no later segment begins with the whole state of every stream. New records are not \
    taken until one does. Allow more bytes, or make every state encodable.
    """
  }

  private static func cut(_ writer: LogWriter, isComplete: Bool, size: Int = 1) {
    // Bytes that do not pack.
    var generator = SeededGenerator(seed: UInt64(size))
    let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let state = PreambleRecord(kind: .state, stream: 0, payload: bytes)
    writer.cut(next: { SegmentCut([state], isComplete: isComplete) })
  }

  /// Appends records that do not pack, and returns how many were not taken.
  ///
  /// `answer` is what the owner does each time that a cut is wanted.
  @discardableResult
  private func append(
    _ count: Int, to writer: LogWriter, answer: (LogWriter) -> Void = { _ in }
  ) throws -> UInt64 {
    var dropped: UInt64 = 0
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<count {
      let bytes = (0..<100).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      if try writer.append(.action, stream: 0, payload: bytes) == 0 { dropped += 1 }
      // The log's thread has looked at what there is when this returns.
      try writer.flush()
      if writer.wantsCut { answer(writer) }
    }
    return dropped
  }

  private func size(_ disk: any FileSystem, _ path: String = "/x") throws -> UInt64 {
    try LogReader(at: path, fileSystem: disk).summary.segmentBytes
  }

  @Test(arguments: [FailurePolicy.fail, .pause, .dropOldest])
  func withoutACompleteCutNoMoreIsTaken(_ policy: FailurePolicy) throws {
    let disk = MemoryFileSystem()
    let owner = Owner()
    let writer = try LogWriter(at: "/x", options: owner.options(8 << 10, policy), fileSystem: disk)
    var cuts = 0
    let dropped = try append(200, to: writer) { writer in
      cuts += 1
      Self.cut(writer, isComplete: false)
    }
    #expect(dropped > 90 && dropped < 150)
    #expect(writer.statistics.dropped == dropped)
    #expect(writer.statistics.failures == 1)
    #expect(owner.failures == [LogError(.limitReached, Self.text(), path: "/x")])
    #expect(owner.failures.first?.description == Self.text())
    #expect(owner.gaps.isEmpty)
    // An owner who can't is not asked at each record.
    #expect(cuts < 10)
    try writer.close()
    #expect(try size(disk) < 11 << 10)
    let records = try LogReader(at: "/x", mode: .strict, fileSystem: disk).all()
    #expect(records.map(\.sequence) == Array(1...(200 - dropped + 1)))
    let gap = try #require(records.last)
    #expect(gap.kind == .gap)
    let note = gap.payload.withUnsafeBytes { LogGap($0) }
    #expect(note == LogGap(sequences: nil, dropped: dropped, cause: LogGap.limitReached))
    #expect(
      note?.description
        == "\(dropped) records were not taken: the log had the bytes that its retention allows")
  }

  @Test func aCompleteCutEndsIt() throws {
    try onEachFileSystem { disk, path in
      let owner = Owner()
      let writer = try LogWriter(at: path, options: owner.options(8 << 10), fileSystem: disk)
      let dropped = try append(200, to: writer) { Self.cut($0, isComplete: false) }
      #expect(dropped > 0)
      Self.cut(writer, isComplete: true)
      owner.waitForRecovery()
      #expect(
        owner.gaps == [LogGap(sequences: nil, dropped: dropped, cause: LogGap.limitReached)])
      // What was lost is behind the state of that cut: another is wanted.
      try append(1, to: writer)
      #expect(writer.wantsCut)
      Self.cut(writer, isComplete: true)
      #expect(try append(20, to: writer) { Self.cut($0, isComplete: true) } == 0)
      #expect(owner.failures.count == 1)
      // And again, told again.
      let again = try append(200, to: writer) { Self.cut($0, isComplete: false) }
      #expect(again > 0)
      #expect(owner.failures.count == 2)
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: disk)
      #expect(reader.summary.segments.first?.isComplete == true)
      #expect(reader.summary.firstSequence > 1)
      #expect(try size(disk, path) < 11 << 10)
      #expect(try reader.verify().isGood)
    }
  }

  /// Without anyone who cuts, nothing but the limit can keep the log small.
  @Test func aProgramThatNeverCutsIsStoppedTwoBlocksBehindTheLimit() throws {
    try onEachFileSystem { disk, path in
      let owner = Owner()
      let writer = try LogWriter(at: path, options: owner.options(8 << 10), fileSystem: disk)
      #expect(try append(200, to: writer) > 0)
      #expect(writer.wantsCut)
      #expect(owner.failures.map(\.message) == [Self.text(path)])
      try writer.close()
      let end = try size(disk, path)
      #expect(end > 8 << 10 && end < 14 << 10)
    }
  }

  @Test func oneWhoAnswersInTimeLosesNothing() throws {
    try onEachFileSystem { disk, path in
      let owner = Owner()
      let writer = try LogWriter(at: path, options: owner.options(8 << 10), fileSystem: disk)
      #expect(try append(600, to: writer) { Self.cut($0, isComplete: true) } == 0)
      #expect(owner.failures.isEmpty && owner.gaps.isEmpty)
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: disk)
      #expect(reader.summary.firstSequence > 400)
      #expect(reader.summary.nextSequence == 601)
      #expect(try size(disk, path) < 12 << 10)
    }
  }

  /// A state that is larger than the limit is no reason to cut at each record, or to stop.
  @Test func aStateLargerThanTheLimitGetsItsRoomTwice() throws {
    let disk = MemoryFileSystem()
    let owner = Owner()
    let writer = try LogWriter(at: "/x", options: owner.options(2 << 10), fileSystem: disk)
    var cuts = 0
    let dropped = try append(300, to: writer) { writer in
      cuts += 1
      Self.cut(writer, isComplete: true, size: 8000)
    }
    #expect(dropped == 0)
    #expect(cuts > 2 && cuts < 12)
    #expect(owner.failures.isEmpty)
    try writer.close()
    #expect(try size(disk) < 20 << 10)
  }

  @Test func anotherRunRemovesWhatTheOneBeforeCouldNot() throws {
    try onEachFileSystem { disk, path in
      let owner = Owner()
      let first = try LogWriter(at: path, options: owner.options(8 << 10), fileSystem: disk)
      #expect(try append(200, to: first) { Self.cut($0, isComplete: false) } > 0)
      try first.close()
      let second = try LogWriter(at: path, options: owner.options(8 << 10), fileSystem: disk)
      #expect(try append(30, to: second) == 0)
      try second.close()
      let summary = try LogReader(at: path, mode: .strict, fileSystem: disk).summary
      #expect(summary.runs.map(\.number) == [2])
      #expect(owner.failures.count == 1)
    }
  }

  /// On a disk where tails are not mapped, too.
  @Test func itIsTheSameWithoutMapping() throws {
    let disk = MemoryFileSystem(isMappingSafe: false)
    let owner = Owner()
    let writer = try LogWriter(at: "/x", options: owner.options(8 << 10), fileSystem: disk)
    let dropped = try append(200, to: writer) { Self.cut($0, isComplete: false) }
    #expect(dropped > 0)
    Self.cut(writer, isComplete: true)
    owner.waitForRecovery()
    #expect(try append(20, to: writer) { Self.cut($0, isComplete: true) } == 0)
    try writer.close()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: disk).verify().isGood)
  }
}
