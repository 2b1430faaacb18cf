internal import CActionLog
internal import Glibc
internal import Synchronization

/// What a writer's threads share: the tails, the requests, and the thread that seals and syncs.
final class WriterCore: @unchecked Sendable {
  /// The most that may wait in tails for the disk.
  ///
  /// A disk that is this far behind is not going to catch up.
  static let maximumBacklog = 512 << 20
  /// The most tails in reserve. With two, a tail that is retired is used again even though the
  /// next one is ready; more would only take space.
  static let maximumSpares = 2

  let directory: String
  let fileSystem: any FileSystem
  let options: LogOptions
  let run: UInt32
  let appender: UnsafeMutablePointer<al_appender>
  let process = getpid()
  /// The thread that seals; it must never wait for itself.
  let sealingThread = Atomic<UInt>(0)
  let bell = Bell()
  let live: any MappedMemory
  let liveFile: any OpenFile
  let lock: any OpenFile

  /// Serialises the changes of tail; held over system calls, by those alone who have no room.
  private let rotation = Mutex<Void>(())
  let shared: Mutex<Shared>
  /// Cheap to read for the owner: whether the segment is about full.
  let wantsCut = Atomic<Bool>(false)
  /// Belongs to the sealing thread.
  var sealer: Sealer
  /// Belongs to the sealing thread: when it last synced, by the steady clock.
  var lastSync: UInt64 = 0

  struct Cut {
    var sequence: UInt64
    var preamble: @Sendable () -> [PreambleRecord]
  }

  struct Shared {
    /// The tails in use, the oldest first; records go to the last.
    var tails: [Tail]
    /// Tails in reserve: one that was made ahead of time, and one that is used again.
    var spares: [Tail] = []
    var nextOrdinal: UInt32
    var cuts: [Cut] = []
    var failure: LogError?
    /// Why nothing more is sealed or synced, although the tails still take records.
    var stall: LogError?
    var isClosing = false
    var isFinished = false
    var waiters: [Waiter] = []
    var durable: UInt64
    var statistics = LogStatistics()
  }

  init(
    directory: String, fileSystem: any FileSystem, options: LogOptions, run: UInt32,
    firstSequence: UInt64, firstOrdinal: UInt32, lock: any OpenFile
  ) throws(FileError) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.options = options
    self.run = run
    self.lock = lock
    liveFile = try fileSystem.open(join(directory, FileName.live), .create)
    try liveFile.allocate(Format.liveSize)
    live = try liveFile.map(Format.liveSize)
    live.bytes.copyBytes(from: LiveState.header(run: run, process: UInt32(bitPattern: process)))

