internal import Dispatch

/// The queue of the main actor.
///
/// Its thread is no good to know it by: the queue of a program with an asynchronous `main` is run
/// by whichever thread is free.
package enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on the main queue.
  package static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: mark) ?? false
  }

  /// Runs something on the main queue, later.
  static func async(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async(execute: body)
  }
}
