internal import Dependencies
internal import Synchronization

/// The dependencies with which a root store runs its reducer: those of the store, or else those in
/// force where an action is sent, with the store's place in navigation.
struct RootDependencies {
  private static let lastRoot = Atomic<UInt64>(0)

  private let path: NavigationPath
  /// Those that the store was made with.
  private let own: DependencyValues?
  /// Those where nothing is overridden, kept since that is the usual case.
  private let usual: DependencyValues?

  init(own: DependencyValues?) {
    let root = Self.lastRoot.add(1, ordering: .relaxed).newValue
    let path = NavigationPath(elements: [NavigationElement(root)])
    self.path = path
    self.own = own.map { $0.at(path) }
    let current = DependencyValues._current
    self.usual = current.isDefault ? current.at(path) : nil
  }

  var current: DependencyValues {
    if let own = self.own { return own }
    let current = DependencyValues._current
    if let usual = self.usual, current.isDefault { return usual }
    return current.at(self.path)
  }
}

extension DependencyValues {
  fileprivate func at(_ path: NavigationPath) -> DependencyValues {
    var copy = self
    copy.navigationPath = path
    return copy
  }
}
