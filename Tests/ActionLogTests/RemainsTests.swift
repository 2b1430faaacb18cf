import Foundation
import LogSimulation
import Testing

@testable import ActionLog

/// What a killed run left behind, and what is said of it.
@Suite struct RemainsTests {
  private let tail = "/x/0000000001.tail"

  private func killed(_ options: LogOptions, _ count: Int) throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...count { try writer.append(.action, stream: 0, payload: payload(number, 30)) }
    if options.syncPolicy != .none { try writer.flush() }
    let killed = disk.copyAfterKill()
    try writer.close()
    return killed
  }

  @Test func verifyCountsARecordOnce() throws {
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.initialTailSize = 1 << 20
    let disk = try killed(options, 4_000)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(reader.summary.segments.count == 1)
    let report = try reader.verify()
    #expect(report.records == 4_000)
    #expect(report.isGood)
  }

  /// A frame of 30 bytes takes 48; the tenth begins at 128 + 9 × 48.
  @Test(arguments: [0, 1, 4, 8, 20])
  func aDamagedRecordInATailIsALoss(_ byte: Int) throws {
    var options = LogOptions()
    options.initialTailSize = 8 << 10
    options.syncPolicy = .none
    let disk = try killed(options, 50)
    var bytes = try #require(disk.contents(tail))
    let start = 128 + 9 * 48
    // The length, 46, loses all its bits.
    bytes[start + byte] = byte == 0 ? 0 : bytes[start + byte] ^ 1
    disk.put(tail, bytes)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(try reader.all().count == 9)
    let report = try reader.verify()
    #expect(report.hasLoss)
    #expect(
      report.damage.map(\.description) == [
        "\(tail) at byte \(start): record 10 is damaged: it and what stands behind it are lost"
      ])
    let next = try LogWriter(at: "/x", fileSystem: disk)
    try next.close()
    #expect(disk.contents("/x/quarantine/0000000001.tail") == bytes)
  }

  @Test func aDirectoryWithALockAloneHoldsNoLog() throws {
    let disk = MemoryFileSystem()
    try disk.makeDirectory("/x")
    disk.put("/x/lock", Array("1         \n".utf8))
    let error = logError { _ = try LogReader(at: "/x", fileSystem: disk) }
    #expect(error?.code == .empty)
    #expect(
      error?.message == """
        "/x" holds no log: there is no segment and no tail in it. Check the path; a log is the \
        directory that a program was told to record to.
        """)
  }

  @Test func theTimeOfARecoveryIsNotTheRuns() throws {
    var options = LogOptions()
    options.syncPolicy = .none
    let disk = try killed(options, 20)
    let before = try #require(try LogReader(at: "/x", fileSystem: disk).summary.runs.first)
    try LogWriter(at: "/x", fileSystem: disk).close()
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(try reader.all().last?.kind == .recovery)
    let after = try #require(reader.summary.runs.first)
    #expect(after.firstTime == before.firstTime)
    #expect(after.lastTime == before.lastTime)
    #expect(after.lastSequence == 21)
    #expect(after.process == before.process)
  }
}
