internal import CActionLog
internal import Synchronization

/// Looks after the segments of a log that is being written: removes old ones, packs finished ones
/// again.
///
/// Its calls come from the sealing thread; packing has a thread of its own. Nothing here ends the
/// writing: what fails is tried again when the next segment ends.
final class LogCare: Sendable {
  /// How often the age of segments is looked at, in microseconds.
  private static let agePeriod: UInt64 = 60_000_000
  /// How soon a complete cut is asked for again when one was not complete, in microseconds: seldom
  /// enough that states which can't be encoded cost nothing.
  static let askPeriod: UInt64 = 1_000_000

  /// How the log stands to the bytes that it may take.
  enum Limit {
    case kept
    /// A complete cut is wanted, so that something can be removed when the limit is reached.
    case near
    /// Nothing can be removed: new records are not to be taken.
    case reached
  }

  /// What the sealing thread knows of the segment that is being written.
  struct Situation {
    /// Segments that are finished.
    var finished: Int
    /// The file's name, once it is begun.
    var name: String?
    var size: UInt64 = 0
    /// Bytes of what it restates, when that is complete.
    var restatedSize: UInt64 = 0
    /// Whether it is still to begin, with all that is needed to replay from there.
    var isToStandAlone = false
    /// Whether a cut was made that is not looked at yet.
    var hasCuts = false
  }

  private let directory: String
  private let fileSystem: any FileSystem
  private let options: LogOptions
  private let state = Mutex(State())
  private let isStopped = Atomic<Bool>(false)
  /// Held while a packed segment takes its place, and while segments are removed.
  private let placing = Mutex<Void>(())
  /// Rung when the packing thread ends.
  private let repacked = Bell()

  private struct State {
    /// Segments begun and finished at the last look.
    var changes = -1
    var finished = 0
    var lastLook: UInt64 = 0
    /// Bytes of the segments beside the one that is being written, as of the last look.
    var others: UInt64 = 0
    /// Whether some of them can go once there are too many bytes.
    var isRemovable = false
    /// Whether the system refused to remove one; it is tried again at the next look.
    var hasFailed = false
    /// When a cut was made that was not complete, and none since that was.
    var lastIncompleteCut: UInt64?
    var isRepacking = false
  }

  init(directory: String, fileSystem: any FileSystem, options: LogOptions) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.options = options
  }

  /// Does what is due, and says how the log stands to its limit.
  func tend(_ now: Situation) -> Limit {
    let hasRetention = options.retention != Retention()
    guard hasRetention || options.repacksColdSegments else { return .kept }
    let time = al_steady_microseconds()
    let (isDue, hasFinished): (Bool, Bool) = state.withLock { state in
      let changes = 2 * now.finished + (now.name == nil ? 0 : 1)
      let hasFinished = state.finished != now.finished
      let isDue = state.changes != changes || time >= state.lastLook + Self.agePeriod
      state.changes = changes
      state.finished = now.finished
      if isDue { state.lastLook = time }
      return (isDue, hasFinished)
    }
    if isDue && hasRetention { removeOld(besides: now.name) }
    if hasFinished && now.finished > 0 && options.repacksColdSegments { startRepacking() }
    return limit(now)
  }

  private func limit(_ now: Situation) -> Limit {
    guard let maximum = options.retention.maximumBytes else { return .kept }
    let isOver = state.withLock { state in
      state.isRemovable && !state.hasFailed && state.others + now.size > maximum
    }
    if isOver { removeOld(besides: now.name) }
    let state = self.state.withLock { $0 }
    if state.isRemovable || now.isToStandAlone { return .kept }
    // What is restated alone may be more than the limit: then cuts would follow each other for ever.
    let allowed = max(maximum, 2 * now.restatedSize)
    let total = state.others + now.size
    if total <= allowed / 8 * 7 { return .kept }
    if now.hasCuts { return .near }
    // One who was not asked in time for a cut is given the time of two blocks.
    let patience = state.lastIncompleteCut == nil ? 2 * UInt64(options.blockSize) : 0
    return total > allowed + patience ? .reached : .near
  }

  /// Notes a cut, as the one who made it says how complete it is.
  func noteCut(isComplete: Bool) {
    let now = al_steady_microseconds()
    state.withLock { $0.lastIncompleteCut = isComplete ? nil : now }
  }

  /// Whether it makes sense to ask for a complete cut by now.
  var mayAskForCut: Bool {
    let now = al_steady_microseconds()
    return state.withLock { state in
      state.lastIncompleteCut.map { now >= $0 + Self.askPeriod } ?? true
    }
  }

  /// Applies the retention at the end.
  func segmentEnded() {
    if options.retention != Retention() { removeOld(besides: nil) }
  }

  /// Ends the packing, and waits until it has let go of its files.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    while state.withLock({ $0.isRepacking }) { repacked.wait() }
  }

  private func removeOld(besides current: String?) {
    placing.withLock { _ in
      guard let facts = try? Pruning.survey(directory, fileSystem) else { return }
      let plan = Pruning.plan(facts, options.retention, now: al_system_microseconds())
      var removed = 0
      // In order: what stays has no gap.
      for segment in facts[..<plan.count] {
        guard (try? fileSystem.unlink(join(directory, segment.name))) != nil else { break }
        removed += 1
      }
      let others = facts[removed...].reduce(0) { $0 + ($1.name == current ? 0 : $1.size) }
      state.withLock { state in
        state.others = others
        state.isRemovable = plan.isMoreRemovable || removed < plan.count
        state.hasFailed = removed < plan.count
      }
    }
  }

  // MARK: Packing

  private func startRepacking() {
    let isFree = state.withLock { state in
      defer { state.isRepacking = true }
      return !state.isRepacking
    }
    guard isFree else { return }
    let care = Unmanaged.passRetained(self)
    let number = al_thread_start(
      { context in
        guard let context else { return }
        al_thread_be_patient()
        Unmanaged<LogCare>.fromOpaque(context).takeRetainedValue().repackAll()
      }, care.toOpaque())
    if number != 0 {
      care.release()
      state.withLock { $0.isRepacking = false }
    }
  }

  private func repackAll() {
    let repacking = Repacking(
      directory: directory, fileSystem: fileSystem, blockSize: options.blockSize)
    let facts = (try? Pruning.survey(directory, fileSystem)) ?? []
    for segment in facts where segment.header?.flags.contains(.repacked) == false {
      if isStopped.load(ordering: .acquiring) { break }
      guard
        let packed = try? repacking.pack(
          segment.name, isStopped: { isStopped.load(ordering: .acquiring) })
      else { continue }
      placing.withLock { _ in
        if isStopped.load(ordering: .acquiring) {
          repacking.discard(packed)
        } else {
          repacking.place(packed)
        }
      }
    }
    state.withLock { $0.isRepacking = false }
    repacked.ring()
  }
}
