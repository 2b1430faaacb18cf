import Foundation
import Synchronization
import LogSimulation
import Testing

@testable import ActionLog

/// What has gone wrong in other logs, one test each: the damage is made as it was reported.
@Suite struct PitfallTests {
  private func options(_ policy: SyncPolicy = .none) -> LogOptions {
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.initialTailSize = 8 << 10
    options.maximumTailSize = 16 << 10
    options.syncPolicy = policy
    return options
  }

  /// A log of `count` records as a kill leaves it.
  private func killed(_ count: Int, _ options: LogOptions) throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...count { try writer.append(.action, stream: 0, payload: payload(number, 40)) }
    let left = disk.copyAfterKill()
    try writer.close()
    return left
  }

  private func closed(_ runs: Int) throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    for _ in 1...runs {
      let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
      for number in 1...60 { try writer.append(.action, stream: 0, payload: payload(number, 40)) }
      try writer.close()
    }
    return disk
  }

  private let tail = "/x/0000000001.tail"

  /// Recovers what is left, appends, and reads it all; returns the actions that were kept.
  private func goOn(_ disk: MemoryFileSystem) throws -> [[UInt8]] {
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    try writer.append(.note, stream: 9, payload: [1])
    try writer.close()
    let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    let records = try reader.all()
    #expect(records.last?.kind == .note)
    return records.filter { $0.kind == .action }.map(\.payload)
  }

  @Test func l01aTailThatIsTornAnywhereGivesItsLongestPrefix() throws {
    let disk = try killed(60, options())
    let whole = try #require(disk.contents(tail))
    let expected = (1...60).map { payload($0, 40) }
    var cuts = Array(stride(from: 0, to: 60 * 56 + 200, by: 7))
    cuts += Array(stride(from: 0, to: whole.count, by: 512))
    for cut in cuts {
      let left = disk.copyAfterKill()
      left.put(tail, Array(whole[..<cut]) + [UInt8](repeating: 0, count: whole.count - cut))
      let kept = try goOn(left)
      #expect(kept == Array(expected.prefix(kept.count)), "torn at \(cut)")
      // All that stand whole before the cut.
      #expect(kept.count >= min(60, max(0, (cut - 128) / 56)) || cut < 128, "torn at \(cut)")
    }
  }

  @Test(arguments: [512, 4096]) func l02zeroedSectorsAreNoEndInSilence(_ size: Int) throws {
    let disk = try killed(100, options())
    let whole = try #require(disk.contents(tail))
    let used = 128 + 100 * 56
    for start in stride(from: 0, to: used, by: size) {
      var bytes = whole
      for index in start..<min(start + size, bytes.count) { bytes[index] = 0 }
      let left = disk.copyAfterKill()
      left.put(tail, bytes)
      let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: left)
      // Its last sector is one where nothing shows that there was more.
      let isNoticed = !reader.summary.damage.isEmpty
      #expect(isNoticed || start + size >= used, "\(start)")
      _ = try goOn(left)
    }
  }

  @Test func l03lengthsAreBoundedBeforeTheyAreUsed() throws {
    let disk = try killed(5, options())
    let whole = try #require(disk.contents(tail))
    for length in [1, 15, 17, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fff0, 64 << 20] {
      var bytes = whole
      for index in 0..<4 { bytes[128 + 56 + index] = UInt8(length >> (8 * index) & 255) }
      let left = disk.copyAfterKill()
      left.put(tail, bytes)
      #expect(try LogReader(at: "/x", fileSystem: left).all().count == 1)
      #expect(try goOn(left) == [payload(1, 40)])
    }
  }

  /// A kill between body, checksum and length: the length is stored last.
  @Test func l04aRecordIsThereWholeOrNotAtAll() throws {
    let disk = try killed(5, options())
    let whole = try #require(disk.contents(tail))
    let start = 128 + 4 * 56
    for stage in 0...3 {
      var bytes = whole
      for index in 0..<4 { bytes[start + index] = 0 }
      if stage < 3 { for index in 4..<8 { bytes[start + index] = 0 } }
      if stage < 2 { for index in 8..<16 { bytes[start + index] = 0 } }
      if stage < 1 { for index in 16..<56 { bytes[start + index] = 0 } }
      let left = disk.copyAfterKill()
      left.put(tail, bytes)
      #expect(try LogReader(at: "/x", fileSystem: left).all().count == 4)
      #expect(try goOn(left).count == 4)
    }
  }

  @Test func l05namesAreSafeBeforeWhatTheyName() throws {
    let disk = WatchedFileSystem()
    let writer = try LogWriter(at: "/x", options: options(.each), fileSystem: disk)
    try writer.append(.note, stream: 0, payload: [1])
    // The log's own name, and that of the copy.
    #expect(disk.syncedDirectories == ["/", "/x"])
    disk.forget()
    writer.cut { [PreambleRecord(kind: .state, stream: 0, payload: [1])] }
    try writer.append(.note, stream: 0, payload: [2])
    try writer.close()
    #expect(disk.syncedDirectories.contains("/x"))
  }

  @Test func l06aFlippedBitCostsItsBlockAndIsNoticed() throws {
    let disk = try closed(1)
    let path = try #require(disk.paths.first { $0.hasSuffix(".segment") })
    let whole = try #require(disk.contents(path))
    let blocks = try LogReader(at: "/x", fileSystem: disk).blocks
    for index in stride(from: 0, to: whole.count, by: 3) {
      var bytes = whole
      bytes[index] ^= 0x20
      disk.put(path, bytes)
      let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
      #expect(!(try reader.verify().isGood), "byte \(index)")
      let most = blocks.map(\.count).max() ?? 0
      #expect(try reader.all().count >= 60 - most, "byte \(index)")
    }
  }

  @Test func l07aGapIsNeverPassedInSilence() throws {
    let disk = try closed(1)
    let path = try #require(disk.paths.first { $0.hasSuffix(".segment") })
    var bytes = try #require(disk.contents(path))
    let blocks = try LogReader(at: "/x", fileSystem: disk).blocks
    #expect(blocks.count > 2)
    bytes[192 + blocks[0].storedSize + 90] ^= 1
    disk.put(path, bytes)
    #expect(logError { _ = try LogReader(at: "/x", fileSystem: disk).all() }?.code == .damaged)
    var cursor = try LogReader(at: "/x", mode: .salvage, fileSystem: disk).cursor()
    var count = 0
    while try cursor.next() != nil { count += 1 }
    #expect(cursor.gaps.map { $0.count } == [blocks[1].count])
    #expect(count == 60 - blocks[1].count)
  }

  @Test func l08rotBeforeTheLastSyncMarkIsNoTornEnd() throws {
    let disk = try killed(20, options(.each))
    for path in disk.paths where path.hasSuffix(".copy") { disk.remove(path) }
    var bytes = try #require(disk.contents(tail))
    for index in 128 + 72 * 5..<bytes.count { bytes[index] = 0 }
    // The end is clean, and a header says that more was durable.
    var header = TailHeader(
      salt: 1, firstSequence: 21, baseTime: 0, run: 1, ordinal: 2, durable: 20
    ).encoded()
    header += [UInt8](repeating: 0, count: 4096)
    disk.put("/x/0000000002.tail", header)
    disk.put(tail, bytes)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(logError { _ = try reader.all() }?.code == .damaged)
    #expect(reader.summary.damage.contains { $0.effect == .loss && $0.sequences == 6...20 })
  }

  @Test func l09everySegmentIsVerified() throws {
    let disk = try closed(4)
    for path in disk.paths where path.hasSuffix(".segment") {
      let whole = try #require(disk.contents(path))
      var bytes = whole
      bytes[192 + 100] ^= 1
      disk.put(path, bytes)
      let report = try LogReader(at: "/x", fileSystem: disk).verify()
      #expect(report.hasLoss)
      #expect(report.damage.allSatisfy { $0.path == path })
      disk.put(path, whole)
    }
    #expect(try LogReader(at: "/x", fileSystem: disk).verify().isGood)
  }

  @Test func l10whatRecoveryWritesIsVerifiedAndLossIsTold() throws {
    let disk = try closed(3)
    disk.remove("/x/00000000000000000061.segment")
    let result = try salvageLog(at: "/x", to: "/y", fileSystem: disk)
    #expect(result.hasLoss)
    #expect(result.lost == [61...120])
    #expect(try LogReader(at: "/y", mode: .strict, fileSystem: disk).verify().isGood)
  }

  /// Counted in calls: they do not depend on how many segments there are.
  @Test func l11openingDoesNotDependOnTheSizeOfTheLog() throws {
    var reads: [Int] = []
    for runs in [2, 40] {
      let disk = FaultyFileSystem(try closed(runs).copyAfterKill())
      let before = (disk.count(.read), disk.count(.open), disk.count(.size))
      let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
      reads.append(
        disk.count(.read) - before.0 + disk.count(.open) - before.1 + disk.count(.size) - before.2)
      try writer.close()
    }
    #expect(reads[0] == reads[1])
    #expect(reads[0] < 20)
  }

  @Test func l12aFullDiskIsAnErrorAtAllocation() throws {
    let disk = FaultyFileSystem()
    disk.change { $0.space = 2_000 }
    let error = logError { _ = try LogWriter(at: "/x", options: options(), fileSystem: disk) }
    #expect(error?.code == .diskFull)
    disk.change { $0.space = 20_000 }
    let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
    for number in 1...2000 { try writer.append(.action, stream: 0, payload: payload(number, 40)) }
    #expect(logError { try writer.close() }?.code == .diskFull)
  }

  @Test func l13afterAFailedWriteTheFileIsLeftAlone() throws {
    let disk = FaultyFileSystem()
    let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
    for number in 1...50 { try writer.append(.action, stream: 0, payload: payload(number, 40)) }
    try writer.flush()
    let segment = try #require(disk.base.paths.first { $0.hasSuffix(".segment") })
    // Half of a block goes through.
    disk.change { $0.space = 100 }
    for number in 51...90 { try writer.append(.action, stream: 0, payload: payload(number, 40)) }
    _ = logError { try writer.flush() }
    let torn = disk.base.contents(segment)
    disk.change { $0.space = .max }
    while logError({ try writer.flush() }) != nil {}
    try writer.close()
    #expect(disk.base.contents(segment) == torn)
    let records = try LogReader(at: "/x", fileSystem: disk).all().filter { $0.kind == .action }
    #expect(records.map(\.payload) == (1...90).map { payload($0, 40) })
  }

  /// No call of the file system's protocol cuts a file short, and readers map none.
  @Test func l14readersMapNothing() throws {
    let disk = FaultyFileSystem(try killed(50, options()).copyAfterKill())
    disk.fail(.map, 1, with: EIO, lasts: true)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(try reader.all().count == 50)
    _ = try reader.verify()
    #expect(disk.count(.map) == 0)
  }

  @Test func l15timesOfRecordsDoNotBlockRetention() throws {
    let disk = try closed(3)
    // Sealed just now, whatever their records say.
    let none = try prune(at: "/x", Retention(maximumAge: 3600), isDryRun: true, fileSystem: disk)
    #expect(none.paths.isEmpty)
    usleep(2000)
    let all = try prune(at: "/x", Retention(maximumAge: 0), isDryRun: true, fileSystem: disk)
    #expect(all.paths.count == 2)
  }

  @Test func l16theLockIsNeverForced() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
    let error = logError { _ = try LogWriter(at: "/x", options: options(), fileSystem: disk) }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("process \(getpid())") == true)
    try writer.close()
    try LogWriter(at: "/x", options: options(), fileSystem: disk).close()
  }

  @Test func l17twoWritersNeverMixTheirRecords() throws {
    try inTemporaryDirectory { place in
      let path = place + "/x.retrace"
      let opened = Mutex(0)
      let refused = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 1...5 {
          do {
            let writer = try LogWriter(at: path)
            for number in 1...10 {
              try writer.append(.action, stream: 0, payload: [UInt8(number)])
            }
            try writer.close()
            opened.withLock { $0 += 1 }
          } catch {
            refused.withLock { $0 += 1 }
          }
        }
      }
      let runs = opened.withLock { $0 }
      #expect(runs + refused.withLock { $0 } == 20)
      let records = try LogReader(at: path, mode: .strict).all()
      #expect(records.count == 10 * runs)
      #expect(records.map { Int($0.payload[0]) } == (0..<10 * runs).map { $0 % 10 + 1 })
    }
  }

  @Test func l18aBadByteInABlockDoesNotTouchTheNext() throws {
    let disk = try closed(1)
    let path = try #require(disk.paths.first { $0.hasSuffix(".segment") })
    let blocks = try LogReader(at: "/x", fileSystem: disk).blocks
    var bytes = try #require(disk.contents(path))
    bytes[192 + 80] ^= 0xff
    disk.put(path, bytes)
    let records = try LogReader(at: "/x", mode: .salvage, fileSystem: disk).all()
    #expect(records.map(\.sequence) == Array(UInt64(blocks[0].count + 1)...60))
  }

  /// Right checksums, and a size that nobody has memory for.
  @Test func l19declaredSizesAreCappedBeforeMemoryIsTaken() {
    var header = BlockHeader(
      codec: BlockCodec.lz4, columns: 0, flags: 0, storedSize: 100, rawSize: 0xffff_ffff,
      firstSequence: 1, count: 10, storedChecksum: 0, earliest: 0, latest: 0, kinds: 0, streams: [])
    for (raw, isGood) in [
      (UInt32(Format.maximumBlock - 1), true), (UInt32(Format.maximumBlock), true),
      (UInt32(Format.maximumBlock + 1), false), (0xffff_ffff, false),
    ] {
      header.rawSize = raw
      var bytes: [UInt8] = []
      header.encode(into: &bytes, seed: 7)
      let decoded = bytes.withUnsafeBytes { BlockHeader.decode($0, seed: 7) }
      #expect((decoded != nil) == isGood, "\(raw)")
    }
  }

  /// The checksum is CRC32C, and blocks are plain LZ4 blocks: `Tools/read_log.py` has code of its own
  /// for both and reads every golden log.
  @Test func l20theChecksumIsTheOneOthersCompute() {
    let check = Array("123456789".utf8).withUnsafeBytes { checksum(0, $0) }
    #expect(check == 0xe306_9283)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1 << 20, 64 << 20])
  func l21recordsOfAnySizeAreWhole(_ size: Int) throws {
    try inTemporaryDirectory { place in
      let path = place + "/x.retrace"
      let writer = try LogWriter(at: path)
      try writer.append(.note, stream: 0, payload: [1])
      let sequence = try writer.append(.state, stream: 0) { buffer in
        guard buffer.count >= size else { return nil }
        if let start = buffer.baseAddress { memset(start, 0x5a, size) }
        if size > 0 { buffer[size - 1] = 7 }
        return size
      }
      #expect(sequence == 2)
      try writer.append(.note, stream: 0, payload: [2])
      // In the tail, and then in a block.
      for isClosed in [false, true] {
        if isClosed { try writer.close() }
        var cursor = try LogReader(at: path).cursor()
        #expect(try cursor.next()?.payload.first == 1)
        let record = try #require(try cursor.next())
        #expect(record.payload.count == size)
        // Looked at in strides: a debug build takes its time for 64 MiB.
        let step = max(1, size / 5_000)
        let isWhole = stride(from: 0, to: size - 1, by: step).allSatisfy {
          record.payload[$0] == 0x5a
        }
        #expect(isWhole)
        #expect(size == 0 || record.payload.last == 7)
        #expect(try cursor.next()?.payload.first == 2)
      }
    }
  }

  @Test func l22unknownKindsAreKept() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
    for kind in 14...255 {
      try writer.append(RecordKind(rawValue: UInt8(kind)), stream: 3, payload: [UInt8(kind)])
    }
    try writer.close()
    let records = try LogReader(at: "/x", mode: .strict, fileSystem: disk).all()
    #expect(records.map { $0.kind.rawValue } == Array(14...255))
    #expect(records.map { $0.payload[0] } == Array(14...255))
    #expect(RecordKind(rawValue: 200).description == "kind 200")
    let result = try salvageLog(at: "/x", to: "/y", fileSystem: disk)
    #expect(result.records == 242)
  }

  @Test func l23aReaderNeverBlocksRetention() throws {
    let disk = try closed(4)
    let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    var cursor = reader.cursor()
    _ = try cursor.next()
    let result = try prune(at: "/x", Retention(maximumBytes: 1), fileSystem: disk)
    #expect(result.paths.count == 3)
    #expect(disk.paths.filter { $0.hasSuffix(".segment") }.count == 1)
    var last: UInt64 = 1
    while let record = try cursor.next() { last = record.sequence }
    #expect(last == 240)
    #expect(cursor.gaps.map(\.upperBound) == [180])
  }
}
