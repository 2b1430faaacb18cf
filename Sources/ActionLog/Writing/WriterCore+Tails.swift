internal import CActionLog
internal import Glibc
internal import Synchronization

// What the threads do that append and have no room, or that wait for the disk themselves.
extension WriterCore {
  /// How often one that waits for room looks again.
  private static let patience: Int64 = 20_000
  /// How long it waits, in microseconds, for a disk that does not fail and takes nothing.
  private static let patienceInAll: Int64 = 30_000_000

  /// How far the disk was behind when one that waits for room last looked.
  private struct Backlog {
    var bytes = Int.max
    var waited: Int64 = 0
  }

  private enum Room {
    case made
    case none
    /// There will be some when the disk has caught up.
    case later
  }

  /// Changes to a tail that has room for a body of `count` bytes; false when there is none to be
  /// had and the record is not taken.
  ///
  /// `seen` is the time base that did not fit, if that was why; nothing is done when another
  /// thread has changed the tail meanwhile.
  func makeRoom(for count: Int, baseTime seen: UInt64?) -> Bool {
    let needed = TailFrame.size(count)
    let pause = Bell()
    var backlog = Backlog()
    while true {
      let room: Room = rotation.withLock { _ in
        if isAtLimit.load(ordering: .relaxed) { return .none }
        do throws(LogError) {
          let isMade: Bool
          do throws(LogError) {
            isMade = try rotate(for: needed, baseTime: seen)
          } catch {
            // Once more, before anything is let go: what failed may have been that call alone.
            if options.failurePolicy == .fail { throw error }
            isMade = try rotate(for: needed, baseTime: seen)
          }
          if isMade { return .made }
          if mayWait(&backlog) { return .later }
          throw tooSlow()
        } catch {
          return cannotMakeRoom(error, for: needed) ? .made : .none
        }
      }
      if room == .made { return true }
      if room == .none, options.failurePolicy != .pause || isOnSealingThread { return false }
      // Only the application can end that: it must not be made to wait.
      if isAtLimit.load(ordering: .relaxed) { return false }
      let isOver = shared.withLock {
        $0.failure != nil || $0.isClosing || $0.isFinished
      }
      if isOver || isForked { return false }
      bell.ring()
      pause.wait(microseconds: Self.patience)
    }
  }

  /// Whether the disk, which has not failed, may be waited for by one that found it too far behind.
  private func mayWait(_ known: inout Backlog) -> Bool {
    if isOnSealingThread { return false }
    let backlog: Int? = shared.withLock { shared in
      guard shared.failure == nil, shared.stall == nil, !shared.isClosing else { return nil }
      return shared.backlog
    }
    guard let backlog else { return false }
    if backlog < known.bytes { known.waited = 0 }
    known.bytes = backlog
    known.waited += Self.patience
    return known.waited <= Self.patienceInAll
  }

  private func tooSlow() -> LogError {
    LogError(
      .system,
      """
      The log "\(directory)" cannot be written fast enough: \(options.maximumBacklog >> 20) MiB of \
      records wait for the disk, which took none of them for \(Self.patienceInAll / 1_000_000) \
      seconds. Record to a faster disk, or record less.
      """, path: directory)
  }

  private func cannotMakeRoom(_ error: LogError, for needed: Int) -> Bool {
    switch options.failurePolicy {
    case .fail:
      poison(error)
      return false
    case .pause:
      stall(error)
      return false
    case .dropOldest:
      stall(error)
      return reuseOldest(for: needed)
    }
  }

  /// - Returns: Whether there is room now; `false` where too much waits for the disk.
  private func rotate(for needed: Int, baseTime seen: UInt64?) throws(LogError) -> Bool {
    if let seen {
      if al_base_time(appender) != seen { return true }
    } else if let position = al_position(appender), let limit = al_limit(appender),
      limit - position >= needed
    {
      return true
    }
    guard let tail = try nextTail(for: needed) else { return false }
    let (previous, durable) = shared.withLock { ($0.tails.last, $0.durable) }
    guard al_lock(appender) else {
      offer(tail)
      return true
    }
    leave(previous)
    enter(tail, durable: durable)
    al_unlock(appender)
    shared.withLock { $0.tails.append(tail) }
    bell.ring()
    return true
  }

