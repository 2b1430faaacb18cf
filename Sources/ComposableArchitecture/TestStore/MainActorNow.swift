internal import Dispatch

/// Runs something on the main actor, and waits for it wherever the caller runs.
///
/// A caller elsewhere must not be what the main actor waits for.
func onMainActor<R: Sendable>(_ body: @MainActor @Sendable () -> R) -> R {
  if MainQueue.isCurrent { return MainActor.assumeIsolated(body) }
  return DispatchQueue.main.sync { MainActor.assumeIsolated(body) }
}

/// The queue of the main actor.
///
/// Its thread is no good to know it by: the queue of a program with an asynchronous `main` is run
/// by whichever thread is free.
private enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: self.mark) ?? false
  }
}
