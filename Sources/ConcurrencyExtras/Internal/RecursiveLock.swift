import Foundation

/// A lock that its holder may take again.
final class RecursiveLock: Sendable {
  private let lock = NSRecursiveLock()

  func withLock<R>(_ body: () throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
