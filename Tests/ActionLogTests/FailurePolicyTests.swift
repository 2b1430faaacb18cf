import ActionLog
import Foundation
import Synchronization
import LogSimulation
import Testing

/// What becomes of records while the log can't be written, and after.
@Suite struct FailurePolicyTests {
  private final class Told: Sendable {
    let errors = Mutex<[LogError]>([])
    let gaps = Mutex<[LogGap]>([])

    func options(_ policy: FailurePolicy, _ sync: SyncPolicy = .none) -> LogOptions {
      var options = LogOptions()
      options.blockSize = 1 << 10
      options.initialTailSize = 4 << 10
      options.maximumTailSize = 8 << 10
      options.failurePolicy = policy
      options.syncPolicy = sync
      options.onFailure = { error in self.errors.withLock { $0.append(error) } }
      options.onRecovery = { gap in self.gaps.withLock { $0.append(gap) } }
      return options
    }

    var all: [LogError] { errors.withLock { $0 } }
    var recoveries: [LogGap] { gaps.withLock { $0 } }
  }

  private func fill(_ writer: LogWriter, _ numbers: ClosedRange<Int>) throws -> [UInt64] {
    try numbers.map { try writer.append(.action, stream: 0, payload: payload($0, 50)) }
  }

  /// Waits until the log can be written again, or could not be after all these tries.
  private func recover(_ writer: LogWriter) throws {
    for _ in 1...100 {
      if logError({ try writer.flush() }) == nil { return }
    }
    try writer.flush()
  }

  // MARK: dropOldest

