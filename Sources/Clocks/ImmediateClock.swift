import ConcurrencyExtras
import Synchronization

/// A clock whose sleeps end at once, and move its `now` to their deadline.
///
/// For tests and previews that need not wait.
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Clock {
  public struct Instant: InstantProtocol {
    private let offset: Duration

    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Self {
      Self(offset: offset + duration)
    }

    public func duration(to other: Self) -> Duration {
      other.offset - offset
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  private let instant: Mutex<Instant>

  public init(now: Instant = Instant()) {
    instant = Mutex(now)
  }

  public var now: Instant { instant.withLock { $0 } }

  /// Zero: every instant can be told from every other.
  public var minimumResolution: Duration { .zero }

  /// Moves `now` to the deadline and returns.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    instant.withLock { $0 = deadline }
    await Task.megaYield()
  }
}

extension ImmediateClock where Duration == Swift.Duration {
  public convenience init() {
    self.init(now: .init())
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A clock whose sleeps end at once.
  public static var immediate: Self { Self() }
}
