import ActionCoding
public import Foundation
import IssueReporting

extension DependencyValues {
  /// Makes dates: the time of day in the program, an issue in tests that did not say which.
  public var date: DateGenerator {
    get { self[DateGeneratorKey.self] }
    set { self[DateGeneratorKey.self] = newValue }
  }

  private enum DateGeneratorKey: DependencyKey, UnreadKey {
    static let liveValue = DateGenerator { Date() }
    static var testValue: DateGenerator {
      DateGenerator {
        // A key path to `date.now` reads it before it sets it.
        guard !DependencyReader.current.pointee.isSetting else { return Date() }
        reportIssue(#"Unimplemented: @Dependency(\.date)"#)
        return Date()
      }
    }
  }
}

/// Makes dates, by default from the system's clock.
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// A generator that always gives the same date.
  public static func constant(_ now: Date) -> Self { Self { now } }

  /// The date now; assign it to fix it.
  public var now: Date {
    get { make() }
    set { generate = { newValue } }
  }

  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  public func callAsFunction() -> Date { make() }

  private static let read = _ReadKey(
    "date", coder: recordCoder(for: Date.self),
    placeholder: { Date(timeIntervalSinceReferenceDate: Double(Placeholders.next())) })

  private func make() -> Date {
    // A key path to `date.now` reads it before it sets it.
    guard ReducerReads.ofUse != nil else { return generate() }
    return Self.read.read(generate)
  }
}