    let tail = try Tail.make(
      in: directory, ordinal: firstOrdinal, capacity: options.tailCapacity(after: nil),
      orAtLeast: Tail.leastCapacity, fileSystem: fileSystem)
    tail.prefault()
    appender = .allocate(capacity: 1)
    appender.initialize(to: al_appender())
    al_clock_start(&appender.pointee.clock)
    appender.pointee.next_sequence = firstSequence
    shared = Mutex(
      Shared(tails: [tail], nextOrdinal: firstOrdinal + 1, durable: firstSequence - 1))
    sealer = Sealer(
      directory: directory, fileSystem: fileSystem, run: run, blockSize: options.blockSize,
      nextSequence: firstSequence, flags: .startsRun)
    enter(tail)
    al_register(appender)
  }

  deinit {
    al_unregister(appender)
    appender.deallocate()
  }

  /// Whether this is a forked child of the process that opened the log.
  var isForked: Bool { getpid() != process }

  // MARK: Tails

  private func enter(_ tail: Tail) {
    let now = al_clock_now(&appender.pointee.clock)
    let base = now > Format.timeSlack ? now - Format.timeSlack : 0
    tail.enter(
      firstSequence: al_next_sequence(appender), baseTime: base, run: run,
      salt: UInt64.random(in: 1...UInt64.max))
    al_enter_tail(appender, tail.first, tail.limit, tail.seed, base)
  }

  /// Changes to a tail that has room for a body of `count` bytes.
  ///
  /// `seen` is the time base that did not fit, if that was why; nothing is done when another
  /// thread has changed the tail meanwhile.
  func makeRoom(for count: Int, baseTime seen: UInt64?) throws(LogError) {
    var failure: LogError?
    rotation.withLock { _ in
      do throws(LogError) {
        try rotate(for: count, baseTime: seen)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func rotate(for count: Int, baseTime seen: UInt64?) throws(LogError) {
    let needed = TailFrame.size(count)
    if let seen {
      if al_base_time(appender) != seen { return }
    } else if let position = al_position(appender), let limit = al_limit(appender),
      limit - position >= needed
    {
      return
    }
    let tail = try nextTail(for: needed)
    guard al_lock(appender) else { return offer(tail) }
    enter(tail)
    al_unlock(appender)
    shared.withLock { $0.tails.append(tail) }
    bell.ring()
  }

  private func nextTail(for needed: Int) throws(LogError) -> Tail {
    enum Plan {
      case ready(Tail)
      case make(ordinal: UInt32, capacity: Int, least: Int)
      case full
    }
    let options = options
    let plan: Plan = shared.withLock { shared in
      let backlog = shared.tails.reduce(0) { $0 + $1.capacity }
      if backlog + needed > Self.maximumBacklog { return .full }
      let fitting = shared.spares.firstIndex { $0.capacity - Format.tailStart >= needed }
      if let fitting { return .ready(shared.spares.remove(at: fitting)) }
      let usual = options.tailCapacity(after: shared.tails.last)
      let ordinal = shared.nextOrdinal
      shared.nextOrdinal += 1
      let least = (needed + Format.tailStart + 4095) & ~4095
      return .make(ordinal: ordinal, capacity: max(usual, least), least: least)
    }
    switch plan {
    case .ready(let tail):
      return tail
    case .full:
      throw LogError(
        .system,
        """
        The log "\(directory)" cannot be written fast enough: \(Self.maximumBacklog >> 20) MiB of \
        records wait for the disk. Record to a faster disk, or record less.
        """, path: directory)
    case .make(let ordinal, let capacity, let least):
      do throws(FileError) {
        return try Tail.make(
          in: directory, ordinal: ordinal, capacity: capacity, orAtLeast: least,
          fileSystem: fileSystem)
      } catch {
        throw writeError(error)
      }
    }
  }

  func writeError(_ error: FileError) -> LogError {
    LogError(error, doing: "The log \"\(directory)\" cannot be written")
  }

  // MARK: Failure

  /// Gives up writing.
  ///
  /// The application goes on; the owner is told once.
  func poison(_ error: LogError) {
    let isFirst = shared.withLock { shared in
      if shared.failure != nil { return false }
      shared.failure = shared.stall ?? error
      return shared.stall == nil
    }
    if al_lock(appender) { al_close_locked(appender) }
    if isFirst { options.onFailure?(error) }
    wake { _ in true }
  }

  /// Gives up sealing and syncing, since the disk is full, but not the records that still fit into
  /// tails: the next opening seals them.
  ///
  /// The owner is told once.
  func stall(_ error: LogError) {
    let isFirst = shared.withLock { shared in
      if shared.failure != nil || shared.stall != nil { return false }
      shared.stall = error
      return true
    }
    if isFirst { options.onFailure?(error) }
    wake { _ in true }
  }

  /// What an append gets once the appender is shut.
  func refuse() throws(LogError) -> UInt64 {
    if isForked {
      throw LogError(
        .closed,
        """
        The log "\(directory)" belongs to process \(process), and this is a forked child of it. \
        Open a log of its own in the child.
        """, path: directory)
    }
    let hasFailed = shared.withLock { $0.failure != nil }
    if hasFailed {
      al_drop(appender)
      return 0
    }
    throw LogError(
      .closed, "The log \"\(directory)\" was closed before. Append before closing it.",
      path: directory)
  }

  // MARK: Waiting

  /// Whether this is the thread that seals: a closure of the application's that runs on it may
  /// hold the last reference to the writer.
  var isOnSealingThread: Bool { sealingThread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Waits until every record up to `sequence` is safe against a loss of power.
  func waitUntilDurable(_ sequence: UInt64) throws(LogError) {
    if isOnSealingThread {
      throw LogError(
        .invalidArgument,
        """
        the thread that writes \(directory) cannot wait for itself. Do not flush from the \
        closures that it calls.
        """, path: directory)
    }
    let waiter: Waiter? = shared.withLock { shared in
      let isOver = shared.failure != nil || shared.stall != nil || shared.isFinished
      if isOver || shared.durable >= sequence { return nil }
      let waiter = Waiter(sequence: sequence)
      shared.waiters.append(waiter)
      return waiter
    }
    if let waiter {
      bell.ring()
      waiter.bell.wait()
    }
    if let failure = shared.withLock({ $0.failure ?? $0.stall }) { throw failure }
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

  init(sequence: UInt64) {
    self.sequence = sequence
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
