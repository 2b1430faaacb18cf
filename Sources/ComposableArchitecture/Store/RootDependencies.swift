internal import Dependencies

/// With which dependencies, and at which place, a root store runs its reducer.
struct RootDependencies {
  let path = NavigationPath.root()
  /// Those that the store was made with; `nil` where those in force at each `send` are meant.
  let own: DependencyValues?

  init(own: DependencyValues?) {
    self.own = own
  }

  /// Runs reducers of the store.
  @inline(__always)
  func install(_ body: () -> Void) {
    ReducerPlace.with(self.path) {
      if let own = self.own { own.install(operation: body) } else { body() }
    }
  }
}
