internal import Synchronization

/// The watching of a place for changes; it ends when it is cancelled, or when the last copy goes.
public struct SharedSubscription: Sendable {
  private final class Canceller: Sendable {
    private let cancel: Mutex<(@Sendable () -> Void)?>

    init(_ cancel: @escaping @Sendable () -> Void) {
      self.cancel = Mutex(cancel)
    }

    deinit {
      callAsFunction()
    }

    func callAsFunction() {
      let cancel: (@Sendable () -> Void)? = self.cancel.withLock { cancel in
        defer { cancel = nil }
        return cancel
      }
      cancel?()
    }
  }

  private let canceller: Canceller

  /// A subscription that is ended by a closure, which is called once at most.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    self.canceller = Canceller(cancel)
  }

  /// Ends the watching.
  public func cancel() {
    canceller()
  }
}
