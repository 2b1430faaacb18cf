internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that its holder may take again.
struct RecursiveLock: ~Copyable, @unchecked Sendable {
  private let mutex = Mutex(())
  /// The thread that holds the lock; only that thread ever finds itself here.
  private let owner = Atomic<UInt>(0)
  private let depth = Atomic<Int>(0)

  @inline(__always)
  borrowing func lock() {
    let thread: UInt = Self.thread
    if owner.load(ordering: .relaxed) != thread {
      mutex._unsafeLock()
      owner.store(thread, ordering: .relaxed)
    }
    depth.store(depth.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  @inline(__always)
  borrowing func unlock() {
    let rest: Int = depth.load(ordering: .relaxed) - 1
    depth.store(rest, ordering: .relaxed)
    guard rest == 0 else { return }
    owner.store(0, ordering: .relaxed)
    mutex._unsafeUnlock()
  }

  private static var thread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
