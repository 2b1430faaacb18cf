public import CActionLog
internal import Glibc
internal import Synchronization

/// Appends records to a log: a directory `NAME.retrace/` that it makes when it is not there.
///
/// Once `append` returns, the record survives the end of the process, SIGKILL included. Any
/// thread may append; one that meets no other encodes straight into a mapped file.
public final class LogWriter: Sendable {
  @usableFromInline nonisolated(unsafe) let appender: UnsafeMutablePointer<al_appender>
  @usableFromInline nonisolated(unsafe) let slots: UnsafeMutableRawPointer
  /// Whether records are encoded straight into the tail and nothing is waited for.
  @usableFromInline let isDirect: Bool
  @usableFromInline let isMapped: Bool
  private let policy: SyncPolicy
  private let core: WriterCore

  /// The directory.
  public let path: String
  /// The number of this run, counted from 1 by openings for writing.
  public let run: UInt32
  /// The sequence number that the first record of this run gets.
  public let firstSequence: UInt64
  /// What opening the log found and did: nothing, unless the run before had not closed it.
  public let opening: OpeningReport

  /// Opens a log for writing; makes the directory, though not the one it is to lie in.
  ///
  /// What a run before left unsealed, since its process was killed, is first brought into a
  /// segment. Throws when another program writes the log, when the path is something else, or
  /// when the system refuses.
  public init(
    at path: String, options: LogOptions = .init(), fileSystem: any FileSystem = .real
  ) throws(LogError) {
    let opening = try Opening.open(path, options: options, fileSystem: fileSystem)
    do throws(FileError) {
      core = try WriterCore(
        opening: opening, directory: path, fileSystem: fileSystem, options: options)
    } catch {
      opening.lock.close()
      throw LogError(error, doing: "The log \"\(path)\" cannot be written")
    }
    self.path = path
    run = opening.run
    firstSequence = opening.nextSequence
    self.opening = opening.report
    appender = core.appender
    // The mapping is never empty.
    slots = core.live.bytes.baseAddress! + Format.liveSlotsStart
    policy = options.syncPolicy
    isMapped = core.isMapped
    isDirect = core.isMapped && !options.syncPolicy.isAwaited
    try core.start()
  }

  deinit {
    // In a forked child there is nobody to wait for, and the log is not its own.
    if !core.isForked { try? core.close() }
  }

  // MARK: Appending

  /// Appends a record and returns its sequence number.
  ///
  /// - Parameters:
  ///   - kind: What the record says; not 0.
  ///   - stream: The stream that it belongs to, within this run.
  ///   - body: Writes the payload to the front of the memory it is given, 256 bytes or more, and
  ///     returns the number of bytes, or nil when they do not fit; then it is called again with more
  ///     memory. No lock is held meanwhile: it may append, too, and wait for threads that append.
  /// - Returns: The sequence number, or 0 when the record was dropped, since the log can't be
  ///   written: the owner was told through `onFailure`, and the number of dropped records is in
  ///   `statistics`.
  /// - Throws: `closed` after `close` and in a forked child, under the policies `each` and `group`
  ///   the reason why the record can't be made durable (it is in the log all the same), `tooLarge`
  ///   when the payload takes more than 64 MiB, `invalidArgument` for kind 0 or when `body` claims
  ///   more bytes than it was given.
  @discardableResult @inlinable
  public func append(
    _ kind: RecordKind, stream: UInt16, body: (UnsafeMutableRawBufferPointer) -> Int?
  ) throws(LogError) -> UInt64 {
    var ticket: UInt64 = 0
    var room = 0
    guard isDirect, kind.rawValue != 0, let frame = al_begin(appender, &ticket, &room) else {
      return try appendThroughScratch(kind, stream: stream, body: body)
    }
    let window = UnsafeMutableRawBufferPointer(start: frame + Int(AL_FRAME_HEADER), count: room)
    guard room >= Int(AL_LEAST_WINDOW), let count = body(window), count >= 0, count <= room else {
      al_cancel(appender, ticket)
      return try appendThroughScratch(kind, stream: stream, body: body)
    }
    let sequence = al_commit(appender, ticket, frame, count, kind.rawValue, stream)
    if sequence >= AL_NO_SEQUENCE {
      return try appendAgain(
        kind, stream: stream, from: window, count: count, ticket: ticket,
        outcome: sequence - AL_NO_SEQUENCE)
    }
    if al_is_due(appender) { ring() }
    return sequence
  }

