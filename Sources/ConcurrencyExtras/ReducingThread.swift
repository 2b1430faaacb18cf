internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The thread that runs a reducer.
///
/// What a reducer reads it does not observe, so that its reads need not be noted, which costs a
/// hundred nanoseconds each. One thread at a time is known here; on any other, reads are noted as
/// everyone's are, which is slower and no less right.
package enum ReducingThread {
  private static let thread = Atomic<UInt>(0)

  /// Whether a reducer runs here.
  package static var isCurrent: Bool {
    thread.load(ordering: .relaxed) == current
  }

  /// Begins the run of a reducer.
  ///
  /// The result is to be given to ``leave(_:)`` after it.
  package static func enter() -> Bool {
    // Inside of another run there is nothing to be done, which a look tells at the least cost.
    guard thread.load(ordering: .relaxed) == 0 else { return false }
    // No exchange, which would wait until all that was stored before is in the cache. Where two
    // threads come at the same moment, one of them is known.
    thread.store(current, ordering: .relaxed)
    return true
  }

  /// Ends the run of a reducer.
  package static func leave(_ entered: Bool) {
    // It may be another's that came at the same moment.
    if entered && isCurrent { thread.store(0, ordering: .relaxed) }
  }

  /// Runs something as if no reducer ran here.
  package static func leaving(_ body: () -> Void) {
    guard isCurrent else { return body() }
    thread.store(0, ordering: .relaxed)
    body()
    _ = enter()
  }

  /// What tells the running thread from others.
  package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
