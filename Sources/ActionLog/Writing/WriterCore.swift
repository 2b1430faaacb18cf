internal import CActionLog
internal import Glibc
internal import Synchronization

/// What a writer's threads share: the tails, the requests, and the thread that seals and syncs.
final class WriterCore: @unchecked Sendable {
  /// The most tails in reserve. With two, a tail that is retired is used again even though the
  /// next one is ready; more would only take space.
  static let maximumSpares = 2

  let directory: String
  let fileSystem: any FileSystem
  let options: LogOptions
  let run: UInt32
  let appender: UnsafeMutablePointer<al_appender>
  let process = getpid()
  /// Whether mapped files can always be written; else records go into the tails' files by calls.
  let isMapped: Bool
  /// The thread that seals; it must never wait for itself.
  let sealingThread = Atomic<UInt>(0)
  let bell = Bell()
  let live: any MappedMemory
  let liveFile: any OpenFile
  let lock: any OpenFile

  /// Serialises the changes of tail; held over system calls, by those alone who have no room.
  let rotation = Mutex<Void>(())
  /// Serialises writing and syncing the tails' copies.
  let copying = Mutex<Void>(())
  /// Serialises writing tails that are not mapped.
  let persisting = Mutex<Void>(())
  let shared: Mutex<Shared>
  /// Whether no record is taken, since the log has the bytes that its retention allows; changed by
  /// the sealing thread alone.
  let isAtLimit = Atomic<Bool>(false)

  /// Whether there may be a cut to be made: set once it is among `cuts`, so that the thread that
  /// seals need not ask for the lock before each record.
  let hasCuts = Atomic<Bool>(false)

  // The sealing thread's own, which touches it for each record, and never while it changes.
  @exclusivity(unchecked) var sealer: Sealer
  /// When it last synced, by the steady clock.
  var lastSync: UInt64 = 0
  /// Whether the log's own name was made safe: not before the first sync of a new one.
  var isInParent: Bool
  /// Whether a cut is wanted although the segment is not full: records before it are lost.
  var needsCut = false
  /// The last record that a sync mark covers.
  var markedSequence: UInt64
  /// What was dropped before the last gap record.
  var droppedBefore: UInt64 = 0
  /// Records that are lost since the last gap record.
  var lost: ClosedRange<UInt64>?
  let care: LogCare

  struct Cut {
    var sequence: UInt64
    var make: @Sendable () -> SegmentCut
  }

  struct Shared {
    /// The tails in use, the oldest first; records go to the last.
    var tails: [Tail]
    /// The bytes of tails that wait for the disk.
    var backlog: Int { self.tails.reduce(0) { $0 + $1.capacity } }
    /// Tails in reserve: one that was made ahead of time, and one that is used again.
    var spares: [Tail] = []
    /// The tail that the sealing thread reads now.
    var sealing: Tail?
    var nextOrdinal: UInt32
    var cuts: [Cut] = []
    /// Why nothing is written any more.
    var failure: LogError?
    /// Why nothing is sealed or synced just now, although the tails still take records.
    var stall: LogError?
    var isClosing = false
    var isFinished = false
    var waiters: [Waiter] = []
    /// The last record that is safe against a loss of power, in whatever form.
    var durable: UInt64
    /// The last one that is safe in a segment.
    var durableInSegment: UInt64
    var statistics = LogStatistics()
  }

  init(
    opening: Opening, directory: String, fileSystem: any FileSystem, options: LogOptions
  ) throws(FileError) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.options = options
    run = opening.run
    lock = opening.lock
    isInParent = !opening.isNew
    isMapped = fileSystem.isMappingSafe(in: directory)
    liveFile = try fileSystem.open(join(directory, FileName.live), .create)
    try liveFile.allocate(Format.liveSize)
    live = isMapped ? try liveFile.map(Format.liveSize) : HeapMemory(Format.liveSize)
    let header = LiveState.header(run: run, process: UInt32(bitPattern: process))
    live.bytes.copyBytes(from: header)
    if !isMapped { try liveFile.writeFully(header, at: 0) }

