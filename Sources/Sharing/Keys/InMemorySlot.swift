internal import Synchronization

/// Where a value in memory is kept.
@usableFromInline
final class InMemorySlot<Value>: @unchecked Sendable {
  private let mutex = Mutex(())
  // Guarded by the lock.
  @usableFromInline @exclusivity(unchecked) var current: Value?

  init() {}

  @usableFromInline
  func lock() { mutex._unsafeLock() }

  @usableFromInline
  func unlock() { mutex._unsafeUnlock() }

  var value: Value? {
    lock()
    defer { unlock() }
    return current
  }

  /// Keeps a value in place of the one before.
  @inlinable
  func put(_ value: Value) {
    // The old value's end may be somebody's code, which must not run under the lock.
    var old: Value? = value
    lock()
    swap(&current, &old)
    unlock()
    withExtendedLifetime(old) {}
  }
}
