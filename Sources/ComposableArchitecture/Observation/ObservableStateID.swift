internal import Synchronization

/// The identity of an observable state.
///
/// A state that is made anew has a new identity, a copy has that of its original. The owner of a
/// state compares identities to learn whether the state was replaced as a whole: what changes
/// inside of it, the state itself tells its observers.
public struct ObservableStateID: Equatable, Hashable, Sendable {
  /// A number that no other identity has in this process; 0 where there is nothing to tell apart.
  @usableFromInline var location: UInt64

  /// The cases that enums around the state are in, the outermost last: digits of base 65,537, so
  /// that paths are told apart exactly to a depth of three.
  @usableFromInline var tags: UInt64

  /// Whether this stands for a plain value, which has no identity.
  @usableFromInline var isValue: Bool

  /// A new identity.
  public init() {
    self.init(location: Self.nextLocation(), isValue: false)
  }

  @usableFromInline init(location: UInt64, isValue: Bool) {
    self.location = location
    self.tags = 0
    self.isValue = isValue
  }

  /// The identity of a case that has no value.
  public static var _$inert: Self { Self(location: 0, isValue: false) }

  /// An identity for values that have none: equal to no other, so that every change of such a
  /// value is a change.
  public static var _$value: Self { Self(location: nextLocation(), isValue: true) }

  /// The identity of a value, found by its type at run time.
  @_disfavoredOverload
  public static func _$id<T>(for value: T) -> Self {
    (value as? any ObservableState)?._$id ?? _$value
  }

  /// The identity of an observable state.
  @inlinable
  public static func _$id(for value: some ObservableState) -> Self {
    value._$id
  }

  /// This identity as the value of an enum's case, by the case's index.
  @inlinable
  public func _$tag(_ tag: Int) -> Self {
    var copy = self
    copy.tags = copy.tags &* 65_537 &+ UInt64(truncatingIfNeeded: tag) &+ 1
    return copy
  }

  /// Makes this an identity of its own.
  @inlinable
  public mutating func _$willModify() {
    location = Self.nextLocation()
  }

  @usableFromInline static func nextLocation() -> UInt64 {
    locations.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let locations = Atomic<UInt64>(0)
}
