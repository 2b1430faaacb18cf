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
    var finished = -1
    var lastLook: UInt64 = 0
    var isOver = false
    var isRepacking = false
  }

  init(directory: String, fileSystem: any FileSystem, options: LogOptions) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.options = options
  }

  /// Does what is due when so many segments are finished.
  ///
  /// Returns whether a cut is wanted: the log takes more than it may, and nothing can go before
  /// there is a segment that stands alone.
  func tend(finished: Int) -> Bool {
    let hasRetention =
      options.retention.maximumBytes != nil || options.retention.maximumAge != nil
    guard hasRetention || options.repacksColdSegments else { return false }
    let now = al_steady_microseconds()
    let (isDue, hasNew): (Bool, Bool) = state.withLock { state in
      let hasNew = state.finished != finished
      let isDue = hasNew || now >= state.lastLook + Self.agePeriod
      state.finished = finished
      if isDue { state.lastLook = now }
      return (isDue, hasNew)
    }
    if isDue && hasRetention { removeOld() }
    if hasNew && finished > 0 && options.repacksColdSegments { startRepacking() }
    return isDue && state.withLock { $0.isOver }
  }

  /// Applies the retention at the end.
  func segmentEnded() {
    if options.retention != Retention() { removeOld() }
  }

  /// Ends the packing, and waits until it has let go of its files.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    while state.withLock({ $0.isRepacking }) { repacked.wait() }
  }

  private func removeOld() {
    placing.withLock { _ in
      guard let facts = try? Pruning.survey(directory, fileSystem) else { return }
      let plan = Pruning.plan(facts, options.retention, now: al_system_microseconds())
      state.withLock { $0.isOver = plan.isOver }
      for segment in facts[..<plan.count] {
        // In order: what stays has no gap.
        do { try fileSystem.unlink(join(directory, segment.name)) } catch { return }
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
