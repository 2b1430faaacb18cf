import ActionLog
import Foundation
import Synchronization
import LogSimulation
import Testing

@Suite struct ThreadTests {
  /// Runs `body` on threads of its own and waits for all.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(number)
        group.leave()
      }
    }
    group.wait()
  }

  @Test func recordsOfSeveralThreadsAreEachThereOnceInTheirThreadsOrder() throws {
    var options = LogOptions()
    options.maximumTailSize = 128 << 10
    options.blockSize = 16 << 10
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      let count = 3000
      onThreads(4) { thread in
        for number in 0..<count {
          let size = 8 + (number % 97 == 0 ? 5000 : number % 50)
          _ = try? writer.append(.action, stream: UInt16(thread)) { buffer in
            guard buffer.count >= size else { return nil }
            for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: number &+ index) }
            buffer.storeBytes(of: UInt64(number), as: UInt64.self)
            return size
          }
        }
      }
      try writer.close()
      #expect(writer.statistics.dropped == 0)
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      var next = [UInt64](repeating: 0, count: 4)
      var cursor = reader.cursor()
      var isRight = true
      while let record = try cursor.next() {
        let number = record.payload.loadUnaligned(as: UInt64.self)
        isRight = isRight && number == next[Int(record.stream)]
        for index in 8..<record.payload.count {
          isRight =
            isRight && record.payload[index] == UInt8(truncatingIfNeeded: number &+ UInt64(index))
        }
        next[Int(record.stream)] += 1
      }
      #expect(isRight)
      #expect(next == Array(repeating: UInt64(count), count: 4))
    }
  }

  @Test func aBodyMayAppend() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    for round in 0..<200 {
      let outer = try writer.append(.action, stream: 1) { buffer in
        let inner = try? writer.append(.read, stream: 2) { buffer in
          _ = try? writer.append(.note, stream: 3, payload: [3])
          buffer[0] = 2
          return 1
        }
        // The inner record is in the log before the outer one.
        #expect(inner == UInt64(3 * round + 2))
        for index in 0..<100 { buffer[index] = UInt8(index) }
        return 100
      }
      #expect(outer == UInt64(3 * round + 3))
    }
    let killed = disk.copyAfterKill()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: killed).all().count == 600)
    try writer.close()
    let records = try LogReader(at: "/x", mode: .strict, fileSystem: disk).all()
    #expect(records.count == 600)
    for (index, record) in records.enumerated() {
      let expected: [UInt8] = [[3], [2], Array(0..<100)][index % 3]
      #expect(record.payload == expected)
    }
  }

  @Test func aSlowBodyHoldsUpNobody() throws {
    try onEachFileSystem { disk, path in
      let writer = try LogWriter(at: path, fileSystem: disk)
      let sequence = try writer.append(.action, stream: 0) { buffer in
        buffer[0] = 7
        // The others change the tail several times while this one is not done.
        onThreads(2) { thread in
          for number in 0..<2000 {
            _ = try? writer.append(.note, stream: UInt16(thread + 1), payload: payload(number, 100))
          }
        }
        try? writer.flush()
        buffer[1] = 8
        return 2
      }
      #expect(sequence == 4001)
      try writer.close()
      let records = try LogReader(at: path, mode: .strict, fileSystem: disk).all()
      #expect(records.last == Kept(4001, .action, [7, 8]))
      #expect(records.count == 4001)
    }
  }

  @Test func aReaderSeesEveryRecordOnceWhileItIsWritten() throws {
    var options = LogOptions()
    options.maximumTailSize = 64 << 10
    options.blockSize = 4 << 10
    options.segmentSize = 64 << 10
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      let total = 30_000
      let isDone = Atomic<Bool>(false)
      let failure = Mutex<String?>(nil)
      try onThreads {
        do {
          let reader = try LogReader(at: path, fileSystem: fileSystem)
          var cursor = reader.cursor()
          var expected: UInt64 = 1
          while expected <= UInt64(total) {
            let wasDone = isDone.load(ordering: .acquiring)
            while let record = try cursor.next() {
              let number = record.payload.loadUnaligned(as: UInt64.self)
              if record.sequence != expected || number != expected {
                failure.withLock { $0 = "record \(record.sequence) says \(number) at \(expected)" }
                return
              }
              expected += 1
            }
            if wasDone && expected <= UInt64(total) {
              try reader.refresh()
              if try cursor.next() == nil {
                failure.withLock { $0 = "the end at \(expected)" }
                return
              }
              cursor = reader.cursor(from: expected)
            }
            try reader.refresh()
          }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      } while: {
        for number in 1...total {
          try writer.append(.action, stream: 0) { buffer in
            guard buffer.count >= 8 else { return nil }
            buffer.storeBytes(of: UInt64(number), as: UInt64.self)
            return 8
          }
          if writer.wantsCut { writer.cut { [] } }
        }
        isDone.store(true, ordering: .releasing)
      }
      try writer.close()
      #expect(failure.withLock { $0 } == nil)
    }
  }

  private func onThreads(
    _ other: @escaping @Sendable () -> Void, while body: () throws -> Void
  ) throws {
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
      other()
      group.leave()
    }
    defer { group.wait() }
    try body()
  }

  @Test func theWriterMayLetGoOnTheLogsOwnThread() throws {
    let disk = MemoryFileSystem()
    let isCalled = Atomic<Bool>(false)
    do {
      let writer = try LogWriter(at: "/x", fileSystem: disk)
      try writer.append(.note, stream: 0, payload: [1])
      writer.cut {
        // The last reference may go here.
        _ = writer.statistics
        isCalled.store(true, ordering: .releasing)
        return []
      }
      try writer.flush()
    }
    while disk.isLocked("/x/lock") { usleep(1000) }
    let wasCalled = isCalled.load(ordering: .acquiring)
    #expect(wasCalled)
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: disk).all().count == 1)
  }
}
