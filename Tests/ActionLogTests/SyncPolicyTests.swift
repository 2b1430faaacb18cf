import ActionLog
import Foundation
import Synchronization
import LogSimulation
import Testing

@testable import ActionLog

/// When records are durable, and what tells that they were.
@Suite struct SyncPolicyTests {
  private func options(_ policy: SyncPolicy) -> LogOptions {
    var options = LogOptions()
    options.syncPolicy = policy
    options.blockSize = 1 << 10
    options.initialTailSize = 8 << 10
    options.maximumTailSize = 16 << 10
    return options
  }

  /// What a loss of power leaves when no page of a mapped tail was written.
  private func afterPowerLoss(_ disk: MemoryFileSystem) -> MemoryFileSystem {
    let left = disk.copyAfterKill()
    for path in left.paths where path.hasSuffix(".tail") { left.remove(path) }
    return left
  }

  @Test(arguments: [SyncPolicy.each, .group])
  func manyThreadsAppendDurably(_ policy: SyncPolicy) throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options(policy), fileSystem: disk)
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 1...100 {
        let sequence = try? writer.append(
          .action, stream: UInt16(thread), payload: payload(number, 40))
        let isDurable = writer.statistics.durableSequence >= sequence ?? .max
        if !isDurable { failures.withLock { $0 += 1 } }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    let left = afterPowerLoss(disk)
    try writer.close()
    let records = try LogReader(at: "/x", mode: .strict, fileSystem: left).all()
    #expect(records.filter { $0.kind == .action }.count == 400)
    for thread in 0..<4 {
      #expect(
        records.filter { $0.stream == UInt16(thread) }.map(\.payload)
          == (1...100).map { payload($0, 40) })
    }
  }

  @Test func syncsAreSharedUnderThePolicyGroup() throws {
    let disk = WatchedFileSystem()
    var shared = options(.group)
    shared.initialTailSize = 1 << 20
    let writer = try LogWriter(at: "/x", options: shared, fileSystem: disk)
    // The disk takes its time until all have appended.
    disk.onSync { while writer.statistics.records < 8 { usleep(500) } }
    let done = Mutex(0)
    for thread in 0..<8 {
      Thread {
        _ = try? writer.append(.action, stream: UInt16(thread), payload: [1])
        done.withLock { $0 += 1 }
      }.start()
    }
    while done.withLock({ $0 }) < 8 { usleep(500) }
    disk.onSync {}
    #expect(writer.statistics.durableSequence == 8)
    #expect(disk.fileSyncs <= 2)
    try writer.close()
  }

  /// A new directory's name is in the directory it lies in.
  @Test func theNameOfANewLogIsMadeSafeBeforeAnythingIsPromised() throws {
    let disk = WatchedFileSystem()
    try disk.makeDirectory("/y")
    let writer = try LogWriter(at: "/y/x", options: options(.none), fileSystem: disk)
    try writer.append(.note, stream: 0, payload: [1])
    #expect(disk.syncedDirectories.isEmpty)
    try writer.flush()
    #expect(disk.syncedDirectories.first == "/y")
    #expect(disk.syncedDirectories.contains("/y/x"))
    try writer.close()
    disk.forget()
    let next = try LogWriter(at: "/y/x", options: options(.none), fileSystem: disk)
    try next.append(.note, stream: 0, payload: [1])
    try next.flush()
    #expect(!disk.syncedDirectories.contains("/y"))
    try next.close()
    #expect(parent(of: "x.retrace") == ".")
    #expect(parent(of: "/x.retrace/") == "/")
    #expect(parent(of: "a/b/x") == "a/b")
  }

  // MARK: Marks

  @Test func syncMarksTakeNoNumberAndMakeNoNewSyncDue() throws {
    let disk = FaultyFileSystem()
    let writer = try LogWriter(at: "/x", options: options(.group), fileSystem: disk)
    for number in 1...10 {
      #expect(try writer.append(.action, stream: 0, payload: [UInt8(number)]) == UInt64(number))
    }
    let syncs = disk.count(.sync)
    #expect(writer.statistics.records == 10)
    try writer.flush()
    try writer.flush()
    #expect(disk.count(.sync) == syncs)
    let killed = disk.base.copyAfterKill()
    try writer.close()
    let file = try killed.open("/x/0000000001.tail", .read)
    var scan = try #require(try TailScan.begin(file).0)
    var count = 0
    while try scan.next({ _, _ in count += 1 }) {}
    #expect(count == 10)
    #expect(scan.durable == 10)
    #expect(try scan.remains() == .nothing)
  }

  @Test func blocksAndHeadersSayWhatWasDurable() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options(.none), fileSystem: disk)
    for number in 1...100 { try writer.append(.action, stream: 0, payload: payload(number, 60)) }
    try writer.flush()
    for number in 1...100 { try writer.append(.action, stream: 0, payload: payload(number, 60)) }
    try writer.flush()
    writer.cut { [PreambleRecord(kind: .state, stream: 0, payload: [1])] }
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
    var marks: [UInt64] = []
    for path in disk.paths where path.hasSuffix(".segment") {
      let name = (path as NSString).lastPathComponent
      let file = try disk.open(path, .read)
      guard case .segment(let scan) = try SegmentScan.scan(file, name: name) else { continue }
      for entry in scan.records {
        #expect(entry.header.durable < entry.header.firstSequence)
        marks.append(entry.header.durable)
      }
      #expect(scan.header.durable < scan.header.firstSequence)
      if scan.header.firstSequence == 201 { #expect(scan.header.durable == 200) }
    }
    #expect(marks == marks.sorted())
    #expect(marks.contains { $0 >= 100 })
    #expect(marks.last == 200)
  }

  /// Rot before a sync mark is an error, and no end.
  @Test(arguments: [true, false])
  func whatASyncMarkCoversIsMissedWhenItIsGone(_ isMarked: Bool) throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(
      at: "/x", options: options(isMarked ? .each : .none), fileSystem: disk)
    for number in 1...20 { try writer.append(.action, stream: 0, payload: payload(number, 30)) }
    let killed = disk.copyAfterKill()
    try writer.close()
    for path in killed.paths where path.hasSuffix(".copy") { killed.remove(path) }
    var bytes = try #require(killed.contents("/x/0000000001.tail"))
    // Behind four records of 48 bytes, and a mark of 16 behind each.
    bytes[128 + 4 * (isMarked ? 64 : 48) + 20] ^= 1
    killed.put("/x/0000000001.tail", bytes)
    let reader = try LogReader(at: "/x", fileSystem: killed)
    let salvage = try LogReader(at: "/x", mode: .salvage, fileSystem: killed)
    if isMarked {
      #expect(
        reader.summary.damage.map(\.description) == [
          "/x/0000000001.tail at byte 384: record 5 is damaged: it and what stands behind it are lost",
          "/x: records 5 to 20 are missing, which had been made durable",
        ])
      #expect(
        logError { _ = try reader.all() }?.message == """
          records 5 to 20 are missing from the log "/x". Open the log in salvage mode to read the \
          others, or restore it from a backup.
          """)
      var cursor = salvage.cursor()
      var count = 0
      while try cursor.next() != nil { count += 1 }
      #expect(count == 4)
      #expect(try cursor.next() == nil)
      #expect(cursor.gaps == [5...20])
    } else {
      #expect(try reader.all().count == 4)
      #expect(reader.summary.damage.count == 1)
    }
    // The numbers of what was durable are not used again.
    let next = try LogWriter(at: "/x", fileSystem: killed)
    #expect(next.opening.hasLoss)
    #expect(next.opening.lost == (isMarked ? [5...20] : []))
    #expect(next.opening.quarantined == ["/x/quarantine/0000000001.tail"])
    #expect(next.opening.recoveredRecords == 4)
    #expect(next.firstSequence == (isMarked ? 22 : 6))
    if isMarked {
      #expect(
        next.opening.description == """
          4 records of a run that was killed were recovered. /x/0000000001.tail at byte 384: \
          record 5 is damaged: it and what stands behind it are lost. Records 5 to 20 are lost. \
          Kept for a closer look: /x/quarantine/0000000001.tail.
          """)
    }
    try next.append(.note, stream: 0, payload: [1])
    try next.close()
    let after = try LogReader(at: "/x", mode: .strict, fileSystem: killed)
    #expect(after.summary.gaps.map(\.sequences) == (isMarked ? [5...20] : []))
    #expect(try after.verify().isGood)
  }

  @Test func anOrdinaryOpeningHasNothingToSay() throws {
    try onEachFileSystem { disk, path in
      try LogWriter(at: path, fileSystem: disk).close()
      let writer = try LogWriter(at: path, fileSystem: disk)
      #expect(writer.opening == OpeningReport())
      #expect(writer.opening.description.isEmpty)
      try writer.close()
    }
  }

  // MARK: Pages that were lost

  /// A block's header reached the disk and its bytes did not; the copy of the tail has its records.
  @Test(arguments: [1, 2], [false, true])
  func aTornBlockCostsNothingWhileATailHasItsRecords(_ block: Int, _ isHeaderLost: Bool) throws {
    let disk = MemoryFileSystem()
    var large = options(.none)
    large.initialTailSize = 1 << 20
    let writer = try LogWriter(at: "/x", options: large, fileSystem: disk)
    for number in 1...60 { try writer.append(.action, stream: 0, payload: payload(number, 60)) }
    try writer.flush()
    let killed = disk.copyAfterKill()
    try writer.close()
    for path in killed.paths where path.hasSuffix(".tail") { killed.remove(path) }
    let path = try #require(killed.paths.first { $0.hasSuffix(".segment") })
    var bytes = try #require(killed.contents(path))
    var at = 192
    let blocks = try LogReader(at: "/x", fileSystem: killed).blocks.filter { !$0.isTail }
    #expect(blocks.count >= 2)
    for index in 0..<block - 1 { at += blocks[index].storedSize }
    // Its bytes, or its header with them.
    for index in (isHeaderLost ? at : at + 100)..<at + 200 { bytes[index] = 0 }
    killed.put(path, bytes)

    let expected = (1...60).map { payload($0, 60) }
    let reader = try LogReader(at: "/x", fileSystem: killed)
    #expect(try reader.all().map(\.payload) == expected)
    #expect(!(try reader.verify().hasLoss))
    let next = try LogWriter(at: "/x", fileSystem: killed)
    #expect(!next.opening.hasLoss)
    try next.close()
    let after = try LogReader(at: "/x", fileSystem: killed)
    #expect(try after.all().filter { $0.kind == .action }.map(\.payload) == expected)
    let report = try after.verify()
    #expect(!report.hasLoss)
    #expect(report.records == 61)
    #expect(after.summary.runs.first?.actions.map(\.count) == [60])
    // The bytes that can't be read are not thrown away.
    #expect(
      killed.contents(block == 1 ? "/x/quarantine/00000000000000000001.segment" : path) == bytes)
  }
}
