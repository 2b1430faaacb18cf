import LogSimulation
import Testing

@testable import ActionLog

/// What damage costs, and that it is noticed.
@Suite struct CorruptionTests {
  /// A closed log of two segments and, in the first, of three blocks.
  private func closedLog() throws -> (MemoryFileSystem, [Kept]) {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.blockSize = 1 << 10
    var expected: [Kept] = []
    for run in 1...2 {
      let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
      for number in 0..<(run == 1 ? 45 : 5) {
        let bytes = [UInt8](repeating: UInt8(number), count: 60)
        let sequence = try writer.append(.action, stream: 0, payload: bytes)
        expected.append(Kept(sequence, run: UInt32(run), .action, bytes))
      }
      try writer.close()
    }
    return (disk, expected)
  }

  private func killedLog(_ count: Int = 20) throws -> (MemoryFileSystem, String, [Kept]) {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.initialTailSize = 8 << 10
    options.syncPolicy = .none
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    var expected: [Kept] = []
    for number in 0..<count {
      let bytes = payload(number, number)
      let sequence = try writer.append(.action, stream: 0, payload: bytes)
      expected.append(Kept(sequence, .action, bytes))
    }
    let killed = disk.copyAfterKill()
    try writer.close()
    return (killed, "/x/0000000001.tail", expected)
  }

  private let first = "/x/00000000000000000001.segment"

