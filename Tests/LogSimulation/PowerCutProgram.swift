internal import ActionLog
internal import Synchronization

extension PowerCutCampaign {
  /// A program that writes a log on a disk that is watched.
  struct Program {
    /// The disk before one of the program's calls, and what was promised by then.
    struct Moment: Sendable {
      var disk: DiskMoment
      /// The last record that was said to be durable.
      var durable: UInt64
      /// The last record that may have been appended.
      var appended: UInt64
    }

    private struct Promise: Sendable {
      var durable: UInt64
      var appended: UInt64
    }

    private let policy: Policy
    private let disk: MemoryFileSystem
    private let start: UInt64
    private var generator: SeededGenerator

    init(policy: Policy, seed: UInt64, on disk: MemoryFileSystem, behind start: UInt64) throws {
      self.policy = policy
      self.disk = disk
      self.start = start
      generator = SeededGenerator(seed: seed)
    }

    /// Appends, and returns the disk at some moments before, during and after it.
    func run(moments wanted: Int) throws -> [Moment] {
      var generator = generator
      let moments = Mutex<[Moment]>([])
      // A recovery before the run adds records that nobody has promised.
      let promise = Mutex(Promise(durable: start, appended: start + 1))
      let watch = Mutex(SeededGenerator(seed: generator.next()))
      // Those that sync seldom make few calls.
      let often = policy == .each || policy == .group ? 1 : 3
      let chance = often * (15 + generator.below(60))
      disk.observe { disk in
        let (isWanted, isWrittenBack) = watch.withLock {
          ($0.chance(chance), $0.chance(60))
        }
        if isWrittenBack { watch.withLock { disk.writeBack(&$0) } }
        if !isWanted || moments.withLock({ $0.count >= wanted }) { return }
        // In this order: what is promised while the disk is captured is not counted.
        let durable = promise.withLock { $0.durable }
        let moment = disk.moment
        let appended = promise.withLock { $0.appended }
        moments.withLock {
          $0.append(Moment(disk: moment, durable: durable, appended: appended))
        }
      }
      defer { disk.observe(nil) }
      var options = LogOptions()
      options.syncPolicy = policy.syncPolicy
      options.blockSize = 1 << 10
      options.segmentSize = 4 << 10
      options.initialTailSize = 4 << 10
      options.maximumTailSize = 8 << 10
      let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
      var last: UInt64 = 0
      for _ in 0..<60 + generator.below(200) {
        let sequence = try append(writer, &generator, promise)
        last = sequence
        if policy == .each || policy == .group {
          promise.withLock { $0.durable = max($0.durable, sequence) }
        }
        if generator.chance(policy == .none ? 4 : 10) {
          try writer.flush()
          promise.withLock { $0.durable = max($0.durable, sequence) }
        }
        if writer.wantsCut || generator.chance(5) {
          writer.cut { [PreambleRecord(kind: .state, stream: 0, payload: [1, 2, 3])] }
        }
        let durable = writer.statistics.durableSequence
        promise.withLock { $0.durable = max($0.durable, durable) }
      }
      try writer.close()
      let end = Moment(disk: disk.moment, durable: last, appended: last)
      return moments.withLock { $0 } + [end]
    }

    private func append(
      _ writer: LogWriter, _ generator: inout SeededGenerator, _ promise: borrowing Mutex<Promise>
    ) throws -> UInt64 {
      let isLong = generator.chance(10)
      let size = isLong ? 5000 + generator.below(9000) : generator.below(300)
      let word = generator.next()
      // Counted before it is there, since it may be on the disk before the call returns.
      promise.withLock { $0.appended = max($0.appended, writer.firstSequence) }
      promise.withLock { $0.appended += 1 }
      let sequence = try writer.append(.action, stream: 1, payload: Self.payload(word, size))
      if sequence == 0 {
        throw LogError(.system, "the log no longer takes records, though nothing failed")
      }
      return sequence
    }

    /// A payload that can be checked by itself: a number, and what follows from it.
    static func payload(_ word: UInt64, _ size: Int) -> [UInt8] {
      var bytes = (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      var generator = SeededGenerator(seed: word ^ UInt64(size))
      for _ in 0..<size { bytes.append(UInt8(truncatingIfNeeded: generator.next() & 31)) }
      return bytes
    }

    /// Whether a record is one that a program appended, or that recovery adds.
    static func isRight(_ record: LogRecord) -> Bool {
      switch (record.kind, record.stream) {
      case (.recovery, 0): return RecoveryNote(record.payload, run: record.run) != nil
      case (.note, 9): return record.payload.elementsEqual([7])
      case (.action, 1):
        guard record.payload.count >= 8 else { return false }
        let word = record.payload.loadUnaligned(as: UInt64.self)
        return record.payload.elementsEqual(payload(word, record.payload.count - 8))
      default: return record.kind == .sync
      }
    }
  }
}
