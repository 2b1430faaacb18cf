import ActionLog
import LogSimulation
import Testing

@Suite struct RunTests {
  @Test func eachOpeningForWritingIsARunAndNumbersGoOn() throws {
    try onEachFileSystem { fileSystem, path in
      var expected: [Kept] = []
      for run in 1...4 {
        let writer = try LogWriter(at: path, fileSystem: fileSystem)
        #expect(writer.run == UInt32(run))
        #expect(writer.firstSequence == UInt64(expected.count + 1))
        for number in 0..<run {
          let sequence = try writer.append(.action, stream: 1, payload: payload(number, 20))
          expected.append(
            Kept(sequence, run: UInt32(run), stream: 1, .action, payload(number, 20)))
        }
        try writer.close()
      }
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      #expect(try reader.all() == expected)
      let summary = reader.summary
      #expect(summary.runs.map(\.number) == [1, 2, 3, 4])
      #expect(summary.runs.map(\.firstSequence) == [1, 2, 4, 7])
      #expect(summary.runs.map(\.lastSequence) == [1, 3, 6, 10])
      #expect(summary.runs.allSatisfy { $0.endedCleanly && !$0.isBeingWritten })
      #expect(summary.records == 10)
      #expect(summary.segments.count == 4)
      #expect(summary.segments.allSatisfy { $0.startsRun && !$0.hasPreamble && $0.hasIndex })
      #expect(summary.tailBytes == 0)
      #expect(summary.isBeingWritten == false)
      #expect(summary.inFlight == nil)
      #expect(try reader.verify().isGood)
    }
  }

  @Test func aRunWithoutRecordsLeavesNothing() throws {
    let disk = MemoryFileSystem()
    try LogWriter(at: "/x", fileSystem: disk).close()
    #expect(disk.paths == ["/x/lock"])
    #expect(logError { _ = try LogReader(at: "/x", fileSystem: disk) }?.code == .empty)
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    #expect(writer.run == 1 && writer.firstSequence == 1)
    try writer.close()
  }