  @Test func writingGoesOnInTheSameRunBehindAGapThatIsRecorded() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(.dropOldest), fileSystem: disk)
    #expect(try fill(writer, 1...20) == Array(1...20))
    try writer.flush()
    disk.change { $0.space = 0 }
    let taken = try fill(writer, 21...2000)
    #expect(taken.filter { $0 != 0 } == Array(21..<21 + UInt64(taken.filter { $0 != 0 }.count)))
    // Told once, however many records there were.
    #expect(told.all.count == 1)
    #expect(told.all.first?.code == .diskFull)
    disk.change { $0.space = .max }
    try recover(writer)
    #expect(told.all.count == 1)
    let gap = try #require(told.recoveries.last)
    let lost = try #require(gap.sequences)
    #expect(gap.cause == ENOSPC)
    #expect(lost.lowerBound > 20)
    #expect(
      gap.description
        == "records \(lost.lowerBound) to \(lost.upperBound) were lost: No space left on device")
    // Records before the gap can't be folded into those behind it: a cut is wanted.
    #expect(writer.wantsCut)
    let next = try writer.append(.note, stream: 0, payload: [7])
    #expect(writer.run == 1)
    try writer.close()
    #expect(writer.statistics.lost == UInt64(lost.count))
    #expect(writer.statistics.failures == 1)

    let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    var cursor = reader.cursor()
    var records: [Kept] = []
    while let record = try cursor.next() { records.append(Kept(record)) }
    #expect(cursor.gaps == [lost])
    #expect(reader.summary.gaps == [LogGap(sequences: lost, dropped: 0, cause: ENOSPC)])
    // A gap that the log knows of is no damage.
    #expect(reader.summary.damage.allSatisfy { $0.effect == .tornEnd })
    #expect(!(try reader.verify().hasLoss))
    for record in records where record.kind == .action {
      #expect(record.payload == payload(Int(record.sequence), 50))
    }
    let notes = records.filter { $0.kind == .gap }
    #expect(notes.count == 1)
    let recorded = try #require(notes.first).payload.withUnsafeBytes { LogGap($0) }
    #expect(recorded == gap)
    #expect(records.last == Kept(next, .note, [7]))
    #expect(reader.summary.runs.map(\.endedCleanly) == [true])
    // What is not salvaged is an error that says why.
    let plain = try LogReader(at: "/x", fileSystem: disk)
    #expect(
      logError { _ = try plain.all() }?.message == """
        The log "/x" says that records \(lost.lowerBound) to \(lost.upperBound) were lost: No \
        space left on device. Open the log in salvage mode to read the others.
        """)
  }

  /// After a write that failed nothing more goes into the same file.
  @Test(arguments: [ENOSPC, EIO])
  func afterAFailedWriteANewSegmentBegins(_ number: Int32) throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(.dropOldest), fileSystem: disk)
    _ = try fill(writer, 1...40)
    try writer.flush()
    let before = try #require(disk.base.paths.first { $0.hasSuffix(".segment") })
    let whole = disk.base.contents(before)
    disk.fail(.write, 1, with: number)
    // Enough for a block, and room for them all in the tails.
    _ = try fill(writer, 41...70)
    try recover(writer)
    _ = try fill(writer, 71...100)
    try writer.close()
    #expect(disk.count(.write) > 1)
    #expect(disk.base.contents(before) == whole)
    #expect(disk.base.paths.filter { $0.hasSuffix(".segment") }.count == 2)
    let records = try LogReader(at: "/x", fileSystem: disk).all()
    #expect(records.map(\.sequence) == Array(1...100))
    #expect(records.map(\.payload) == (1...100).map { payload($0, 50) })
    #expect(told.all.count == 1)
    #expect(told.recoveries == [LogGap(sequences: nil, dropped: 0, cause: number)])
  }

  @Test func whatWasPromisedToBeDurableIsNotLetGo() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    var options = told.options(.dropOldest)
    options.blockSize = 64 << 10
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    _ = try fill(writer, 1...30)
    // In the copy of the tail alone.
    try writer.flush()
    disk.change { $0.space = 0 }
    _ = try fill(writer, 31...2000)
    disk.change { $0.space = .max }
    try recover(writer)
    try writer.close()
    let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    let records = try reader.all().filter { $0.kind == .action }
    #expect(records.prefix(30).map(\.sequence) == Array(1...30))
  }

  @Test func theDiskMayBeTakenAwayAndBackManyTimes() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(.dropOldest), fileSystem: disk)
    var number = 0
    for round in 1...6 {
      disk.fail(.write, 1, with: EIO, lasts: true)
      for _ in 1...120 {
        number += 1
        try writer.append(.action, stream: 0, payload: payload(number, 50))
      }
      _ = logError { try writer.flush() }
      disk.change { $0.failing = nil }
      try recover(writer)
      #expect(told.all.count == round)
      #expect(told.recoveries.count == round)
    }
    try writer.close()
    let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    var last: UInt64 = 0
    for record in try reader.all() {
      #expect(record.sequence > last)
      last = record.sequence
    }
    #expect(!(try reader.verify().hasLoss))
  }

  // MARK: pause

  @Test func underThePolicyPauseAppendWaitsAndNothingIsLost() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(.pause), fileSystem: disk)
    disk.change { $0.space = 0 }
    let isDone = Mutex(false)
    let reached = Mutex(0)
    let thread = Thread {
      for number in 1...1000 {
        _ = try? writer.append(.action, stream: 0, payload: payload(number, 50))
        reached.withLock { $0 = number }
      }
      isDone.withLock { $0 = true }
    }
    thread.start()
    // It has no room for all.
    while told.all.isEmpty { usleep(1000) }
    usleep(50_000)
    #expect(!isDone.withLock { $0 })
    #expect(reached.withLock { $0 } < 1000)
    disk.change { $0.space = .max }
    while !isDone.withLock({ $0 }) { usleep(1000) }
    try writer.close()
    let records = try LogReader(at: "/x", fileSystem: disk).all()
    #expect(records.map(\.payload) == (1...1000).map { payload($0, 50) })
    #expect(writer.statistics.dropped == 0)
  }

  @Test func whoPausesIsLetGoWhenTheLogIsClosed() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(.pause), fileSystem: disk)
    disk.change { $0.space = 0 }
    let isDone = Mutex(false)
    Thread {
      for number in 1...1000 {
        if (try? writer.append(.action, stream: 0, payload: payload(number, 50))) == nil { break }
      }
      isDone.withLock { $0 = true }
    }.start()
    while told.all.isEmpty { usleep(1000) }
    #expect(logError { try writer.close() }?.code == .diskFull)
    while !isDone.withLock({ $0 }) { usleep(1000) }
  }

  // MARK: Waiting for the disk

  @Test(arguments: [SyncPolicy.each, .group])
  func onAFullDiskAppendSaysThatARecordIsNotDurable(_ sync: SyncPolicy) throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(.dropOldest, sync), fileSystem: disk)
    _ = try fill(writer, 1...3)
    disk.change { $0.space = 0 }
    // The copy of the tail has its space: it goes on for a while.
    var error: LogError?
    var last = 3
    while error == nil, last < 1000 {
      last += 1
      error = logError { try writer.append(.action, stream: 0, payload: payload(last, 50)) }
    }
    #expect(error?.code == .diskFull)
    #expect(told.all.count == 1)
    disk.change { $0.space = .max }
    // One that is waiting while the last try fails is told of it.
    repeat {
      last += 1
      error = logError { try writer.append(.action, stream: 0, payload: payload(last, 50)) }
    } while error != nil
    #expect(writer.statistics.durableSequence >= UInt64(last))
    try writer.close()
    let records = try LogReader(at: "/x", fileSystem: disk).all().filter { $0.kind == .action }
    #expect(records.map(\.payload) == (1...last).map { payload($0, 50) })
  }

  @Test(arguments: [FailurePolicy.fail, .pause, .dropOldest])
  func aFailedSyncIsTheEndUnderEachPolicy(_ policy: FailurePolicy) throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options(policy, .each), fileSystem: disk)
    _ = try fill(writer, 1...3)
    disk.fail(.sync, 1, with: EIO)
    let error = logError { try writer.append(.note, stream: 0, payload: [1]) }
    #expect(error?.errno == EIO)
    #expect(told.all == [error])
    #expect(try writer.append(.note, stream: 0, payload: [2]) == 0)
    #expect(logError { try writer.close() } == error)
    #expect(disk.count(.sync) == 1)
    #expect(told.recoveries.isEmpty)
  }
}
