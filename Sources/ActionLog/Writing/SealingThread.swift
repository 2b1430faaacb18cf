internal import CActionLog
internal import Glibc
internal import Synchronization

// The thread that seals records into blocks, syncs them, and keeps a tail in reserve.
extension WriterCore {
  /// Bytes of frames behind which blocks are not packed until the thread has caught up: to pack
  /// takes ten times as long as to copy.
  ///
  /// A burst of half a million small actions stays below.
  private static let packingBacklog = 32 << 20
  /// How often a thread with nothing to do looks once more before it sleeps until it is rung.
  private static let lastLook: Int64 = 100_000

  /// Starts the thread; it keeps the core alive until the log is closed.
  func start() throws(LogError) {
    let core = Unmanaged.passRetained(self)
    let number = al_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<WriterCore>.fromOpaque(context).takeRetainedValue().work()
      }, core.toOpaque())
    if number != 0 {
      core.release()
      throw writeError(FileError("start a thread", directory, number))
    }
  }

  private func work() {
    sealingThread.store(UInt(pthread_self()), ordering: .relaxed)
    var isIdle = false
    var timeout: Int64 = -1
    while true {
      bell.wait(microseconds: timeout)
      let before = sealer.nextSequence
      let isClosing: Bool = shared.withLock { $0.isClosing }
      do throws(FileError) {
        let hasFailed = shared.withLock { $0.failure != nil || $0.stall != nil }
        if !hasFailed { try step(isClosing: isClosing) }
      } catch {
        if error.isDiskFull && options.syncPolicy != .each {
          stall(writeError(error))
        } else {
          poison(writeError(error))
        }
      }
      if isClosing { break }
      wake()
      timeout = rest(wasActive: sealer.nextSequence != before, isIdle: &isIdle)
    }
    release()
  }

  /// How long to sleep, and from which position on an appender should ring.
  private func rest(wasActive: Bool, isIdle: inout Bool) -> Int64 {
    let (last, isStalled) = shared.withLock { ($0.tails.last, $0.stall != nil) }
    guard let tail = last, !isStalled else { return -1 }
    let unsynced = sealer.nextSequence - 1 > shared.withLock { $0.durable }
    if case .interval(let milliseconds) = options.syncPolicy, unsynced {
      isIdle = false
      al_set_wake(appender, tail.first + (tail.sealedOffset - Format.tailStart + options.blockSize))
      let due = lastSync + UInt64(max(1, milliseconds)) * 1000
      let now = al_steady_microseconds()
      return due > now ? Int64(due - now) : 0
    }
    if case .interval = options.syncPolicy {
      // Nothing waits: the next record rings. It may have been appended while this was being
      // arranged, hence one more look.
      al_set_wake(appender, tail.first + (tail.sealedOffset - Format.tailStart))
      let result = isIdle ? -1 : Self.lastLook
      isIdle = !wasActive
      return result
    }
    al_set_wake(appender, tail.first + (tail.sealedOffset - Format.tailStart + options.blockSize))
    return -1
  }

  private func step(isClosing: Bool) throws(FileError) {
    try sealTails()
    if isClosing {
      try sealer.finish(isClean: true)
      setDurable(sealer.syncedSequence)
      return
    }
    try retireTails()
    if isSyncDue() { try synchronize() }
    prepareTail()
    wantsCut.store(
      sealer.segmentSize >= UInt64(options.segmentSize) / 8 * 7
        && shared.withLock { $0.cuts.isEmpty }, ordering: .relaxed)
    report()
  }

  // MARK: Sealing

  private func sealTails() throws(FileError) {
    let tails = shared.withLock { $0.tails }
    for (index, tail) in tails.enumerated() {
      if index > 0 && tail.sealedSequence < tail.firstSequence {
        // An older tail ends where the next one begins.
        guard sealer.nextSequence == tail.firstSequence else { break }
      }
      try seal(tail, plain: backlog(tails[index...]) > Self.packingBacklog)
    }
  }

  /// Bytes of frames that are not sealed yet.
  private func backlog(_ tails: ArraySlice<Tail>) -> Int {
    guard let last = tails.last, let position = al_position(appender) else { return 0 }
    let finished = tails.dropLast().reduce(0) { $0 + $1.capacity - $1.sealedOffset }
    // Another tail may have been entered since.
    let used =
      position >= last.first && position <= last.limit
      ? position - last.first + Format.tailStart : last.capacity
    return finished + used - last.sealedOffset
  }

  private func seal(_ tail: Tail, plain: Bool) throws(FileError) {
    var isBroken = false
    while let frame = tail.frame(at: tail.sealedOffset, isBroken: &isBroken) {
      if frame.kind != 0 {
        try cutIfAsked()
        try sealer.add(
          kind: RecordKind(rawValue: frame.kind), stream: frame.stream, time: frame.time,
          body: frame.body, plain: plain)
        tail.sealedSequence = sealer.nextSequence - 1
      }
      tail.sealedOffset += TailFrame.size(frame.body.count)
    }
    if isBroken { throw FileError("read", tail.path, 5) }
    try cutIfAsked()
  }

  private func cutIfAsked() throws(FileError) {
    while true {
      let next = sealer.nextSequence
      let cut: Cut? = shared.withLock { shared in
        guard let first = shared.cuts.first, first.sequence <= next else { return nil }
        return shared.cuts.removeFirst()
      }
      guard let cut else { return }
      try sealer.cut(preamble: cut.preamble())
    }
  }

  // MARK: Durability

  private func isSyncDue() -> Bool {
    let last = sealer.nextSequence - 1
    let (durable, isAwaited) = shared.withLock { ($0.durable, !$0.waiters.isEmpty) }
    if last <= durable { return false }
    if isAwaited { return true }
    switch options.syncPolicy {
    case .none: return false
    case .each: return true
    case .interval(let milliseconds):
      return al_steady_microseconds() >= lastSync + UInt64(max(1, milliseconds)) * 1000
    }
  }

  /// Makes everything handed over so far safe: what is not in a block yet through the tail's copy.
  private func synchronize() throws(FileError) {
    let tails = shared.withLock { $0.tails }
    var durable = shared.withLock { $0.durable }
    for tail in tails where tail.sealedSequence > durable {
      if tail.sealedSequence <= sealer.writtenSequence && tail !== tails.last {
        try sealer.sync()
        durable = max(durable, sealer.syncedSequence)
      } else {
        do throws(FileError) {
          try tail.synchronize(
            to: tail.sealedOffset, sequence: tail.sealedSequence, directory: directory,
            fileSystem: fileSystem)
          durable = max(durable, tail.copiedSequence)
        } catch {
          guard error.isDiskFull else { throw error }
          // A block takes less space than a copy, though it is a small one.
          try sealer.seal()
          try sealer.sync()
          durable = max(durable, sealer.syncedSequence)
        }
      }
    }
    lastSync = al_steady_microseconds()
    setDurable(durable)
  }

  private func setDurable(_ sequence: UInt64) {
    sealer.durableSequence = max(sealer.durableSequence, sequence)
    shared.withLock { $0.durable = max($0.durable, sequence) }
  }

  // MARK: Tails

  /// Lets go of the tails whose records are all safe in a segment.
  private func retireTails() throws(FileError) {
    while true {
      let (tail, next) = shared.withLock { shared in
        (shared.tails.first, shared.tails.count > 1 ? shared.tails[1] : nil)
      }
      guard let tail, let next else { return }
      let last = next.firstSequence - 1
      guard sealer.nextSequence > last, sealer.writtenSequence >= last else { return }
      if sealer.syncedSequence < last {
        try sealer.sync()
        setDurable(sealer.syncedSequence)
      }
      // An encoder that lost its claim may still write into the window it had.
      guard al_outstanding(appender) == 0 else { return }
      let current = shared.withLock { shared in
        shared.tails.removeFirst()
        return shared.tails.last
      }
      let wanted = options.tailCapacity(after: current)
      let ordinal: UInt32? = shared.withLock { shared in
        guard shared.spares.count < Self.maximumSpares, tail.capacity == wanted else { return nil }
        shared.nextOrdinal += 1
        return shared.nextOrdinal - 1
      }
      if let ordinal {
        let recycled = try tail.recycled(
          in: directory, ordinal: ordinal, fileSystem: fileSystem)
        offer(recycled)
      } else {
        try tail.remove(fileSystem: fileSystem)
      }
    }
  }

  /// Makes the tail in reserve.
  ///
  /// Where that fails it is tried again, at the latest by an appender that needs it: only then is
  /// it a failure.
  private func prepareTail() {
    let options = options
    let plan: (ordinal: UInt32, capacity: Int)? = shared.withLock { shared in
      guard shared.spares.isEmpty else { return nil }
      let ordinal = shared.nextOrdinal
      shared.nextOrdinal += 1
      return (ordinal, options.tailCapacity(after: shared.tails.last))
    }
    guard let plan else { return }
    let tail = try? Tail.make(
      in: directory, ordinal: plan.ordinal, capacity: plan.capacity, fileSystem: fileSystem)
    guard let tail else { return }
    tail.prefault()
    offer(tail)
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

  // MARK: Telling

  private func report() {
    let sealer = sealer
    shared.withLock { shared in
      shared.statistics.storedStateBytes = sealer.storedStateBytes
      shared.statistics.storedOtherBytes = sealer.storedBytes - sealer.storedStateBytes
      shared.statistics.sealedRecords = sealer.writtenSequence
    }
  }

  /// The end: what is safe in segments is removed from the tails, and the lock is given up.
  private func release() {
    report()
    let (tails, failure) = shared.withLock { shared in
      defer { shared.spares = [] }
      if shared.failure == nil { shared.failure = shared.stall }
      return (shared.tails + shared.spares, shared.failure)
    }
    if failure == nil {
      do throws(FileError) {
        for tail in tails { try tail.remove(fileSystem: fileSystem) }
        try fileSystem.unlink(liveFile.path)
        if options.syncPolicy != .none { try fileSystem.syncDirectory(directory) }
      } catch {
        // All records are safe; what is left over is looked through and removed at the next
        // opening.
        shared.withLock { $0.failure = writeError(error) }
      }
    }
    liveFile.close()
    lock.close()
    shared.withLock { $0.isFinished = true }
    wake { _ in true }
  }
}
