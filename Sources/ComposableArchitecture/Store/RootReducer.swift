internal import Dependencies
internal import Synchronization

/// A number of its own for each root store.
enum RootID {
  private static let counter = Atomic<UInt64>(0)

  static func next() -> UInt64 {
    self.counter.add(1, ordering: .relaxed).newValue
  }
}

/// Runs a root store's reducer with the dependencies of the store and at its place in navigation.
struct RootReducer<Base: Reducer>: Reducer {
  let base: Base
  let element: NavigationElement
  let dependencies: DependencyValues?

  func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    withDependencies {
      if let dependencies = self.dependencies { $0 = dependencies }
      $0.navigationPath = NavigationPath(elements: [self.element])
    } operation: {
      self.base._reduce(into: &state, action: action)
    }
  }
}