  @Test func afterACloseOnlySegmentsAndTheLockAreLeft() throws {
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, fileSystem: fileSystem)
      for number in 0..<12 {
        try writer.append(.action, stream: 0, payload: payload(number, 10))
      }
      try writer.close()
      let names = try fileSystem.list(path).sorted()
      #expect(names == ["00000000000000000001.segment", "lock"])
      #expect(try LogReader(at: path, fileSystem: fileSystem).summary.segmentBytes < 1024)
    }
  }

  @Test func whatAKillLeavesIsReadAndThenRecovered() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    for number in 1...50 {
      try writer.append(.action, stream: 2, payload: payload(number, number))
    }
    writer.setInFlight(stream: 2, action: 50)
    let killed = disk.copyAfterKill()
    try writer.close()

    let expected = (1...50).map {
      Kept(UInt64($0), stream: 2, .action, payload($0, $0))
    }
    let before = killed.paths.map { killed.contents($0) }
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: killed)
    #expect(try reader.all() == expected)
    let summary = reader.summary
    #expect(summary.runs.count == 1)
    #expect(summary.runs.first?.endedCleanly == false)
    #expect(summary.inFlight == InFlight(run: 1, stream: 2, action: 50))
    #expect(summary.isBeingWritten == false)
    // Reading writes nothing.
    #expect(killed.paths.map { killed.contents($0) } == before)

    let second = try LogWriter(at: "/x", fileSystem: killed)
    #expect(second.run == 2)
    #expect(second.firstSequence == 52)
    try second.append(.action, stream: 0, payload: [9])
    try second.close()
    let after = try LogReader(at: "/x", mode: .strict, fileSystem: killed)
    let records = try after.all()
    #expect(Array(records.prefix(50)) == expected)
    #expect(records[50].kind == .recovery && records[50].run == 1)
    #expect(records[51] == Kept(52, run: 2, .action, [9]))
    #expect(after.summary.runs.map(\.endedCleanly) == [false, true])
    #expect(after.summary.runs[0].inFlight == [InFlight(run: 1, stream: 2, action: 50)])
    #expect(after.summary.segments.map(\.isRecovered) == [true, false])
    #expect(try after.verify().isGood)
  }

  @Test func aKillBetweenActionsAccusesNobody() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    try writer.append(.action, stream: 0, payload: [1])
    writer.setInFlight(stream: 0, action: 1)
    writer.setInFlight(stream: 1, action: 7)
    writer.clearInFlight(stream: 0)
    #expect(
      try LogReader(at: "/x", fileSystem: disk.copyAfterKill()).summary.runs.first?.inFlight
        == [InFlight(run: 1, stream: 1, action: 7)])
    writer.clearInFlight()
    #expect(
      try LogReader(at: "/x", fileSystem: disk.copyAfterKill()).summary.inFlight == nil)
    try writer.close()
  }

  @Test func killsInARowAreEachRecovered() throws {
    var disk = MemoryFileSystem()
    var expected: [UInt8] = []
    for round in 1...6 {
      let writer = try LogWriter(at: "/x", fileSystem: disk)
      #expect(writer.run == UInt32(round))
      for _ in 0..<round {
        try writer.append(.note, stream: 0, payload: [UInt8(round)])
        expected.append(UInt8(round))
      }
      disk = disk.copyAfterKill()
    }
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    let notes = try reader.all().filter { $0.kind == .note }
    #expect(notes.map { $0.payload[0] } == expected)
    #expect(reader.summary.runs.count == 6)
  }

  @Test func recoveryThatIsItselfKilledLosesNothing() throws {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.blockSize = 1 << 10
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...400 {
      try writer.append(.action, stream: 0, payload: payload(number, 30))
    }
    let killed = disk.copyAfterKill()
    try writer.close()
    // Each write of the recovery in turn is the last that reaches the disk.
    for call in 1...12 {
      let faulty = FaultyFileSystem(killed.copyAfterKill())
      faulty.fail(.write, call, with: 5, lasts: true)
      _ = try? LogWriter(at: "/x", options: options, fileSystem: faulty).close()
      let left = faulty.base.copyAfterKill()
      let again = try LogWriter(at: "/x", options: options, fileSystem: left)
      try again.close()
      let records = try LogReader(at: "/x", mode: .tolerateTail, fileSystem: left).all()
      let actions = records.filter { $0.kind == .action }
      #expect(
        actions.map(\.payload) == (1...400).map { payload($0, 30) }, "after write \(call)")
    }
  }

  @Test func aCutBeginsASegmentBehindItsPreamble() throws {
    try onEachFileSystem { disk, path in
      let writer = try LogWriter(at: path, fileSystem: disk)
      let preamble = [
        PreambleRecord(kind: .open, stream: 0, payload: [1]),
        PreambleRecord(kind: .state, stream: 0, payload: payload(1, 200_000)),
      ]
      try writer.append(.action, stream: 0, payload: [1])
      try writer.append(.action, stream: 0, payload: [2])
      writer.cut { preamble }
      try writer.append(.action, stream: 0, payload: [3])
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: disk)
      #expect(try reader.all().map(\.payload) == [[1], [2], [3]])
      let summary = reader.summary
      #expect(summary.segments.map(\.firstSequence) == [1, 3])
      #expect(summary.segments.map(\.hasPreamble) == [false, true])
      #expect(summary.segments.map(\.startsRun) == [true, false])
      #expect(try reader.preamble(of: summary.segments[1]) == preamble)
      #expect(try reader.preamble(of: summary.segments[0]).isEmpty)
      #expect(summary.runs.map(\.endedCleanly) == [true])
      #expect(reader.blocks.map(\.isPreamble) == [false, true, true, false])
      #expect(reader.blocks.first?.actions == [0: 2])
      #expect(try reader.verify().isGood)
    }
  }

  @Test func aLossOfPowerCostsNoMoreThanWasNotFlushed() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    for number in 1...20 {
      try writer.append(.action, stream: 0, payload: payload(number, 10))
    }
    try writer.flush()
    #expect(writer.statistics.durableSequence == 20)
    let after = disk.copyAfterKill()
    try writer.close()
    // The tail's pages never reached the disk; its copy did.
    for path in after.paths where path.hasSuffix(".tail") {
      after.put(path, [UInt8](repeating: 0, count: after.contents(path)?.count ?? 0))
    }
    let reader = try LogReader(at: "/x", fileSystem: after)
    #expect(try reader.all().count == 20)
    let next = try LogWriter(at: "/x", fileSystem: after)
    #expect(next.firstSequence == 22)
    try next.close()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: after).all().count == 21)
  }

  @Test func underThePolicyEachARecordIsDurableWhenAppendReturns() throws {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.syncPolicy = .each
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...20 {
      let sequence = try writer.append(.action, stream: 0, payload: [UInt8(number)])
      #expect(writer.statistics.durableSequence >= sequence)
      let after = disk.copyAfterKill()
      for path in after.paths where path.hasSuffix(".tail") { after.remove(path) }
      #expect(try LogReader(at: "/x", fileSystem: after).all().count == number)
    }
    try writer.close()
  }

  @Test func statisticsTellStatesFromTheRest() throws {
    try onEachFileSystem { disk, path in
      let writer = try LogWriter(at: path, fileSystem: disk)
      try writer.append(.state, stream: 0, payload: payload(1, 100_000))
      for number in 1...100 { try writer.append(.action, stream: 0, payload: payload(number, 10)) }
      try writer.close()
      let statistics = writer.statistics
      #expect(statistics.records == 101)
      #expect(statistics.records(of: .action) == 100)
      #expect(statistics.stateBytes == 100_000)
      #expect(statistics.otherBytes == 1000)
      #expect(statistics.storedStateBytes > 20_000 && statistics.storedStateBytes < 101_000)
      #expect(statistics.storedOtherBytes > 100 && statistics.storedOtherBytes < 2000)
      #expect(statistics.sealedRecords == 101)
      #expect(statistics.durableSequence == 101)
      #expect(statistics.dropped == 0)
    }
  }
}
