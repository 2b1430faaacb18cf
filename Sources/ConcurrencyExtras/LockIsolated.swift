import Synchronization

/// A value behind a lock, to be shared with code that runs at the same time.
///
///     let count = LockIsolated(0)
///     count.withValue { $0 += 1 }
///
/// The lock is recursive: `withValue` may be called inside `withValue` on the same thread.
@dynamicMemberLookup
public final class LockIsolated<Value>: @unchecked Sendable {
  // Guarded by `lock`.
  private var _value: Value
  private let lock = RecursiveLock()

  /// Isolates a value, made where it is isolated.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self._value = try value()
  }

  public subscript<Subject: Sendable>(dynamicMember keyPath: KeyPath<Value, Subject>) -> Subject {
    lock.withLock { _value[keyPath: keyPath] }
  }

  /// Reads or changes the value; no other thread sees it meanwhile.
  public func withValue<T: Sendable>(
    _ operation: @Sendable (inout Value) throws -> T
  ) rethrows -> T {
    try lock.withLock {
      // On a copy, so that a nested call and an error thrown half-way both see the old value.
      var value = _value
      defer { _value = value }
      return try operation(&value)
    }
  }

  /// Replaces the value.
  public func setValue(_ newValue: @autoclosure @Sendable () throws -> Value) rethrows {
    try lock.withLock { _value = try newValue() }
  }
}

extension LockIsolated where Value: Sendable {
  /// A copy of the value.
  public var value: Value {
    lock.withLock { _value }
  }
}

extension LockIsolated: Equatable where Value: Equatable {
  public static func == (lhs: LockIsolated, rhs: LockIsolated) -> Bool {
    if lhs === rhs { return true }
    // One lock at a time: two threads that compare in opposite directions must not wait for
    // each other.
    let left: UncheckedSendable<Value> = lhs.lock.withLock { UncheckedSendable(lhs._value) }
    return rhs.lock.withLock { left.value == rhs._value }
  }
}

extension LockIsolated: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    lock.withLock { hasher.combine(_value) }
  }
}

extension LockIsolated: CustomStringConvertible {
  public var description: String { lock.withLock { String(describing: _value) } }
}