    let first = opening.nextSequence
    let tail = try Tail.make(
      in: directory, ordinal: opening.nextOrdinal, capacity: options.tailCapacity(after: nil),
      orAtLeast: Tail.leastCapacity, isMapped: isMapped, fileSystem: fileSystem)
    tail.prefault()
    appender = .allocate(capacity: 1)
    appender.initialize(to: al_appender())
    al_clock_start(&appender.pointee.clock)
    appender.pointee.next_sequence = first
    shared = Mutex(
      Shared(
        tails: [tail], nextOrdinal: opening.nextOrdinal + 1, durable: first - 1,
        durableInSegment: first - 1))
    sealer = Sealer(
      directory: directory, fileSystem: fileSystem, run: run, blockSize: options.blockSize,
      nextSequence: first, flags: .startsRun, gap: opening.gap)
    markedSequence = first - 1
    care = LogCare(directory: directory, fileSystem: fileSystem, options: options)
    enter(tail, durable: first - 1)
    al_register(appender)
  }

  deinit {
    al_unregister(appender)
    appender.deallocate()
  }

  /// Whether this is a forked child of the process that opened the log.
  var isForked: Bool { getpid() != process }

  /// Begins to fill a tail; the appender's lock is held, or nobody has it yet.
  func enter(_ tail: Tail, durable: UInt64) {
    let now = al_clock_now(&appender.pointee.clock)
    let base = now > Format.timeSlack ? now - Format.timeSlack : 0
    tail.enter(
      firstSequence: al_next_sequence(appender), baseTime: base, run: run,
      salt: UInt64.random(in: 1...UInt64.max), durable: durable)
    al_enter_tail(appender, tail.first, tail.limit, tail.seed, base)
  }

  // MARK: Waiting

  /// Whether this is the thread that seals: a closure of the application's that runs on it may
  /// hold the last reference to the writer.
  var isOnSealingThread: Bool { sealingThread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Waits until every record up to `sequence` is safe against a loss of power.
  ///
  /// While the log can't be written, it is tried once more; then the reason is thrown, or with the
  /// policy `pause` it is waited for.
  func waitUntilDurable(_ sequence: UInt64) throws(LogError) {
    if isOnSealingThread {
      throw LogError(
        .invalidArgument,
        """
        the thread that writes \(directory) cannot wait for itself. Do not flush from the \
        closures that it calls.
        """, path: directory)
    }
    let waiter = Waiter(sequence: sequence)
    let mustWait: Bool = shared.withLock { shared in
      if shared.failure != nil || shared.isFinished || shared.durable >= sequence { return false }
      if shared.stall != nil && options.failurePolicy == .fail { return false }
      shared.waiters.append(waiter)
      return true
    }
    if mustWait {
      bell.ring()
      waiter.bell.wait()
    }
    let (durable, failure) = shared.withLock { ($0.durable, $0.failure ?? $0.stall) }
    if durable >= sequence, !waiter.isLost { return }
    if let failure { throw failure }
    if waiter.isLost || durable < sequence {
      throw LogError(
        .system,
        """
        A record of the log "\(directory)" was let go, since the log could not be written for a \
        while. See the gap record that follows.
        """, path: directory)
    }
  }

  /// Wakes those whose records are safe, and those for whom `also` holds.
  func wake(_ also: (Waiter) -> Bool = { _ in false }) {
    let ready: [Waiter] = shared.withLock { shared in
      let durable = shared.durable
      let ready = shared.waiters.filter { $0.sequence <= durable || also($0) }
      if !ready.isEmpty {
        shared.waiters.removeAll { waiter in ready.contains { $0 === waiter } }
      }
      return ready
    }
    for waiter in ready { waiter.bell.ring() }
  }

  /// Wakes all who wait for records, though not those who wait for the end.
  func wakeAppenders() {
    wake { $0.sequence != .max }
  }

  /// Seals everything, ends the segment and gives the log up.
  ///
  /// Only the first call does anything.
  func close() throws(LogError) {
    if al_lock(appender) { al_close_locked(appender) }
    let waiter = Waiter(sequence: .max)
    let mustWait = shared.withLock { shared in
      if shared.isFinished { return false }
      shared.isClosing = true
      shared.waiters.append(waiter)
      return true
    }
    if mustWait {
      bell.ring()
      if isOnSealingThread { return }
      waiter.bell.wait()
    }
    if let failure = shared.withLock({ $0.failure }) { throw failure }
  }
}

/// A thread that waits for records to become durable, or for the end.
final class Waiter: Sendable {
  let sequence: UInt64
  let bell = Bell()
  private let wasLost = Atomic<Bool>(false)

  init(sequence: UInt64) {
    self.sequence = sequence
  }

  /// Whether the record was let go: then it never becomes durable, though later ones do.
  var isLost: Bool { wasLost.load(ordering: .acquiring) }

  func lose() {
    wasLost.store(true, ordering: .releasing)
  }
}

/// Something to wait for, owned.
final class Bell: @unchecked Sendable {
  private let bell = al_bell_make()

  deinit {
    al_bell_free(bell)
  }

  func ring() {
    al_bell_ring(bell)
  }

  func wait(microseconds: Int64 = -1) {
    al_bell_wait(bell, microseconds)
  }
}

extension LogOptions {
  /// The bytes of the tail that follows `tail`, or of the first.
  func tailCapacity(after tail: Tail?) -> Int {
    let least = Tail.leastCapacity
    let most = min(max(maximumTailSize, least), Format.maximumTail)
    let wanted = tail.map { $0.capacity >= most ? most : $0.capacity * 2 } ?? initialTailSize
    return (min(max(wanted, least), most) + 4095) & ~4095
  }
}
