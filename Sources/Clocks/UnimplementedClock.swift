import ConcurrencyExtras
import Foundation
import IssueReporting

/// A clock that reports an issue whenever it is used.
///
/// For tests that are to prove that a feature does not use its clock.
public final class UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock {
  public struct Instant: InstantProtocol {
    fileprivate let rawValue: AnyClock<Duration>.Instant

    public func advanced(by duration: Duration) -> Self {
      Self(rawValue: rawValue.advanced(by: duration))
    }

    public func duration(to other: Self) -> Duration {
      rawValue.duration(to: other.rawValue)
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.rawValue < rhs.rawValue
    }
  }

  private let base: AnyClock<Duration>
  private let name: String

  /// A clock that reports an issue and then does what another clock does.
  public init<C: Clock<Duration>>(_ base: C, name: String = "\(C.self)")
  where C: Sendable, C.Instant: Sendable {
    self.base = AnyClock(base)
    self.name = name
  }

  public var now: Instant {
    reportIssue("Unimplemented: \(name).now")
    return Instant(rawValue: base.now)
  }

  public var minimumResolution: Duration {
    reportIssue("Unimplemented: \(name).minimumResolution")
    return base.minimumResolution
  }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportIssue("Unimplemented: \(name).sleep")
    try await base.sleep(until: deadline.rawValue, tolerance: tolerance)
  }
}

extension UnimplementedClock where Duration == Swift.Duration {
  /// A clock that reports an issue and then sleeps as a continuous clock does.
  ///
  /// - Parameter name: What issues call it.
  public convenience init(name: String = "Clock") {
    self.init(ContinuousClock(), name: name)
  }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
  /// A clock that reports an issue whenever it is used.
  public static var unimplemented: Self { Self() }

  /// A clock that reports an issue whenever it is used.
  ///
  /// - Parameter name: What issues call it.
  public static func unimplemented(name: String = "Clock") -> Self { Self(name: name) }
}

extension UnimplementedClock.Instant: InstantFromZero {
  package static var zero: Self { Self(rawValue: .zero) }
}
