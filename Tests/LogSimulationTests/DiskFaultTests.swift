import ActionLog
import Foundation
import LogSimulation
import Synchronization
import Testing

/// What happens while the disk fails, is full, or is away, and after it is back.
@Suite struct DiskFaultTests {
  private static func options(_ policy: SyncPolicy = .interval(milliseconds: 1)) -> LogOptions {
    var options = LogOptions()
    options.syncPolicy = policy
    options.blockSize = 1 << 10
    options.segmentSize = 8 << 10
    options.initialTailSize = 4 << 10
    options.maximumTailSize = 8 << 10
    return options
  }

  private func payload(_ number: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(number))
    return (0..<50 + number % 50).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  /// Each kind of call fails for each reason, once and for good; whatever was taken is in the log
  /// after the next opening, in order, or a gap says that it is not.
  @Test(arguments: FaultyFileSystem.Call.allCases)
  func noFailingCallLosesInSilence(_ call: FaultyFileSystem.Call) throws {
    for error in [EIO, ENOSPC, EACCES, EMFILE] {
      for number in [1, 2, 3, 5, 9, 25] {
        for lasts in [false, true] {
          let disk = FaultyFileSystem()
          disk.fail(call, number, with: error, lasts: lasts)
          let end = append(to: disk, 80)
          disk.change { $0.failing = nil }
          try check(disk.base.copyAfterKill(), end, "\(call) \(number), \(error), \(lasts)")
        }
      }
    }
  }

  private struct End {
    /// The last record that was taken.
    var taken: UInt64 = 0
    /// Whether the owner was told of a failure, or met one.
    var isTold = false
  }

  private func append(to disk: FaultyFileSystem, _ count: Int) -> End {
    var end = End()
    let told = Mutex(false)
    var options = Self.options()
    options.onFailure = { _ in told.withLock { $0 = true } }
    do {
      let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
      for number in 1...count {
        end.taken = max(
          end.taken, try writer.append(.action, stream: 0, payload: payload(number)))
      }
      try writer.close()
    } catch {
      end.isTold = true
    }
    if told.withLock({ $0 }) { end.isTold = true }
    return end
  }

  private func check(_ disk: MemoryFileSystem, _ end: End, _ place: String) throws {
    let writer = try LogWriter(at: "/x", fileSystem: disk)
    let own = try writer.append(.note, stream: 9, payload: [1])
    try writer.close()
    let found = try Found(disk)
    #expect(own > UInt64(found.actions), "\(place)")
    #expect(UInt64(found.actions) >= end.taken || end.isTold, "\(place): \(found.actions)")
    #expect(!found.hasHole || found.isTold, "\(place)")
  }

  /// What salvage finds.
  private struct Found {
    var actions = 0
    /// Whether a gap record or the cursor says that records are missing.
    var isTold = false
    var hasHole = false

    init(_ disk: MemoryFileSystem) throws {
      let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
      var cursor = reader.cursor()
      var last: UInt64 = 0
      while let record = try cursor.next() {
        if record.kind == .gap { isTold = true }
        if record.kind == .action { actions += 1 }
        if record.sequence != last + 1 { hasHole = true }
        last = record.sequence
      }
      if !cursor.gaps.isEmpty { isTold = true }
    }
  }

  /// The disk goes and comes back: the application goes on, the owner is told, and what could not be
  /// kept is a gap, unless a sync failed meanwhile: then the log is given up, and that is told.
  @Test func aDiskThatIsTakenAwayAndBroughtBack() throws {
    let disk = FaultyFileSystem()
    let told = Mutex(0)
    var options = Self.options(.none)
    options.onFailure = { _ in told.withLock { $0 += 1 } }
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...20 { try writer.append(.action, stream: 0, payload: payload(number)) }
    disk.takeAway(ENODEV)
    for number in 21...600 { try writer.append(.action, stream: 0, payload: payload(number)) }
    disk.bringBack()
    for number in 601...640 { try writer.append(.action, stream: 0, payload: payload(number)) }
    var isGivenUp = false
    do {
      try writer.close()
    } catch {
      isGivenUp = true
    }
    // That it cannot be written for now, and perhaps that it is given up.
    #expect((1...2).contains(told.withLock { $0 }))
    let left = disk.base.copyAfterKill()
    try LogWriter(at: "/x", fileSystem: left).close()
    let found = try Found(left)
    #expect(found.actions == 640 || found.isTold || isGivenUp, "\(found)")
  }

