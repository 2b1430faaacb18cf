package import Dependencies

/// Where in the tree of features a reducer stands: a list from there up to the root store.
///
/// A cancellation at one place reaches the effects of that place and of everything embedded below
/// it, never those of a parent or a sibling.
package class NavigationPath: Hashable, @unchecked Sendable {
  /// The place around this one; `nil` for the outside of every store.
  package let parent: NavigationPath?
  /// Whether the feature here is presented, so that it can be dismissed.
  let isPresented: Bool
  /// The number of steps to the outside.
  let depth: Int

  /// Where no reducer of a store runs.
  package static let outside = NavigationPath(parent: nil)

  init(parent: NavigationPath?, isPresented: Bool = false) {
    self.parent = parent
    self.isPresented = isPresented
    self.depth = parent.map { $0.depth + 1 } ?? 0
  }

  /// The place of a root store of its own.
  package static func root() -> NavigationPath {
    NavigationPath(parent: .outside)
  }

  /// Whether the last steps are the same; the places around them are compared elsewhere.
  ///
  /// A root store is the same as itself only.
  func isSameStep(as other: NavigationPath) -> Bool { self === other }

  /// Adds the last step to a hash.
  func hashStep(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  package static func == (lhs: NavigationPath, rhs: NavigationPath) -> Bool {
    if lhs === rhs { return true }
    guard lhs.depth == rhs.depth else { return false }
    var (lhs, rhs) = (lhs, rhs)
    while lhs !== rhs {
      guard lhs.isSameStep(as: rhs), let left = lhs.parent, let right = rhs.parent
      else { return false }
      (lhs, rhs) = (left, right)
    }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    var path = self
    while let parent = path.parent {
      path.hashStep(into: &hasher)
      path = parent
    }
  }

  /// The nearest place of a presented feature, here or around.
  var innermostPresented: NavigationPath? {
    var path: NavigationPath? = self
    while let here = path, !here.isPresented { path = here.parent }
    return path
  }

  /// Whether this is the other place or one embedded below it.
  func isAtOrBelow(_ other: NavigationPath) -> Bool {
    var path = self
    while path.depth > other.depth, let parent = path.parent { path = parent }
    return path == other
  }
}

/// The place of a feature whose state is optional, or one case of its parent's.
final class PartPlace: NavigationPath, @unchecked Sendable {
  let identity: StateIdentity

  init(_ identity: StateIdentity, in parent: NavigationPath, isPresented: Bool) {
    self.identity = identity
    super.init(parent: parent, isPresented: isPresented)
  }

  override func isSameStep(as other: NavigationPath) -> Bool {
    (other as? PartPlace)?.identity == self.identity
  }

  override func hashStep(into hasher: inout Hasher) {
    hasher.combine(self.identity)
  }
}

/// The place of a feature in a collection.
final class ElementPlace<ID: Hashable>: NavigationPath, @unchecked Sendable {
  private let collection: AnyKeyPath
  let id: ID

  /// - Parameters:
  ///   - id: What tells the element from the others.
  ///   - collection: The way to the collection.
  ///   - parent: The place of the feature that has the collection.
  ///   - isPresented: Whether the element can be dismissed.
  init(_ id: ID, of collection: AnyKeyPath, in parent: NavigationPath, isPresented: Bool) {
    self.id = id
    self.collection = collection
    super.init(parent: parent, isPresented: isPresented)
  }

  override func isSameStep(as other: NavigationPath) -> Bool {
    guard let other = other as? Self else { return false }
    return self.id == other.id
      && (self.collection === other.collection || self.collection == other.collection)
  }

  override func hashStep(into hasher: inout Hasher) {
    // Hashing a key path is slow, and few collections share an id.
    hasher.combine(self.id)
  }
}

extension DependencyValues {
  /// The place of whoever reads these values: that of the reducer that runs on this thread, or else
  /// of the one that started the running effect.
  package var navigationPath: NavigationPath {
    (ReducerPlace.current ?? self.place).map { unsafeDowncast($0, to: NavigationPath.self) }
      ?? .outside
  }
}

/// The place of the reducer or the effect that runs now.
func currentNavigationPath() -> NavigationPath {
  if let place = ReducerPlace.current { return unsafeDowncast(place, to: NavigationPath.self) }
  return DependencyValues._current.navigationPath
}
