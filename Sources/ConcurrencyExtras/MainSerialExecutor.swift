#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// Runs an operation with every task of the process on the main actor's executor, so that they
/// run one after another in the order in which they were started.
///
/// For tests of code whose order of suspensions matters. Tests that run at the same time share the
/// executor; it is in effect until the last of them is done. It has no effect where the
/// concurrency runtime offers no hook for it.
@MainActor
public func withMainSerialExecutor(
  @_implicitSelfCapture operation: @MainActor @Sendable () async throws -> Void
) async rethrows {
  MainSerialExecutor.enter()
  defer { MainSerialExecutor.leave() }
  try await operation()
}

/// Runs an operation with every task of the process on the main actor's executor.
public func withMainSerialExecutor(
  @_implicitSelfCapture operation: () throws -> Void
) rethrows {
  MainSerialExecutor.enter()
  defer { MainSerialExecutor.leave() }
  try operation()
}

/// Whether every task of the process runs on the main actor's executor.
///
/// Setting it to `false` inside a `withMainSerialExecutor` has an effect only
/// after it.
public var uncheckedUseMainSerialExecutor: Bool {
  get { MainSerialExecutor.isInstalled }
  set { MainSerialExecutor.setDemanded(newValue) }
}

/// The claims on the main actor's executor by scopes of any length.
package enum MainSerialExecutor {
  typealias Original = @convention(thin) (UnownedJob) -> Void
  typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private struct State {
    /// Scopes at work, as a count, since tests that run at the same time end in any order.
    var scopes = 0
    var isDemanded = false

    var isInstalled: Bool { scopes > 0 || isDemanded }
  }

  /// Where the concurrency runtime keeps the hook that a job meets on its way to the global
  /// executor.
  private static let hook: UncheckedSendable<UnsafeMutablePointer<Hook?>?> = {
    let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook")
    return UncheckedSendable(symbol?.assumingMemoryBound(to: Hook?.self))
  }()
  private static let state = Mutex(State())

  static var isInstalled: Bool { hook.value != nil && state.withLock { $0.isInstalled } }

  /// How many scopes there are.
  package static var scopes: Int { state.withLock { $0.scopes } }

  /// Begins a scope; each is to be ended by ``leave()``.
  package static func enter() { change { $0.scopes += 1 } }

  /// Ends a scope.
  package static func leave() { change { $0.scopes -= 1 } }

  static func setDemanded(_ isDemanded: Bool) { change { $0.isDemanded = isDemanded } }

  private static func change(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      hook.value?.pointee = state.isInstalled ? { job, _ in MainActor.shared.enqueue(job) } : nil
    }
  }
}
