extension Clock where Duration: Hashable {
  /// The clock's time, again and again, an interval apart.
  ///
  ///     for await _ in clock.timer(interval: .seconds(1)) {
  ///       await send(.timerTicked)
  ///     }
  ///
  /// Ticks that a slow loop missed are skipped, not caught up. The sequence ends when its task is
  /// cancelled.
  public func timer(
    interval: Duration,
    tolerance: Duration? = nil
  ) -> AsyncTimerSequence<AnyClock<Duration>> {
    AsyncTimerSequence(interval: interval, tolerance: tolerance, clock: AnyClock(self))
  }
}

/// A clock's time, again and again, an interval apart.
public struct AsyncTimerSequence<C: Clock>: AsyncSequence, Sendable {
  public typealias Element = C.Instant
  public typealias Failure = Never

  private let clock: C
  private let interval: C.Instant.Duration
  private let tolerance: C.Instant.Duration?

  public init(
    interval: C.Instant.Duration, tolerance: C.Instant.Duration? = nil, clock: C
  ) {
    self.clock = clock
    self.interval = interval
    self.tolerance = tolerance
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(clock: clock, interval: interval, tolerance: tolerance)
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var clock: C?
    fileprivate let interval: C.Instant.Duration
    fileprivate let tolerance: C.Instant.Duration?
    private var last: C.Instant?

    fileprivate init(
      clock: C, interval: C.Instant.Duration, tolerance: C.Instant.Duration?
    ) {
      self.clock = clock
      self.interval = interval
      self.tolerance = tolerance
    }

    public mutating func next() async -> C.Instant? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> C.Instant? {
      guard let clock else { return nil }
      let deadline: C.Instant = nextDeadline(clock)
      do {
        try await clock.sleep(until: deadline, tolerance: tolerance)
      } catch {
        self.clock = nil
        return nil
      }
      last = deadline
      return clock.now
    }

    /// The first tick that is not in the past, on the grid of the ticks before.
    private func nextDeadline(_ clock: C) -> C.Instant {
      let now: C.Instant = clock.now
      let next: C.Instant = (last ?? now).advanced(by: interval)
      guard interval > .zero, next < now else { return next }
      let missed: Double = next.duration(to: now) / interval
      // More missed ticks than an integer holds: start a new grid.
      guard missed < 1e9 else { return now.advanced(by: interval) }
      return next.advanced(by: interval * Int(missed.rounded(.up)))
    }
  }
}
