import CActionLog
import Testing

@testable import ActionLog

/// The memory of tails.
@Suite struct MemoryTests {
  @Test func pagesThatAreMadePresentKeepWhatTheyHold() {
    let size = 64 << 10
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
    defer { memory.deallocate() }
    for index in 0..<size { memory[index] = UInt8(truncatingIfNeeded: index / 4096 + 1) }
    guard let base = memory.baseAddress else { return }
    // Where the system can't do it, nothing happens.
    _ = al_make_present(base + 8192, size - 8192)
    #expect(memory.indices.allSatisfy { memory[$0] == UInt8(truncatingIfNeeded: $0 / 4096 + 1) })
  }

  @Test func aTailThatGrowsUnderRecordsHoldsThemAll() throws {
    // Each tail is soon full, so that some are made by the thread that appends.
    var options = LogOptions()
    options.initialTailSize = 4 << 10
    options.maximumTailSize = 256 << 10
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      for number in 1...UInt64(20_000) {
        try writer.append(.action, stream: 1) { buffer in
          buffer.storeBytes(of: number, as: UInt64.self)
          return 8
        }
      }
      try writer.close()
      var cursor = try LogReader(at: path, fileSystem: fileSystem).cursor()
      var number: UInt64 = 0
      while let record = try cursor.next() {
        number += 1
        #expect(record.sequence == number)
        #expect(record.payload.loadUnaligned(as: UInt64.self) == number)
      }
      #expect(number == 20_000)
    }
  }

  @Test func whatIsSealedIsToldAsTheStatisticsTellIt() throws {
    var options = LogOptions()
    options.blockSize = 4 << 10
    try onEachFileSystem { fileSystem, path in
      for run in 1...2 {
        let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
        #expect(writer.sealedRecords == 0)
        for _ in 1...1_000 { try writer.append(.note, stream: 1, payload: [1, 2, 3, UInt8(run)]) }
        try writer.close()
        #expect(writer.sealedRecords == 1_000)
        #expect(writer.statistics.sealedRecords == 1_000)
        #expect(writer.statistics.recordsByKind.count == 16)
        #expect(writer.statistics.records(of: .note) == 1_000)
      }
    }
  }
}
