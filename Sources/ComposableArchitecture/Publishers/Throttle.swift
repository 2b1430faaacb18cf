internal import ConcurrencyExtras

/// Sends the actions of one effect, no more often than once in an interval.
@MainActor
final class Throttle<Action, C: Clock<Duration>> {
  private let id: CancelID
  private let interval: Duration
  private let clock: C
  private let latest: Bool
  private let send: Send<Action>
  /// The wait for the end of the interval.
  private let waiting = LockIsolated<Task<Void, Never>?>(nil)

  init(id: CancelID, interval: Duration, clock: C, latest: Bool, send: Send<Action>) {
    self.id = id
    self.interval = interval
    self.clock = clock
    self.latest = latest
    self.send = send
  }

  /// Runs the effect, and waits for what it has still to send.
  func run(_ operation: EffectOperation<Action>) async -> (any Error)? {
    let waiting = self.waiting
    return await withTaskCancellationHandler {
      let error = await operation.perform(Send { self.take($0) })
      while let task = waiting.value {
        await task.value
      }
      return error
    } onCancel: {
      waiting.value?.cancel()
    }
  }

  /// Sends an action now, or keeps it for the end of the interval.
  private func take(_ action: Action) {
    let now = self.clock.now
    guard let interval = ThrottleTable.shared[self.id],
      let start = interval.start as? C.Instant, start.duration(to: now) < self.interval
    else {
      self.begin(at: now)
      self.send(action)
      return
    }
    if self.latest || interval.kept == nil {
      ThrottleTable.shared.keep(action, for: self.id)
    }
    guard self.waiting.value == nil else { return }
    let end = start.advanced(by: self.interval)
    let task = Task { @MainActor in
      try? await self.clock.sleep(until: end, tolerance: nil)
      self.waiting.setValue(nil)
      guard !Task.isCancelled else { return }
      let kept = ThrottleTable.shared[self.id]?.kept as? Action
      self.begin(at: self.clock.now)
      if let kept { self.send(kept) }
    }
    self.waiting.setValue(task)
  }

  private func begin(at start: C.Instant) {
    let (clock, interval) = (self.clock, self.interval)
    ThrottleTable.shared.begin(
      ThrottleInterval(
        start: start, hasEnded: { start.duration(to: clock.now) >= interval }),
      for: self.id)
  }
}

/// A time in which nothing more is sent.
struct ThrottleInterval {
  /// When it began, as an instant of the clock in use.
  var start: Any
  var hasEnded: @MainActor () -> Bool
  /// The action that is sent at its end.
  var kept: Any?
}

/// The intervals of all throttled effects, by their ids: an effect needs that of the one before it.
@MainActor
final class ThrottleTable {
  static let shared = ThrottleTable()

  /// How many intervals there may be before those that have ended are looked for; twice as many as
  /// were left the last time, so that looking costs little a use.
  private var limit = minimum
  private static let minimum = 64

  private(set) var intervals: [CancelID: ThrottleInterval] = [:]

  subscript(id: CancelID) -> ThrottleInterval? { self.intervals[id] }

  func keep(_ action: Any, for id: CancelID) {
    self.intervals[id]?.kept = action
  }

  func begin(_ interval: ThrottleInterval, for id: CancelID) {
    self.intervals[id] = interval
    guard self.intervals.count > self.limit else { return }
    self.intervals = self.intervals.filter { !$0.value.hasEnded() }
    self.limit = max(Self.minimum, self.intervals.count * 2)
  }
}