  private func leave(_ tail: Tail?) {
    guard let tail, let position = al_position(appender) else { return }
    tail.end = tail.offset(of: position) ?? tail.capacity
  }

  /// A tail with room; `nil` where too much waits for the disk.
  private func nextTail(for needed: Int) throws(LogError) -> Tail? {
    enum Plan {
      case ready(Tail)
      case make(ordinal: UInt32, capacity: Int, least: Int)
      case full
    }
    let options = options
    let plan: Plan = shared.withLock { shared in
      if shared.backlog + needed > options.maximumBacklog { return .full }
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
      return nil
    case .make(let ordinal, let capacity, let least):
      do throws(FileError) {
        return try Tail.make(
          in: directory, ordinal: ordinal, capacity: capacity, orAtLeast: least,
          isMapped: isMapped, fileSystem: fileSystem)
      } catch {
        throw writeError(error)
      }
    }
  }

  /// Lets the oldest tail go that may be, and begins anew in it; false when none may.
  ///
  /// One that holds records which were promised to be durable, and are in no segment yet, stays; and
  /// so does the one that is being sealed at this moment.
  private func reuseOldest(for needed: Int) -> Bool {
    // Not while a tail is being copied; and nobody waits for the disk here.
    copying.withLockIfAvailable { _ in reuseOldestWhileUncopied(for: needed) } ?? false
  }

  private func reuseOldestWhileUncopied(for needed: Int) -> Bool {
    guard isMapped, al_lock(appender) else { return false }
    defer { al_unlock(appender) }
    // An encoder that lost its claim may still write into the window it had.
    guard al_outstanding(appender) == 0 else { return false }
    let next = al_next_sequence(appender)
    let (victim, current, durable): (Tail?, Tail?, UInt64) = shared.withLock { shared in
      let current = shared.tails.last
      let index = shared.tails.firstIndex { tail in
        tail !== shared.sealing && tail.capacity - Format.tailStart >= needed
          && (shared.durable <= shared.durableInSegment || shared.durable < tail.firstSequence)
      }
      guard let index else { return (nil, nil, 0) }
      let tail = shared.tails.remove(at: index)
      let end = index < shared.tails.count ? shared.tails[index].firstSequence : next
      for waiter in shared.waiters where waiter.sequence >= tail.firstSequence {
        if waiter.sequence < end { waiter.lose() }
      }
      return (tail, current, shared.durable)
    }
    guard let victim else { return false }
    wake { $0.isLost }
    if current !== victim { leave(current) }
    let tail = victim.reused()
    enter(tail, durable: durable)
    shared.withLock { $0.tails.append(tail) }
    return true
  }

  /// Puts a tail in reserve, unless there are enough.
  func offer(_ tail: Tail) {
    let isTaken = shared.withLock { shared in
      if shared.spares.count >= Self.maximumSpares { return false }
      shared.spares.append(tail)
      return true
    }
    if !isTaken { try? tail.remove(fileSystem: fileSystem) }
  }

  // MARK: Where records end

  /// A tail in use, and how far it is filled.
  struct Extent {
    var tail: Tail
    var end: Int
    /// The last record before `end`.
    var lastSequence: UInt64
  }

  /// The tails in use and how far they are filled, with all that was appended before the call.
  func extents() -> [Extent] {
    while true {
      let next = al_next_sequence(appender)
      let tails = shared.withLock { $0.tails }
      guard let last = tails.last, let position = al_position(appender),
        let end = last.offset(of: position), last.firstSequence <= next
      else {
        // Another thread is changing the tail.
        sched_yield()
        continue
      }
      var result: [Extent] = []
      for (index, tail) in tails.dropLast().enumerated() {
        result.append(
          Extent(tail: tail, end: tail.end, lastSequence: tails[index + 1].firstSequence - 1))
      }
      result.append(Extent(tail: last, end: end, lastSequence: next - 1))
      return result
    }
  }

