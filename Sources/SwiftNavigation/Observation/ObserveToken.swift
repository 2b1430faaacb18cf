internal import ConcurrencyExtras

/// Keeps an observation going; it ends when the token is cancelled or released.
///
/// ```swift
/// let token = observe { [model] in print(model.count) }
/// token.cancel()
/// ```
public final class ObserveToken: Sendable {
  private let state = LockIsolated(false)

  /// What is called once when the observation ends.
  public let onCancel: @Sendable () -> Void

  /// Makes a token.
  ///
  /// - Parameter onCancel: Is called once when the observation ends.
  public init(onCancel: @escaping @Sendable () -> Void = {}) {
    self.onCancel = onCancel
  }

  deinit {
    self.cancel()
  }

  /// Whether the observation has ended.
  public var isCancelled: Bool {
    self.state.value
  }

  /// Ends the observation.
  public func cancel() {
    let isFirst = self.state.withValue { isCancelled in
      defer { isCancelled = true }
      return !isCancelled
    }
    if isFirst { self.onCancel() }
  }

  /// Keeps the token in a collection, for as long as that lives.
  public func store(in collection: inout some RangeReplaceableCollection<ObserveToken>) {
    collection.append(self)
  }

  /// Keeps the token in a set, for as long as that lives.
  public func store(in set: inout Set<ObserveToken>) {
    set.insert(self)
  }
}

extension ObserveToken: HashableObject {}

/// An object that is compared and hashed by what it is, not by what it holds.
public protocol HashableObject: AnyObject, Hashable {}

extension HashableObject {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs === rhs
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