  @Test func aDiskThatFillsAndIsFreedAgain() throws {
    let disk = FaultyFileSystem()
    let told = Mutex(0)
    var options = Self.options(.none)
    options.onFailure = { _ in told.withLock { $0 += 1 } }
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    disk.change { $0.space = 20_000 }
    for number in 1...1000 { try writer.append(.action, stream: 0, payload: payload(number)) }
    disk.change { $0.space = .max }
    for number in 1001...1040 { try writer.append(.action, stream: 0, payload: payload(number)) }
    try? writer.close()
    #expect((1...2).contains(told.withLock { $0 }))
    let left = disk.base.copyAfterKill()
    try LogWriter(at: "/x", fileSystem: left).close()
    #expect(try LogReader(at: "/x", mode: .salvage, fileSystem: left).summary.records > 100)
  }

  /// Whoever appends faster than the disk takes records waits for it: nothing has failed, and so
  /// nothing is let go.
  @Test(arguments: [FailurePolicy.dropOldest, .pause, .fail])
  func aDiskThatIsSlowerThanTheRecordsLosesNone(policy: FailurePolicy) throws {
    let disk = FaultyFileSystem.slow()
    let told = Mutex(0)
    var options = Self.options(.none)
    options.failurePolicy = policy
    options.maximumBacklog = 24 << 10
    options.onFailure = { _ in told.withLock { $0 += 1 } }
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...2_000 { try writer.append(.action, stream: 0, payload: payload(number)) }
    try writer.close()
    #expect(told.withLock { $0 } == 0)
    let found = try Found(disk.base)
    #expect(found.actions == 2_000)
    #expect(!found.isTold)
  }

  /// A disk that takes and gives a few bytes at a time is as good as any.
  @Test func shortReadsAndWritesChangeNothing() throws {
    let disk = FaultyFileSystem.slow()
    for _ in 1...2 {
      let writer = try LogWriter(at: "/x", options: Self.options(), fileSystem: disk)
      for number in 1...300 { try writer.append(.action, stream: 0, payload: payload(number)) }
      try writer.close()
    }
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    #expect(try reader.verify().isGood)
    var cursor = reader.cursor()
    for _ in 1...2 {
      for number in 1...300 {
        let record = try #require(try cursor.next())
        #expect(record.payload.elementsEqual(payload(number)))
      }
    }
  }

  /// A tail that is torn at every byte is its longest valid prefix.
  @Test func aTailTornAtEveryByteIsAPrefix() throws {
    let disk = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: Self.options(.none), fileSystem: disk)
    for number in 1...12 { try writer.append(.action, stream: 0, payload: payload(number)) }
    let left = disk.copyAfterKill()
    try writer.close()
    let path = "/x/0000000001.tail"
    let whole = try #require(left.contents(path))
    var counts: Set<Int> = []
    for end in stride(from: 0, through: 1500, by: 1) {
      // What was not written yet reads as zero.
      left.put(path, Array(whole[..<end]) + [UInt8](repeating: 0, count: whole.count - end))
      let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: left)
      var cursor = reader.cursor()
      var count = 0
      while let record = try cursor.next() {
        count += 1
        #expect(record.payload.elementsEqual(payload(count)))
      }
      counts.insert(count)
    }
    #expect(counts == Set(0...12))
  }
}
