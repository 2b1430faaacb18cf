internal import Observation

/// The observable side of one store: what Observation sees of it.
///
/// It stands apart from the core so that its key path is that of a type that is not generic, and
/// costs nothing to make. It signals when the store's state has become *another* one; what changes
/// inside an observable state is signalled by the state itself.
@MainActor
final class StoreNode: Observable {
  private let registrar = ObservationRegistrar()
  private let currentIdentity: @MainActor () -> ObservableStateID?
  private var identity: ObservableStateID?
  private var isRegistered = false

  /// - Parameter currentIdentity: The identity of the store's state as it is now; `nil` where it is
  ///   not observable.
  init(currentIdentity: @escaping @MainActor () -> ObservableStateID?) {
    self.currentIdentity = currentIdentity
  }

  private var state: Int { 0 }

  /// Says that the store's state was read.
  func access(observing observe: (StoreNode) -> Void) {
    self.registrar.access(self, keyPath: \.state)
    guard !self.isRegistered else { return }
    self.isRegistered = true
    self.identity = self.currentIdentity()
    observe(self)
  }

  /// Whether the state is another one than when it was read.
  func hasChanged() -> Bool {
    let identity = self.currentIdentity()
    return identity == nil || identity != self.identity
  }

  func willChange() {
    self.isRegistered = false
    self.registrar.willSet(self, keyPath: \.state)
  }

  func didChange() {
    self.registrar.didSet(self, keyPath: \.state)
  }
}
