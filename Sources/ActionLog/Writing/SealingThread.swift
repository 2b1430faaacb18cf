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
  /// Bytes of frames after which a thread that seals sees to the tail in reserve: the appender, which
  /// would have to make one itself, may fill several meanwhile.
  private static let spareStride = 1 << 20
  /// How often a thread with nothing to do looks once more before it sleeps until it is rung.
  private static let lastLook: Int64 = 100_000
  /// How often writing is tried again when it does not work, in microseconds: seldom enough to cost
  /// nothing, often enough that a tail of the usual size lasts.
  private static let retryInterval: Int64 = 100_000

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
      let (isClosing, failure, stall) = shared.withLock { ($0.isClosing, $0.failure, $0.stall) }
      do throws(FileError) {
        if failure == nil {
          if stall == nil {
            try step(isClosing: isClosing)
          } else if options.failurePolicy != .fail {
            try resume()
            try step(isClosing: isClosing)
          }
        }
      } catch {
        meet(error)
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
    if isStalled { return options.failurePolicy == .fail ? -1 : Self.retryInterval }
    guard let tail = last else { return -1 }
    if isAtLimit.load(ordering: .relaxed) { return Int64(LogCare.askPeriod) }
    let unsynced = sealer.nextSequence - 1 > shared.withLock { $0.durable }
    if case .interval(let milliseconds) = options.syncPolicy, unsynced {
      isIdle = false
      al_set_wake(appender, tail.first + (tail.sealedOffset - Format.tailStart + stretch(of: tail)))
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
    al_set_wake(appender, tail.first + (tail.sealedOffset - Format.tailStart + stretch(of: tail)))
    return -1
  }

  /// Bytes of frames behind which an appender rings.
  ///
  /// To ring is a system call, and small records make a block of less than a thousand: where the tail
  /// has the room, it is done once for four.
  private func stretch(of tail: Tail) -> Int {
    max(options.blockSize, min(4 * options.blockSize, tail.capacity / 8))
  }

  private func step(isClosing: Bool) throws(FileError) {
    sealer.durableSequence = max(sealer.durableSequence, shared.withLock { $0.durable })
    if !isClosing { prepareForBurst() }
    try sealTails()
    let isFull = isAtLimit.load(ordering: .relaxed)
    if isClosing && isFull { recordGap(cause: LogGap.limitReached) }
    if lost != nil && !isFull { recordGap(cause: 0) }
    if isClosing {
      try anchor()
      try sealer.finish(isClean: true)
      noteSealed()
      care.segmentEnded()
      return
    }
    try retireTails()
    if isSyncDue() { try synchronize() }
    prepareTail()
    tendSegments()
    report()
  }

  /// Removes and packs old segments, says whether a cut is wanted, and whether records are taken.
  private func tendSegments() {
    let hasCuts = shared.withLock { !$0.cuts.isEmpty }
    let limit = care.tend(
      LogCare.Situation(
        finished: sealer.finishedSegments, name: sealer.segmentName, size: sealer.segmentSize,
        restatedSize: sealer.restatedSize, isToStandAlone: sealer.isToStandAlone,
        hasCuts: hasCuts))
    let isFull = sealer.segmentSize >= UInt64(options.segmentSize) / 8 * 7
    let isAsked = limit != .kept && care.mayAskForCut
    al_set_wants_cut(appender, (isFull || needsCut || isAsked) && !hasCuts)
    if limit == .reached { stopAtLimit() } else { goOnBehindLimit() }
  }

  // MARK: The limit of retention

  /// Takes no more records, since nothing can be removed for them, and tells the owner.
  private func stopAtLimit() {
    if isAtLimit.load(ordering: .relaxed) { return }
    // Who holds the lock is in need of room, and the next look is soon enough.
    let isDone = rotation.withLockIfAvailable { _ in
      guard al_lock(appender) else { return false }
      // Whoever finds no room asks for it, and is refused.
      if let position = al_position(appender) { al_set_limit(appender, position) }
      isAtLimit.store(true, ordering: .relaxed)
      al_unlock(appender)
      return true
    }
    guard isDone == true else { return }
    shared.withLock { $0.statistics.failures += 1 }
    options.onFailure?(
      LogError(
        .limitReached,
        """
        The log "\(directory)" has reached the \(options.retention.maximumBytes ?? 0) bytes that its \
        retention allows, and nothing of it can be removed: no later segment begins with the whole \
        state of every stream. New records are not taken until one does. Allow more bytes, or make \
        every state encodable.
        """, path: directory))
  }

  /// Takes records again, if none were taken, and tells what was lost.
  private func goOnBehindLimit() {
    guard isAtLimit.load(ordering: .relaxed), al_lock(appender) else { return }
    if let tail = shared.withLock({ $0.tails.last }) { al_set_limit(appender, tail.limit) }
    isAtLimit.store(false, ordering: .relaxed)
    al_unlock(appender)
    let gap = recordGap(cause: LogGap.limitReached)
    options.onRecovery?(gap)
  }

  // MARK: Failure

  /// Decides what a call that failed means for the log.
  private func meet(_ error: FileError) {
    let told = writeError(error)
    // What a failed sync was to make safe may be gone from memory: it is not tried again.
    if error.operation == "sync" { return poison(told) }
    if options.failurePolicy == .fail {
      if error.isDiskFull && !options.syncPolicy.isAwaited { stall(told) } else { poison(told) }
      return
    }
    stall(told)
    // Those who came since the last try are told, too.
    if options.failurePolicy != .pause { wakeAppenders() }
  }

  /// Tries to write again: in a new segment, behind what was written whole.
  private func resume() throws(FileError) {
    try sealer.restart()
    let tails = shared.withLock { shared in
      shared.durableInSegment = sealer.syncedSequence
      return shared.tails
    }
    for tail in tails { tail.rewind(to: sealer.nextSequence) }
    try sealTails()
    try anchor()
    try sealer.seal()
    try sealer.sync()
    noteSealed()
    // Without room for the next records the disk is as full as before.
    if shared.withLock({ $0.spares.isEmpty }) { try makeSpare() }
    let cause = shared.withLock { shared in
      defer { shared.stall = nil }
      return shared.stall?.errno ?? 0
    }
    // At its limit the log takes no record, not even that of the gap: it follows later.
    if isAtLimit.load(ordering: .relaxed) { return }
    let gap = recordGap(cause: cause)
    options.onRecovery?(gap)
  }

  /// Appends the record that tells what was lost, if anything was.
  @discardableResult
  private func recordGap(cause: Int32) -> LogGap {
    let dropped = al_dropped(appender)
    let gap = LogGap(sequences: lost, dropped: dropped - droppedBefore, cause: cause)
    droppedBefore = dropped
    lost = nil
    if gap.isEmpty { return gap }
    needsCut = true
    shared.withLock { $0.statistics.lost += UInt64(gap.sequences?.count ?? 0) }
    let payload = gap.encoded()
    payload.withUnsafeBytes { bytes in
      var sequence: UInt64 = 0
      while true {
        let base = al_base_time(appender)
        let outcome = al_put(
          appender, bytes.baseAddress, bytes.count, RecordKind.gap.rawValue, 0, &sequence)
        if outcome == AL_DONE { return }
        // When the log is being closed, everything appended is sealed by now.
        if outcome == AL_SHUT {
          try? sealer.add(
            kind: .gap, stream: 0, time: al_system_microseconds(), body: bytes)
          return
        }
        if !makeRoom(for: bytes.count, baseTime: outcome == AL_NO_TIME ? base : nil) { return }
      }
    }
    return gap
  }

  // MARK: Sealing

  private func sealTails() throws(FileError) {
    let tails = shared.withLock { $0.tails }
    for (index, tail) in tails.enumerated() {
      let isThere: Bool = shared.withLock { shared in
        // It may have been let go meanwhile.
        guard shared.tails.contains(where: { $0 === tail }) else { return false }
        shared.sealing = tail
        return true
      }
      guard isThere else { continue }
      defer { shared.withLock { $0.sealing = nil } }
      if sealer.nextSequence < tail.firstSequence { try skip(to: tail.firstSequence) }
      try seal(tail, plain: backlog(tails[index...]) > Self.packingBacklog)
    }
  }

  /// Passes over records that were let go, before those of the next tail.
  private func skip(to first: UInt64) throws(FileError) {
    let next = sealer.nextSequence
    let cause = shared.withLock { shared in
      // A cut among them says what was before them, and not what is behind.
      shared.cuts.removeAll { $0.sequence < first }
      return shared.stall?.errno ?? 0
    }
    try sealer.skip(to: first, cause: cause)
    lost = (lost?.lowerBound ?? next)...(first - 1)
  }

  /// Bytes of frames that are not sealed yet.
  private func backlog(_ tails: ArraySlice<Tail>) -> Int {
    guard let last = tails.last, let position = al_position(appender) else { return 0 }
    let finished = tails.dropLast().reduce(0) { $0 + $1.capacity - $1.sealedOffset }
    // Another tail may have been entered since.
    return finished + (last.offset(of: position) ?? last.capacity) - last.sealedOffset
  }

  private func seal(_ tail: Tail, plain: Bool) throws(FileError) {
    var isBroken = false
    var nextLook = tail.sealedOffset + Self.spareStride
    while let frame = tail.frame(at: tail.sealedOffset, isBroken: &isBroken) {
      if frame.kind != 0 {
        try cutIfAsked()
        try sealer.add(
          kind: RecordKind(rawValue: frame.kind), stream: frame.stream, time: frame.time,
          body: frame.body, plain: plain)
        tail.sealedSequence = sealer.nextSequence - 1
      }
      tail.sealedOffset += TailFrame.size(frame.body.count)
      if tail.sealedOffset >= nextLook {
        nextLook = tail.sealedOffset + Self.spareStride
        prepareTail()
      }
    }
    if isBroken { throw FileError("read", tail.path, EIO) }
    try cutIfAsked()
  }

  private func cutIfAsked() throws(FileError) {
    // Who asks for one does so before its next record, which the tail has published since.
    while hasCuts.load(ordering: .relaxed) {
      let next = sealer.nextSequence
      let cut = shared.withLock { shared in
        if shared.cuts.isEmpty { hasCuts.store(false, ordering: .relaxed) }
        return shared.cuts.first.flatMap { $0.sequence <= next ? $0 : nil }
      }
      guard let cut else { return }
      let made = cut.make()
      try sealer.cut(made)
      care.noteCut(isComplete: made.isComplete)
      // Kept until the segment before it has ended in order.
      shared.withLock { shared in
        if shared.cuts.first?.sequence == cut.sequence { shared.cuts.removeFirst() }
      }
      needsCut = false
      noteSealed()
    }
  }

  // MARK: Durability

  private func isSyncDue() -> Bool {
    let last = sealer.nextSequence - 1
    let (durable, isAwaited) = shared.withLock { ($0.durable, !$0.waiters.isEmpty) }
    if last <= durable { return false }
    if isAwaited { return true }
    switch options.syncPolicy {
    case .none, .each: return false
    case .group: return true
    case .interval(let milliseconds):
      return al_steady_microseconds() >= lastSync + UInt64(max(1, milliseconds)) * 1000
    }
  }

  /// Runs `body` with the lock on copies held.
  private func whileCopying<Result: Sendable>(
    _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    var outcome: Swift.Result<Result, FileError>?
    copying.withLock { _ in
      do throws(FileError) {
        outcome = .success(try body())
      } catch {
        outcome = .failure(error)
      }
    }
    guard let outcome else { throw FileError("sync", directory, EIO) }
    return try outcome.get()
  }

  private func anchor() throws(FileError) {
    try whileCopying { () throws(FileError) in try syncParent() }
  }

  /// Makes everything handed over so far safe: what is not in a block yet through the tail's copy.
  private func synchronize() throws(FileError) {
    try whileCopying { () throws(FileError) in
      let tails = shared.withLock { $0.tails }
      try syncParent()
      for tail in tails {
        // Behind one that was begun since the last look, the one before it may have grown.
        if tail.sealedSequence < tail.firstSequence { break }
        if tail.sealedSequence <= shared.withLock({ $0.durable }) { continue }
        if tail.sealedSequence <= sealer.writtenSequence && tail !== tails.last {
          try sealer.sync()
        } else {
          do throws(FileError) {
            try tail.synchronize(
              to: tail.sealedOffset, sequence: tail.sealedSequence, directory: directory,
              fileSystem: fileSystem)
            shared.withLock { $0.durable = max($0.durable, tail.copiedSequence) }
          } catch {
            guard error.isDiskFull, error.operation != "sync" else { throw error }
            // A block takes less space than a copy, though it is a small one.
            try sealer.seal()
            try sealer.sync()
          }
        }
        noteSealed()
      }
      mark()
    }
    lastSync = al_steady_microseconds()
  }

  /// Tells the others what is safe in segments by now.
  private func noteSealed() {
    let synced = sealer.syncedSequence
    shared.withLock { shared in
      shared.durableInSegment = max(shared.durableInSegment, synced)
      shared.durable = max(shared.durable, synced)
    }
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
        try anchor()
        try sealer.sync()
        noteSealed()
      }
      // An encoder that lost its claim may still write into the window it had.
      guard al_outstanding(appender) == 0 else { return }
      try whileCopying { () throws(FileError) in retire(tail) }
    }
  }

  /// Uses a tail again, or removes it.
  ///
  /// Where that fails, what is left over is looked through and removed at the next opening.
  private func retire(_ tail: Tail) {
    let (isThere, current): (Bool, Tail?) = shared.withLock { shared in
      // It may have been let go, and be in use again.
      let isThere = shared.tails.contains { $0 === tail }
      shared.tails.removeAll { $0 === tail }
      return (isThere, shared.tails.last)
    }
    guard isThere else { return }
    let wanted = options.tailCapacity(after: current)
    let ordinal: UInt32? = shared.withLock { shared in
      guard isMapped, shared.spares.count < Self.maximumSpares, tail.capacity == wanted else {
        return nil
      }
      shared.nextOrdinal += 1
      return shared.nextOrdinal - 1
    }
    if let ordinal,
      let recycled = try? tail.recycled(in: directory, ordinal: ordinal, fileSystem: fileSystem)
    {
      offer(recycled)
    } else if ordinal == nil {
      try? tail.remove(fileSystem: fileSystem)
    }
  }

  /// Sees, before anything that may wait for the disk, to what appenders need at once.
  ///
  /// While tails still grow none of them is used again, so that a burst which fills one meanwhile
  /// would have to make the next itself.
  private func prepareForBurst() {
    let tails = shared.withLock { $0.tails }
    guard let last = tails.last else { return }
    if !last.isPresent, let position = al_position(appender) {
      last.makePresent(from: last.offset(of: position) ?? 0)
    }
    let wanted = options.tailCapacity(after: last)
    if !tails.dropLast().contains(where: { $0.capacity == wanted }) { prepareTail() }
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
      in: directory, ordinal: plan.ordinal, capacity: plan.capacity, isMapped: isMapped,
      fileSystem: fileSystem)
    guard let tail else { return }
    tail.prefault()
    offer(tail)
  }

  /// Makes a tail in reserve, however small.
  private func makeSpare() throws(FileError) {
    let options = options
    let (ordinal, capacity) = shared.withLock { shared in
      defer { shared.nextOrdinal += 1 }
      return (shared.nextOrdinal, options.tailCapacity(after: shared.tails.last))
    }
    let tail = try Tail.make(
      in: directory, ordinal: ordinal, capacity: capacity, orAtLeast: Tail.leastCapacity,
      isMapped: isMapped, fileSystem: fileSystem)
    tail.prefault()
    offer(tail)
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
    care.stop()
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