  /// Brings records from memory that is not mapped into the tails' files.
  func persist() throws(LogError) {
    var failure: FileError?
    persisting.withLock { _ in
      do throws(FileError) {
        for extent in extents() { try extent.tail.persist(to: extent.end) }
      } catch {
        failure = error
      }
    }
    if let failure { throw writeError(failure) }
  }

  // MARK: Waiting for the disk

  /// Makes every record up to `sequence` durable from the calling thread.
  ///
  /// Where that can't be done simply, it is left to the log's own thread and waited for.
  func makeDurable(_ sequence: UInt64) throws(LogError) {
    var poisoning: FileError?
    let isDone = copying.withLock { _ -> Bool in
      let isPossible = shared.withLock { $0.failure == nil && $0.stall == nil && !$0.isFinished }
      if shared.withLock({ $0.durable >= sequence }) { return true }
      guard isPossible, !isOnSealingThread else { return false }
      do throws(FileError) {
        try syncParent()
        try copyTails()
        return true
      } catch {
        if error.operation == "sync" { poisoning = error }
        return false
      }
    }
    if let poisoning { poison(writeError(poisoning)) }
    if !isDone { try waitUntilDurable(sequence) }
  }

  /// Writes and syncs the copies of what is not durable yet; the lock on copies is held.
  private func copyTails() throws(FileError) {
    let durable = shared.withLock { $0.durable }
    for extent in extents() where extent.lastSequence > durable {
      try extent.tail.synchronize(
        to: extent.end, sequence: extent.lastSequence, directory: directory,
        fileSystem: fileSystem)
      shared.withLock { $0.durable = max($0.durable, extent.tail.copiedSequence) }
    }
    mark()
  }

  /// Puts a sync mark into the tail, if there is anything new to say; the lock on copies is held.
  func mark() {
    let durable = shared.withLock { $0.durable }
    if durable > markedSequence, al_mark(appender, durable) { markedSequence = durable }
  }

  /// Makes the log's own name safe, before anything in it is promised to be; the lock on copies
  /// is held.
  func syncParent() throws(FileError) {
    if isInParent { return }
    do throws(FileError) {
      try fileSystem.syncDirectory(parent(of: directory))
    } catch {
      // A directory that may not be read can't be synced either.
      if error.number != EACCES && error.number != EPERM { throw error }
    }
    isInParent = true
  }

  // MARK: Failure

  func writeError(_ error: FileError) -> LogError {
    LogError(error, doing: "The log \"\(directory)\" cannot be written")
  }

  /// Gives up writing.
  ///
  /// The application goes on; the owner is told once.
  func poison(_ error: LogError) {
    let isFirst = shared.withLock { shared in
      if shared.failure != nil { return false }
      if shared.stall == nil { shared.statistics.failures += 1 }
      shared.failure = options.failurePolicy == .fail ? shared.stall ?? error : error
      return shared.stall == nil || options.failurePolicy != .fail
    }
    if al_lock(appender) { al_close_locked(appender) }
    if isFirst { options.onFailure?(error) }
    wakeAppenders()
  }

  /// Notes that nothing can be sealed or synced for now, although records still go into tails.
  ///
  /// The owner is told once, until writing works again.
  func stall(_ error: LogError) {
    let isFirst = shared.withLock { shared in
      if shared.failure != nil || shared.stall != nil { return false }
      shared.stall = error
      shared.statistics.failures += 1
      return true
    }
    if isFirst { options.onFailure?(error) }
    // With `pause`, whoever waits for the disk goes on waiting.
    if options.failurePolicy != .pause { wakeAppenders() } else { bell.ring() }
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
}
