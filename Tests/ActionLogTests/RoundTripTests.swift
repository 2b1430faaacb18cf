import ActionLog
import LogSimulation
import Testing

@Suite struct RoundTripTests {
  @Test func recordsOfEverySizeComeBackInOrder() throws {
    let sizes = [
      0, 1, 7, 8, 9, 255, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1 << 20,
    ]
    try onEachFileSystem { fileSystem, path in
      var expected: [Kept] = []
      let writer = try LogWriter(at: path, fileSystem: fileSystem)
      for (index, size) in (sizes + sizes.reversed()).enumerated() {
        let bytes = payload(index, size)
        let sequence = try writer.append(.action, stream: UInt16(index), payload: bytes)
        #expect(sequence == UInt64(index + 1))
        expected.append(Kept(sequence, stream: UInt16(index), .action, bytes))
      }
      #expect(try LogReader(at: path, fileSystem: fileSystem).all() == expected)
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      #expect(try reader.all() == expected)
    }
  }

  @Test func manySmallRecordsFillSeveralTailsAndSegments() throws {
    var options = LogOptions()
    options.segmentSize = 64 << 10
    options.maximumTailSize = 64 << 10
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      for number in 1...30_000 {
        try writer.append(.action, stream: 3) { buffer in
          guard buffer.count >= 8 else { return nil }
          buffer.storeBytes(of: UInt64(number), as: UInt64.self)
          return 8
        }
        if writer.wantsCut {
          writer.cut { [PreambleRecord(kind: .state, stream: 3, payload: [1, 2, 3])] }
        }
      }
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      var cursor = reader.cursor()
      var number: UInt64 = 0
      while let record = try cursor.next() {
        number += 1
        #expect(record.sequence == number)
        #expect(record.payload.loadUnaligned(as: UInt64.self) == number)
      }
      #expect(number == 30_000)
      #expect(reader.summary.runs.first?.endedCleanly == true)
      #expect(reader.summary.runs.first?.actions.first?.count == 30_000)
    }
  }
}
