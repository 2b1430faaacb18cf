import ActionLog
import Foundation
import LogSimulation
import Testing

/// Real processes, really killed.
///
/// Twelve kills by default; `ACTIONLOG_KILLS` asks for more, `ACTIONLOG_SEED` repeats a series.
@Suite(.serialized) struct KillTests {
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: TestWriter.path), "no helper was built"))
  func noAcknowledgedRecordIsLost() throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["ACTIONLOG_KILLS"].flatMap(Int.init) ?? 12
    let seed = environment["ACTIONLOG_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999)
    print("ACTIONLOG_SEED=\(seed)")
    var generator = SeededGenerator(seed: seed)
    try inTemporaryDirectory { place in
      let path = place + "/killed.retrace"
      var runs = 0
      var records: UInt64 = 0
      for kill in 0..<kills {
        // A log that was killed several times in a row, then a new one.
        if kill % 4 == 0 {
          try? FileManager.default.removeItem(atPath: path)
          (runs, records) = (0, 0)
        }
        let policy =
          ["none", "1", "100", "each", "group"].randomElement(using: &generator) ?? "none"
        let isSlow = policy == "each" || policy == "group"
        let enough = Int.random(in: 1..<(isSlow ? 300 : 20_000), using: &generator)
        let acknowledged = try killAfter(
          enough, path: path, policy: policy, seed: generator.next())
        runs += 1
        let reader = try LogReader(at: path, fileSystem: .real)
        let summary = reader.summary
        #expect(summary.damage.allSatisfy { $0.effect != .loss }, "kill \(kill), seed \(seed)")
        #expect(summary.isBeingWritten == false)
        let found = try numbers(reader, run: UInt32(runs))
        for thread in acknowledged.indices {
          let last = found[thread]
          // Each thread has at most one record more than it has said.
          let isRight = last == acknowledged[thread] || last == acknowledged[thread] + 1
          #expect(isRight, "kill \(kill), thread \(thread), \(policy), seed \(seed)")
        }
        #expect(summary.nextSequence > records)
        records = summary.nextSequence
      }
      let writer = try LogWriter(at: path)
      try writer.close()
      let report = try LogReader(at: path, mode: .strict).verify()
      #expect(report.isGood)
    }
  }

  /// Lets the helper say `enough` records, kills it, and returns the last that each thread said.
  private func killAfter(
    _ enough: Int, path: String, policy: String, seed: UInt64
  ) throws -> [UInt32] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: TestWriter.path)
    process.arguments = [path, "3", policy, String(seed % 1_000_000_007)]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var bytes: [UInt8] = []
    while bytes.count < enough * 4 {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      bytes.append(contentsOf: part)
    }
    kill(process.processIdentifier, SIGKILL)
    while true {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      bytes.append(contentsOf: part)
    }
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    var last: [UInt32] = [0, 0, 0]
    bytes.withUnsafeBytes { raw in
      for index in 0..<raw.count / 4 {
        let word = raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        last[Int(word >> 24)] = word & 0xff_ffff
      }
    }
    return last
  }

  /// The last number of each thread in a run; all before it must be there, in order and whole.
  private func numbers(_ reader: LogReader, run: UInt32) throws -> [UInt32] {
    var last: [UInt32] = [0, 0, 0]
    var cursor = reader.cursor()
    while let record = try cursor.next() {
      guard record.run == run, record.kind == .action else { continue }
      let number = record.payload.loadUnaligned(as: UInt32.self)
      let thread = Int(record.stream)
      if number != last[thread] + 1 {
        Issue.record("thread \(thread): \(number) after \(last[thread])")
      }
      last[thread] = number
      for index in 4..<record.payload.count
      where record.payload[index] != UInt8(truncatingIfNeeded: Int(number) &+ index) {
        Issue.record("record \(record.sequence) is torn")
        break
      }
    }
    return last
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: TestWriter.path), "no helper was built"))
  func aReaderSeesWhoWrites() throws {
    try inTemporaryDirectory { place in
      let path = place + "/live.retrace"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: TestWriter.path)
      process.arguments = [path, "1", "100", "7"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      _ = pipe.fileHandleForReading.availableData
      let summary = try LogReader(at: path).summary
      #expect(summary.isBeingWritten == true)
      #expect(summary.writer == UInt32(process.processIdentifier))
      #expect(summary.runs.first?.isBeingWritten == true)
      #expect(
        logError { _ = try LogWriter(at: path) }?.message == """
          The log "\(path)" is being written by process \(process.processIdentifier), and only one \
          program can write a log at a time. Wait until it ends, or record to another path.
          """)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(try LogReader(at: path).summary.isBeingWritten == false)
    }
  }
}