  /// Cut off exactly where the index begins: it costs nothing, and is not as it was written.
  @Test func aSegmentWithoutItsIndexIsNoticedThoughNothingIsLost() throws {
    let (disk, expected) = try closedLog()
    let whole = try #require(disk.contents(first))
    let index = whole.withUnsafeBytes { bytes in
      bytes.loadUnaligned(fromByteOffset: bytes.count - 24, as: UInt64.self)
    }
    disk.put(first, Array(whole.prefix(Int(index))))
    let reader = try LogReader(at: "/x", fileSystem: disk)
    let damage = LogDamage(
      effect: .none, path: first, offset: index,
      message: "the index at the end is missing; the blocks were found without it")
    #expect(reader.summary.damage == [damage])
    #expect(try reader.verify().damage == [damage])
    #expect(try reader.all() == expected)
    #expect(
      logError { _ = try LogReader(at: "/x", mode: .strict, fileSystem: disk) }?.message == """
        The log "/x" is damaged: \(damage). Open it without strict mode to read what is good, or \
        restore it from a backup.
        """)
  }

  /// A run that was killed has no index, and that is no damage.
  @Test func aKilledRunNeedsNoIndex() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    for _ in 1...3 { try writer.append(.note, stream: 0, payload: payload(1, 70_000)) }
    try writer.flush()
    let killed = disk.copyAfterKill()
    try writer.close()
    for _ in 1...2 { try LogWriter(at: "/x", fileSystem: killed).close() }
    let second = try LogWriter(at: "/x", fileSystem: killed)
    try second.append(.note, stream: 0, payload: [1])
    try second.close()
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: killed)
    #expect(reader.summary.segments.first?.hasIndex == false)
    #expect(try reader.verify().isGood)
  }

  @Test func everyFlippedBitOfAClosedLogIsNoticedAndCostsItsBlockAtMost() throws {
    let (disk, expected) = try closedLog()
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    let spans = reader.blocks.map { $0.firstSequence...$0.firstSequence + UInt64($0.count) - 1 }
    #expect(spans.count == 4)
    var flips = 0
    for path in disk.paths where path.hasSuffix(".segment") {
      let whole = try #require(disk.contents(path))
      for index in whole.indices {
        var bytes = whole
        bytes[index] ^= 1 << UInt8(index % 8)
        disk.put(path, bytes)
        flips += 1
        let damaged = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
        let report = try damaged.verify()
        #expect(!report.isGood, "\(path) byte \(index)")
        let records = try damaged.all()
        let lost = Set(expected).subtracting(records)
        #expect(lost.count + records.count == expected.count, "\(path) byte \(index)")
        let isOneBlock =
          lost.isEmpty || spans.contains { span in lost.allSatisfy { span.contains($0.sequence) } }
        #expect(isOneBlock, "\(path) byte \(index)")
        #expect(report.hasLoss == !lost.isEmpty, "\(path) byte \(index)")
        // What is not salvaged is an error, never a shorter log.
        if !lost.isEmpty {
          let strict = try LogReader(at: "/x", fileSystem: disk)
          #expect(logError { _ = try strict.all() }?.code == .damaged)
        }
      }
      disk.put(path, whole)
    }
    #expect(flips > 1400)
  }

  @Test func everyTruncationOfASegmentGivesAPrefixAndIsNoticed() throws {
    let (disk, expected) = try closedLog()
    let path = try #require(disk.paths.last { $0.hasSuffix(".segment") })
    let whole = try #require(disk.contents(path))
    let end = try 192 + (#require(LogReader(at: "/x", fileSystem: disk).blocks.last).storedSize)
    for count in whole.indices {
      disk.put(path, Array(whole[..<count]))
      let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
      let records = try reader.all()
      #expect(records == Array(expected.prefix(records.count)), "length \(count)")
      #expect(records.count == (count < end ? 45 : 50))
      // The run was closed: it is no torn end, unless all but the index is there. Of an index less
      // than its magic is not known for one.
      let isLost = count < end || (count > end && count < end + 4)
      #expect(try reader.verify().hasLoss == isLost, "length \(count)")
      let plain = try LogReader(at: "/x", fileSystem: disk)
      #expect(logError { _ = try plain.all() }?.code == (isLost ? .damaged : nil))
      let other = disk.copyAfterKill()
      let writer = try LogWriter(at: "/x", fileSystem: other)
      #expect(writer.opening.hasLoss == isLost, "length \(count)")
      try writer.close()
    }
  }

  @Test func aDamagedBlockIsAnErrorThatNamesItsRecords() throws {
    let (disk, expected) = try closedLog()
    var bytes = try #require(disk.contents(first))
    let block = try LogReader(at: "/x", fileSystem: disk).blocks[1]
    let offset = 192 + 72 + (try LogReader(at: "/x", fileSystem: disk).blocks[0].storedSize - 72)
    bytes[offset + 80] ^= 1
    disk.put(first, bytes)
    let last = block.firstSequence + UInt64(block.count) - 1
    let reader = try LogReader(at: "/x", fileSystem: disk)
    var cursor = reader.cursor()
    var count = 0
    let error = logError { while try cursor.next() != nil { count += 1 } }
    #expect(count == Int(block.firstSequence) - 1)
    #expect(
      error?.message == """
        The block at byte \(offset) of "\(first)" is damaged: records \(block.firstSequence) to \
        \(last) are lost. Open the log in salvage mode to read the others, or restore the file \
        from a backup.
        """)
    // The same again, not the record behind it.
    #expect(logError { _ = try cursor.next() } == error)
    try cursor.seek(to: last + 1)
    #expect(try cursor.next().map(Kept.init) == expected[Int(last)])

    let salvage = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    var other = salvage.cursor()
    var records: [Kept] = []
    while let record = try other.next() { records.append(Kept(record)) }
    #expect(records.count == expected.count - block.count)
    #expect(other.gaps == [block.firstSequence...last])
    let report = try salvage.verify()
    #expect(report.damage.map(\.sequences) == [block.firstSequence...last])
    #expect(report.damage.map(\.effect) == [.loss])
  }

  @Test func aMissingSegmentIsAGapThatIsTold() throws {
    let (disk, expected) = try closedLog()
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
    disk.remove("/x/00000000000000000046.segment")
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(
      logError { _ = try reader.all() }?.message == """
        records 46 to 50 are missing from the log "/x". Open the log in salvage mode to read the \
        others, or restore it from a backup.
        """)
    let salvage = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    #expect(try salvage.all().map(\.sequence) == Array(1...45) + [51])
    #expect(salvage.summary.damage.map(\.sequences) == [46...50])
    // A missing first segment was deleted by someone who may.
    disk.remove(first)
    let rest = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    #expect(rest.summary.firstSequence == 51)
    #expect(try rest.all().count == 1)
    #expect(expected.count == 50)
  }

  @Test func anIndexIsMadeAnewWhenItIsMissing() throws {
    let (disk, expected) = try closedLog()
    let blocks = try LogReader(at: "/x", fileSystem: disk).blocks
    let bytes = try #require(disk.contents(first))
    let end = 192 + blocks[..<3].reduce(0) { $0 + $1.storedSize }
    disk.put(first, Array(bytes[..<end]))
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(reader.blocks == blocks)
    #expect(try reader.all() == expected)
    #expect(reader.summary.segments.map(\.hasIndex) == [false, true])
  }

  // MARK: Tails

  @Test func everyFlippedBitOfATailEndsThePrefixAndIsNoticed() throws {
    let (disk, path, expected) = try killedLog()
    let whole = try #require(disk.contents(path))
    let used = 128 + expected.reduce(0) { $0 + 16 + ($1.payload.count + 7) & ~7 }
    for index in 0..<used {
      var bytes = whole
      bytes[index] ^= 1 << UInt8(index % 8)
      disk.put(path, bytes)
      let reader = try LogReader(at: "/x", fileSystem: disk)
      #expect(!reader.summary.damage.isEmpty, "byte \(index)")
      let records = try reader.all()
      if index < 128 {
        #expect(records == expected, "byte \(index) of a header")
      } else {
        #expect(records.count < expected.count)
        #expect(records == Array(expected.prefix(records.count)), "byte \(index)")
      }
      #expect(logError { _ = try LogReader(at: "/x", mode: .strict, fileSystem: disk) } != nil)
    }
  }

  @Test func everyTruncationOfATailGivesAPrefix() throws {
    let (disk, path, expected) = try killedLog()
    let whole = try #require(disk.contents(path))
    for count in 0..<(whole.count / 4) {
      disk.put(path, Array(whole[..<count]))
      let records = try LogReader(at: "/x", fileSystem: disk).all()
      #expect(records == Array(expected.prefix(records.count)), "length \(count)")
    }
  }

  @Test(arguments: [512, 4096])
  func zeroedSectorsInATailEndThePrefix(_ size: Int) throws {
    let (disk, path, expected) = try killedLog(60)
    let whole = try #require(disk.contents(path))
    for start in stride(from: 0, to: whole.count, by: size) {
      var bytes = whole
      for index in start..<min(start + size, whole.count) { bytes[index] = 0 }
      disk.put(path, bytes)
      let records = try LogReader(at: "/x", fileSystem: disk).all()
      #expect(records == Array(expected.prefix(records.count)), "sector at \(start)")
    }
  }

  @Test func whatCannotBeReadOfATailIsKeptInQuarantine() throws {
    let (disk, path, expected) = try killedLog()
    var bytes = try #require(disk.contents(path))
    bytes[128 + 16 * 10 + 8] ^= 1
    disk.put(path, bytes)
    let kept = try LogReader(at: "/x", fileSystem: disk).all().count
    #expect(kept > 0 && kept < expected.count)
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    #expect(writer.firstSequence == UInt64(kept + 2))
    try writer.close()
    #expect(disk.contents("/x/quarantine/0000000001.tail") == bytes)
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    #expect(try reader.all().prefix(kept) == expected.prefix(kept))
  }

  @Test func whatAnInterruptedEncoderLeftIsNoDamage() throws {
    let (disk, path, expected) = try killedLog()
    var bytes = try #require(disk.contents(path))
    let end = 128 + expected.reduce(0) { $0 + 16 + ($1.payload.count + 7) & ~7 }
    for index in end + 16..<end + 16 + 4096 { bytes[index] = 0xaa }
    disk.put(path, bytes)
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    #expect(try reader.all() == expected)
    // One byte more is none that an encoder can have left.
    bytes[end + 16 + 4096] = 0xaa
    disk.put(path, bytes)
    #expect(
      logError { _ = try LogReader(at: "/x", mode: .strict, fileSystem: disk) }?.message == """
        The log "/x" is damaged: \(path) at byte \(end): what stands behind record 20 is no \
        record. Open it without strict mode to read what is good, or restore it from a backup.
        """)
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    try writer.close()
    #expect(disk.paths.contains("/x/quarantine/0000000001.tail"))
  }

  @Test func staleBytesOfAnEarlierUseAreNeverRecords() throws {
    // The same frames under another salt.
    let (disk, path, expected) = try killedLog()
    let (other, _, _) = try killedLog()
    var bytes = try #require(disk.contents(path))
    let stale = try #require(other.contents(path))
    let end = 128 + expected.prefix(5).reduce(0) { $0 + 16 + ($1.payload.count + 7) & ~7 }
    for index in end..<bytes.count { bytes[index] = stale[index] }
    disk.put(path, bytes)
    #expect(try LogReader(at: "/x", fileSystem: disk).all() == Array(expected.prefix(5)))
  }

  @Test func randomBytesInPlaceOfAnyFileAreNoTrap() throws {
    var generator = SeededGenerator(seed: 5)
    let (closed, _) = try closedLog()
    let (killed, _, _) = try killedLog()
    for disk in [closed, killed] {
      for path in disk.paths {
        let whole = try #require(disk.contents(path))
        for _ in 0..<60 {
          var bytes = whole
          let start = Int.random(in: 0..<max(1, bytes.count), using: &generator)
          let end = min(bytes.count, start + Int.random(in: 1...400, using: &generator))
          for index in start..<end { bytes[index] = .random(in: 0...255, using: &generator) }
          disk.put(path, bytes)
          if let reader = try? LogReader(at: "/x", mode: .salvage, fileSystem: disk) {
            _ = try? reader.all()
            _ = try? reader.verify()
            _ = reader.summary
          }
          let copy = disk.copyAfterKill()
          if let writer = try? LogWriter(at: "/x", fileSystem: copy) {
            try writer.append(.note, stream: 0, payload: [1])
            try writer.close()
          }
        }
        disk.put(path, whole)
      }
    }
  }
}
