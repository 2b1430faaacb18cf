import ActionLog
import Foundation
import Synchronization
import LogSimulation
import Testing

/// Readers while a writer runs at full speed: every record once, in order, none torn.
@Suite struct LiveReaderTests {
  private func options() -> LogOptions {
    var options = LogOptions()
    options.blockSize = 2 << 10
    options.initialTailSize = 8 << 10
    options.maximumTailSize = 32 << 10
    options.segmentSize = 32 << 10
    options.syncPolicy = .interval(milliseconds: 1)
    return options
  }

  /// Follows a log that another thread writes, until `last` is met; returns the numbers it passed
  /// over.
  private func follow(
    _ path: String, _ fileSystem: any FileSystem, to last: UInt64, mode: ReadMode
  ) throws -> [ClosedRange<UInt64>] {
    let reader = try LogReader(at: path, mode: mode, fileSystem: fileSystem)
    var cursor = reader.cursor()
    var expected: UInt64 = 1
    var seen: [ClosedRange<UInt64>] = []
    while expected <= last {
      guard let record = try cursor.next() else {
        try reader.refresh()
        continue
      }
      if record.sequence != expected {
        #expect(mode == .salvage && record.sequence > expected)
        seen.append(expected...(record.sequence - 1))
      }
      if record.kind == .action {
        let size = Int(record.sequence % 300)
        let isWhole =
          record.payload.count == size
          && record.payload.allSatisfy { $0 == UInt8(truncatingIfNeeded: record.sequence) }
        if !isWhole { Issue.record("record \(record.sequence) is torn") }
      }
      expected = record.sequence + 1
    }
    #expect(cursor.gaps == seen)
    return seen
  }

  private func write(_ writer: LogWriter, _ numbers: ClosedRange<Int>) throws {
    for number in numbers {
      let size = number % 300
      try writer.append(.action, stream: 0) { buffer in
        guard buffer.count >= size else { return nil }
        for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: number) }
        return size
      }
      guard writer.wantsCut else { continue }
      writer.cut(next: {
        SegmentCut(
          [PreambleRecord(kind: .state, stream: 0, payload: [1, 2, 3])], isComplete: true)
      })
    }
  }

  @Test func everyRecordIsSeenOnceAndInOrder() throws {
    try onEachFileSystem { disk, path in
      let count = 20_000
      let writer = try LogWriter(at: path, options: options(), fileSystem: disk)
      try writer.append(.note, stream: 0, payload: [1])
      let done = Mutex(0)
      for _ in 1...2 {
        Thread {
          let gaps = try? follow(path, disk, to: UInt64(count), mode: .tolerateTail)
          #expect(gaps == [])
          done.withLock { $0 += 1 }
        }.start()
      }
      try write(writer, 2...count)
      while done.withLock({ $0 }) < 2 { usleep(500) }
      try writer.close()
    }
  }

  @Test func retentionAndRepackingUnderAReaderLoseItNothingInSilence() throws {
    try onEachFileSystem { disk, path in
      let count = 20_000
      var small = options()
      small.retention.maximumBytes = 100 << 10
      small.repacksColdSegments = true
      let writer = try LogWriter(at: path, options: small, fileSystem: disk)
      try writer.append(.note, stream: 0, payload: [1])
      let isDone = Mutex(false)
      Thread {
        do {
          _ = try follow(path, disk, to: UInt64(count), mode: .salvage)
        } catch {
          Issue.record(error)
        }
        isDone.withLock { $0 = true }
      }.start()
      try write(writer, 2...count)
      while !isDone.withLock({ $0 }) { usleep(500) }
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: disk)
      #expect(try reader.verify().isGood)
    }
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
