import ActionLog
import Foundation
import Synchronization
import LogSimulation
import Testing

@Suite struct FaultTests {
  private final class Told: Sendable {
    let errors = Mutex<[LogError]>([])
    var options: LogOptions {
      var options = LogOptions()
      options.blockSize = 1 << 10
      options.initialTailSize = 4 << 10
      options.maximumTailSize = 8 << 10
      options.failurePolicy = .fail
      options.onFailure = { error in self.errors.withLock { $0.append(error) } }
      return options
    }
    var all: [LogError] { errors.withLock { $0 } }
  }

  /// Appends until the log has failed, or has not after all these.
  @discardableResult
  private func fill(_ writer: LogWriter, _ count: Int) throws -> Int {
    var taken = 0
    for number in 1...count {
      if try writer.append(.action, stream: 0, payload: payload(number, 50)) != 0 { taken += 1 }
    }
    return taken
  }

  @Test func aFullDiskIsToldOnceAndTheApplicationGoesOn() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    let writer = try LogWriter(at: "/x", options: told.options, fileSystem: disk)
    disk.change { $0.space = 40_000 }
    let taken = try fill(writer, 3000)
    #expect(taken < 3000)
    let error = logError { try writer.close() }
    #expect(error?.code == .diskFull)
    #expect(told.all.count == 1 && told.all.first == error)
    #expect(writer.statistics.dropped == UInt64(3000 - taken))
    #expect(error?.message.hasPrefix("The log \"/x\" cannot be written: ") == true)
    #expect(
      error?.message.hasSuffix(
        ": No space left on device. Free some space, or record to another disk.") == true)
    // With space again, everything that was taken is there.
    disk.change { $0.space = .max }
    let next = try LogWriter(at: "/x", fileSystem: disk)
    #expect(next.run == 2)
    try next.close()
    let records = try LogReader(at: "/x", fileSystem: disk).all().filter { $0.kind == .action }
    #expect(records.map(\.payload) == (1...taken).map { payload($0, 50) })
  }

  /// A disk with room for a tail alone: nothing can be copied or sealed.
  @Test func whatFitsIntoTheTailIsTakenOnAFullDisk() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    var options = told.options
    options.initialTailSize = 64 << 10
    options.maximumTailSize = 64 << 10
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    disk.change { $0.space = 0 }
    #expect(try fill(writer, 10) == 10)
    let error = logError { try writer.flush() }
    #expect(error?.code == .diskFull)
    // 50 bytes take 72 in a tail.
    let taken = try fill(writer, 2000)
    #expect(taken > 800 && taken < 1000)
    #expect(told.all == [error].compactMap { $0 })
    #expect(logError { try writer.close() } == error)
    disk.change { $0.space = .max }
    try LogWriter(at: "/x", fileSystem: disk).close()
    let records = try LogReader(at: "/x", mode: .strict, fileSystem: disk).all()
    #expect(records.filter { $0.kind == .action }.count == taken + 10)
  }

  @Test func aTailIsSmallerWhereTheUsualSizeDoesNotFit() throws {
    let disk = FaultyFileSystem()
    var options = LogOptions()
    options.initialTailSize = 1 << 20
    disk.change { $0.space = 60_000 }
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    let tail = try #require(disk.base.contents("/x/0000000001.tail"))
    #expect(tail.count == 32 << 10)
    #expect(try fill(writer, 100) == 100)
    try writer.flush()
    try writer.close()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: disk).all().count == 100)
  }

  /// Without the space for a copy, a small block makes records durable.
  @Test func aCopyThatDoesNotFitIsReplacedByABlock() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    var options = told.options
    options.initialTailSize = 64 << 10
    options.blockSize = 64 << 10
    options.syncPolicy = .none
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    #expect(try fill(writer, 600) == 600)
    disk.fail(.write, 1, with: ENOSPC)
    try writer.flush()
    #expect(writer.statistics.durableSequence == 600)
    #expect(told.all.isEmpty)
    #expect(disk.base.paths.contains { $0.hasSuffix(".segment") })
    disk.fail(.allocate, 1, with: ENOSPC)
    try fill(writer, 5)
    try writer.flush()
    #expect(disk.base.paths.contains { $0.hasSuffix(".copy") })
    try writer.close()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: disk).all().count == 605)
  }

  @Test func shortWritesAreGoneOnWith() throws {
    let disk = FaultyFileSystem()
    disk.change { $0.longestWrite = 100 }
    let writer = try LogWriter(at: "/x", options: Told().options, fileSystem: disk)
    #expect(try fill(writer, 2000) == 2000)
    try writer.close()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: disk).all().count == 2000)
  }

  /// Fails each call of each kind in turn, while a log is opened, written, recovered and closed.
  @Test(arguments: [EIO, ENOSPC, EACCES], [FailurePolicy.fail, .pause, .dropOldest])
  func noCallThatFailsLosesARecordOrTraps(_ number: Int32, _ policy: FailurePolicy) throws {
    let payloads = (1...100).map { payload($0, 100) }
    for call in FaultyFileSystem.Call.allCases {
      for nth in 1...200 {
        let disk = FaultyFileSystem()
        disk.fail(call, nth, with: number)
        let told = Told()
        var options = told.options
        options.failurePolicy = policy
        var taken = 0
        do throws(LogError) {
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          for (index, payload) in payloads.enumerated() {
            let sequence = try writer.append(.action, stream: 0, payload: payload)
            if sequence != 0 { taken += 1 }
            if index == 50 {
              writer.cut { [PreambleRecord(kind: .state, stream: 0, payload: [1])] }
            }
          }
          try writer.close()
        } catch {
          #expect(error.errno == number, "\(call) \(nth): \(error)")
        }
        let wasHit = disk.count(call) >= nth
        disk.change { $0.failing = nil }
        let left = disk.base.copyAfterKill()
        if taken > 0 {
          let reader = try LogReader(at: "/x", fileSystem: left)
          let records = try reader.all().filter { $0.kind == .action }
          #expect(records.count == taken, "\(call) \(nth)")
          #expect(records.map(\.payload) == Array(payloads.prefix(taken)))
        }
        let next = try LogWriter(at: "/x", fileSystem: left)
        try next.append(.note, stream: 0, payload: [1])
        try next.close()
        let records = try LogReader(at: "/x", fileSystem: left).all()
        #expect(records.filter { $0.kind == .action }.count == taken, "\(call) \(nth) recovered")
        #expect(records.last?.kind == .note)
        if !wasHit { break }
      }
    }
  }

  @Test func aFailedSyncPoisonsTheWriter() throws {
    let disk = FaultyFileSystem()
    let told = Told()
    var options = told.options
    // Only a flush syncs.
    options.syncPolicy = .none
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    try writer.append(.note, stream: 0, payload: [1])
    disk.fail(.sync, 1, with: EIO)
    let error = logError { try writer.flush() }
    #expect(error?.errno == EIO)
    #expect(try writer.append(.note, stream: 0, payload: [2]) == 0)
    #expect(logError { try writer.flush() } == error)
    #expect(logError { try writer.close() } == error)
    #expect(told.all == [error])
    // It was not tried again.
    #expect(disk.count(.sync) == 1)
  }

  @Test func aReaderSaysWhatTheSystemRefuses() throws {
    let disk = FaultyFileSystem()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
    disk.fail(.list, 1, with: EACCES)
    #expect(
      logError { _ = try LogReader(at: "/x", fileSystem: disk) }?.message == """
        The log "/x" cannot be read: "/x" can't be listed: Permission denied. Check the owner and the \
        mode of the path.
        """)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    disk.fail(.read, 1, with: EIO)
    let error = logError { _ = try reader.all() }
    #expect(
      error?.message == """
        The log "/x" cannot be read: "/x/00000000000000000001.segment" can't be read: Input/output \
        error. The disk failed: check it before you rely on it again.
        """)
  }
}