  /// Appends a payload that is in memory already.
  @discardableResult @inlinable
  public func append(
    _ kind: RecordKind, stream: UInt16, payload: some Sequence<UInt8>
  ) throws(LogError) -> UInt64 {
    let bytes = Array(payload)
    return try append(kind, stream: stream) { buffer in
      guard buffer.count >= bytes.count else { return nil }
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  @usableFromInline
  func ring() {
    // Once is enough until the thread has looked.
    al_set_wake(appender, UnsafePointer(bitPattern: UInt.max))
    core.bell.ring()
  }

  /// Publishes by copying what was encoded in place, for whom the claim was taken away or who
  /// needs another tail.
  @usableFromInline
  func appendAgain(
    _ kind: RecordKind, stream: UInt16, from window: UnsafeMutableRawBufferPointer, count: Int,
    ticket: UInt64, outcome: UInt64
  ) throws(LogError) -> UInt64 {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 16)
    defer { copy.deallocate() }
    copy.copyBytes(from: window[..<count])
    if outcome == UInt64(AL_LOST.rawValue) {
      al_forget(appender, ticket)
    } else {
      al_cancel(appender, ticket)
    }
    return try put(kind, stream: stream, UnsafeRawBufferPointer(copy[..<count].rebased))
  }

  /// Encodes into memory of its own, then copies: for those who find the place taken, and for
  /// long bodies.
  @usableFromInline
  func appendThroughScratch(
    _ kind: RecordKind, stream: UInt16, body: (UnsafeMutableRawBufferPointer) -> Int?
  ) throws(LogError) -> UInt64 {
    if kind.rawValue == 0 {
      throw LogError(
        .invalidArgument,
        "A record of kind 0 cannot be appended to \(path): 0 marks skipped space. Use 1 to 255.",
        path: path)
    }
    if al_is_closed(appender) { return try core.refuse() }
    var size = Int(AL_WINDOW)
    while true {
      let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
      defer { scratch.deallocate() }
      if let count = body(scratch) {
        guard count >= 0, count <= size else {
          throw LogError(
            .invalidArgument,
            """
            A body for \(path) says that it wrote \(count) bytes into memory for \(size). \
            Return nil when the bytes do not fit.
            """, path: path)
        }
        return try put(kind, stream: stream, UnsafeRawBufferPointer(scratch[..<count].rebased))
      }
      if size >= Format.maximumPayload {
        throw LogError(
          .tooLarge,
          """
          A record of kind \(kind) takes more than \(Format.maximumPayload >> 20) MiB, the most \
          that \(path) can hold in one. Make the value smaller, or record less of it.
          """, path: path)
      }
      size = min(size * 8, Format.maximumPayload)
    }
  }

  private func put(
    _ kind: RecordKind, stream: UInt16, _ bytes: UnsafeRawBufferPointer
  ) throws(LogError) -> UInt64 {
    var sequence: UInt64 = 0
    while true {
      let base = al_base_time(appender)
      let outcome = al_put(
        appender, bytes.baseAddress, bytes.count, kind.rawValue, stream, &sequence)
      switch outcome {
      case AL_DONE:
        try settle(sequence)
        return sequence
      case AL_SHUT:
        return try core.refuse()
      default:
        let seen = outcome == AL_NO_TIME ? base : nil
        if !core.makeRoom(for: bytes.count, baseTime: seen) {
          if al_is_closed(appender) { return try core.refuse() }
          al_drop(appender)
          return 0
        }
      }
    }
  }

  /// Does with a record that is in the tail's memory what the file system and the policy ask for.
  private func settle(_ sequence: UInt64) throws(LogError) {
    if !isMapped {
      do throws(LogError) {
        try core.persist()
      } catch {
        core.stall(error)
      }
    }
    if policy == .each { try core.makeDurable(sequence) }
    if policy == .group { return try core.waitUntilDurable(sequence) }
    if al_is_due(appender) { ring() }
  }

  // MARK: The action in its reducer

  /// Says that a stream's reducer now runs an action, so that a kill in the middle names it.
  @inlinable
  public func setInFlight(stream: UInt16, action: UInt64) {
    setInFlight(LiveSlot(stream), action: action)
  }

  /// Says that a stream's reducer is done.
  @inlinable
  public func clearInFlight(stream: UInt16) {
    clearInFlight(LiveSlot(stream))
  }

  /// The same for a stream whose slot is known.
  @inlinable @inline(__always)
  public func setInFlight(_ slot: LiveSlot, action: UInt64) {
    if al_is_closed(appender) { return }
    al_store64(slots + slot.offset, slot.word | action & LiveSlot.actions)
    if !isMapped { writeSlot(slot.offset / 8) }
  }

  /// The same for a stream whose slot is known.
  @inlinable @inline(__always)
  public func clearInFlight(_ slot: LiveSlot) {
    if al_is_closed(appender) { return }
    al_store64(slots + slot.offset, 0)
    if !isMapped { writeSlot(slot.offset / 8) }
  }

  /// Says that no stream's reducer runs; for programs with one stream at a time.
  public func clearInFlight() {
    if al_is_closed(appender) { return }
    for slot in 0..<LiveSlot.count where al_load64(slots + 8 * slot) != 0 {
      al_store64(slots + 8 * slot, 0)
      if !isMapped { writeSlot(slot) }
    }
  }

  /// Writes a slot to the `live` file, where that is not mapped.
  @usableFromInline
  func writeSlot(_ slot: Int) {
    let bytes = UnsafeRawBufferPointer(start: slots + 8 * slot, count: 8)
    // Without it a kill names nobody; the records that follow tell of a disk that fails.
    try? core.liveFile.writeFully(bytes, at: UInt64(Format.liveSlotsStart + 8 * slot))
  }

  // MARK: Segments

  /// Whether the segment is about full: call `cut` between two actions.
  @inlinable
  public var wantsCut: Bool { al_wants_cut(appender) }

  /// Ends the segment before the next record.
  ///
  /// - Parameter preamble: Returns what the next segment needs to be replayed by itself, as of
  ///   now: capture the values before the call; they are encoded when the log's thread calls it.
  ///   It is taken for incomplete: retention removes nothing before it.
  public func cut(_ preamble: @escaping @Sendable () -> [PreambleRecord]) {
    cut(next: { SegmentCut(preamble(), isComplete: false) })
  }

  /// Ends the segment before the next record.
  ///
  /// - Parameter next: Returns what the next segment begins with, as of now, and whether that is
  ///   all that is needed to replay from there; it is called by the log's thread.
  public func cut(next: @escaping @Sendable () -> SegmentCut) {
    al_set_wants_cut(appender, false)
    guard al_lock(appender) else { return }
    let sequence = al_next_sequence(appender)
    al_unlock(appender)
    core.shared.withLock {
      $0.cuts.append(WriterCore.Cut(sequence: sequence, make: next))
      core.hasCuts.store(true, ordering: .relaxed)
    }
    core.bell.ring()
  }

  // MARK: State

  public var statistics: LogStatistics {
    var result = core.shared.withLock { shared in
      var result = shared.statistics
      result.durableSequence = shared.durable
      return result
    }
    result.records = al_next_sequence(appender) - firstSequence
    result.dropped = al_dropped(appender)
    result.sealedRecords = countOfRun(through: result.sealedRecords)
    for kind in 0..<Int(AL_COUNTED_KINDS) {
      if kind == Int(RecordKind.state.rawValue) {
        result.stateBytes += al_bytes(appender, kind)
      } else {
        result.otherBytes += al_bytes(appender, kind)
      }
    }
    // In one piece, since a stream asks between its actions.
    result.recordsByKind = (0..<Int(AL_COUNTED_KINDS)).map { al_count(appender, $0) }
    return result
  }

  /// How many records of this run are in a block by now, as `statistics` says at a higher cost.
  package var sealedRecords: UInt64 {
    countOfRun(through: core.shared.withLock { $0.statistics.sealedRecords })
  }

  private func countOfRun(through sequence: UInt64) -> UInt64 {
    sequence < firstSequence ? 0 : sequence - firstSequence + 1
  }

  /// Returns once everything appended so far is safe against a loss of power.
  ///
  /// Throws the failure when the log can no longer be written.
  public func flush() throws(LogError) {
    if core.isForked { return }
    try core.waitUntilDurable(al_next_sequence(appender) - 1)
  }

  /// Seals all records, ends the segment, syncs, and lets other programs write the log.
  ///
  /// Closing again does nothing. `deinit` closes as well, and has no one to tell of a failure.
  public func close() throws(LogError) {
    if core.isForked { return }
    try core.close()
  }
}

/// Where the `live` file says which action of a stream is in its reducer.
public struct LiveSlot: Sendable {
  @usableFromInline let offset: Int
  /// The stream, as it stands before the action's number.
  @usableFromInline let word: UInt64

  /// The slot of a stream.
  @inlinable
  public init(_ stream: UInt16) {
    offset = 8 * (Int(stream) % Self.count)
    word = UInt64(stream) << 48
  }

  @inlinable static var count: Int { 496 }
  /// The bits of an action's number.
  @inlinable static var actions: UInt64 { 0xffff_ffff_ffff }
}

extension Slice where Base == UnsafeMutableRawBufferPointer {
  fileprivate var rebased: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: self)
  }
}
