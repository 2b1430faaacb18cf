import ActionLog
import LogSimulation
import Testing

/// Counts of actions agree with the records, whatever of a tail is in blocks already.
@Suite struct CountTests {
  @Test func actionsInABlockAndInATailAreCountedOnce() throws {
    var options = LogOptions()
    options.blockSize = 4 << 10
    options.initialTailSize = 1 << 20
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      for number in 1...60 {
        for index in 1...100 {
          try writer.append(.action, stream: index % 3 == 0 ? 2 : 1, payload: [1, 2, 3, 4, 5, 6])
        }
        // What is sealed by now is in blocks, and in the tail as well.
        try writer.flush()
        let reader = try LogReader(at: path, fileSystem: fileSystem)
        #expect(count(reader, stream: 1) == number * 67)
        #expect(count(reader, stream: 2) == number * 33)
        let run = try #require(reader.summary.runs.first)
        #expect(run.actions.map { Int($0.count) } == [number * 67, number * 33])
      }
      try writer.close()
    }
  }

  @Test func aCursorKnowsTheNextRecordAtTheEndOfABlock() throws {
    var options = LogOptions()
    options.blockSize = 1 << 10
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      for _ in 1...1_000 { try writer.append(.note, stream: 1, payload: [1, 2, 3]) }
      try writer.close()
      let reader = try LogReader(at: path, fileSystem: fileSystem)
      #expect(reader.blocks.count > 2)
      var cursor = reader.cursor()
      #expect(cursor.nextSequence == 1)
      while let record = try cursor.next() {
        #expect(cursor.nextSequence == record.sequence + 1)
      }
      #expect(cursor.nextSequence == 1_001)
    }
  }

  private func count(_ reader: LogReader, stream: UInt16) -> Int {
    reader.blocks.reduce(0) { $0 + Int($1.actions[stream] ?? 0) }
  }
}
