import ActionCoding
import Foundation
import IssueReporting

extension DependencyValues {
  /// Lends a random number generator: the system's in the program, an issue in tests.
  ///
  ///     let side = withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[WithRandomNumberGeneratorKey.self] }
    set { self[WithRandomNumberGeneratorKey.self] = newValue }
  }

  private enum WithRandomNumberGeneratorKey: DependencyKey, UnreadKey {
    static let liveValue = WithRandomNumberGenerator(SystemRandomNumberGenerator())
    static var testValue: WithRandomNumberGenerator {
      WithRandomNumberGenerator(UnimplementedRandomNumberGenerator())
    }
  }
}

/// Lends a random number generator to one caller at a time.
public final class WithRandomNumberGenerator: @unchecked Sendable {
  // Guarded by `lock`, which is recursive: a caller may come here again while it holds the
  // generator.
  private var generator: any RandomNumberGenerator & Sendable
  private let lock = NSRecursiveLock()

  public init(_ generator: some RandomNumberGenerator & Sendable) {
    self.generator = generator
  }

  public func callAsFunction<R>(
    _ work: (inout any RandomNumberGenerator & Sendable) throws -> R
  ) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    // A copy, since a nested call would otherwise access the generator while it is lent.
    var lent = generator
    guard ReducerReads.current == nil else {
      lent = ReadNumbers(real: lent)
      defer { generator = (lent as? ReadNumbers)?.real ?? lent }
      return try work(&lent)
    }
    defer { generator = lent }
    return try work(&lent)
  }
}

/// A generator for a reducer: each number that it draws is a read.
private struct ReadNumbers: RandomNumberGenerator, Sendable {
  var real: any RandomNumberGenerator & Sendable

  private static let read = _ReadKey(
    "randomNumber", coder: recordCoder(for: UInt64.self), placeholder: { Placeholders.scattered() })

  mutating func next() -> UInt64 {
    Self.read.read { real.next() }
  }
}

private struct UnimplementedRandomNumberGenerator: RandomNumberGenerator {
  var generator = SystemRandomNumberGenerator()

  mutating func next() -> UInt64 {
    reportIssue(#"Unimplemented: @Dependency(\.withRandomNumberGenerator)"#)
    return generator.next()
  }
}
