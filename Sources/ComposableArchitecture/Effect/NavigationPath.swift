package import Dependencies

/// Where in the tree of presented features a reducer stands; the first element is the root store.
///
/// A cancellation at one place reaches the effects of that place and of everything presented below
/// it, never those of a parent or a sibling.
package struct NavigationPath: Hashable, Sendable {
  package var elements: [NavigationElement] = []

  package init(elements: [NavigationElement] = []) {
    self.elements = elements
  }

  package func appending(_ element: NavigationElement) -> Self {
    Self(elements: self.elements + [element])
  }

  /// This path, its parent, … and the empty path.
  package var prefixes: [NavigationPath] {
    (0...self.elements.count).reversed().map { Self(elements: Array(self.elements.prefix($0))) }
  }
}

/// One step of a navigation path: which state or store is meant by its identity.
package struct NavigationElement: Hashable, @unchecked Sendable {
  package var identity: AnyHashable

  package init(_ identity: some Hashable) {
    self.identity = AnyHashable(identity)
  }
}

private enum NavigationPathKey: DependencyKey {
  static let liveValue = NavigationPath()
  static let testValue = NavigationPath()
}

extension DependencyValues {
  package var navigationPath: NavigationPath {
    get { self[NavigationPathKey.self] }
    set { self[NavigationPathKey.self] = newValue }
  }
}
