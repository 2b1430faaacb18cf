internal import Dependencies
internal import Synchronization

/// A property of an observable state, with the means to change it in place.
///
/// A key path to a property with accessors reads a copy and writes it back: a collection of a
/// thousand elements is copied to change one. The closure goes through the property's `_modify`.
public struct _$ObservedProperty<Root> {
  let keyPath: PartialKeyPath<Root>
  let access: AnyObject
}

/// Describes a property, for the list that `@ObservableState` writes.
public func _$observed<Root, Value>(
  _ keyPath: WritableKeyPath<Root, Value>,
  _ modify: @escaping (_ root: inout Root, _ body: (inout Value) -> Void) -> Void
) -> _$ObservedProperty<Root> {
  _$ObservedProperty(keyPath: keyPath, access: PropertyAccess(modify))
}

/// A function that changes one property in place.
@usableFromInline
final class PropertyAccess<Root, Value> {
  @usableFromInline let modify: (inout Root, (inout Value) -> Void) -> Void

  init(_ modify: @escaping (inout Root, (inout Value) -> Void) -> Void) {
    self.modify = modify
  }
}

/// The functions that were found for key paths.
@usableFromInline
enum PropertyAccesses {
  private final class Entry: @unchecked Sendable {
    // Kept, so that no other key path can have this one's address.
    let keyPath: AnyKeyPath
    let access: AnyObject?

    init(keyPath: AnyKeyPath, access: AnyObject?) {
      self.keyPath = keyPath
      self.access = access
    }
  }

  /// The most key paths that are remembered. Generic code makes its key paths anew each time: this
  /// bounds what they can take.
  private static var limit: Int { 4_096 }

  private static let known = TypeTable()
  private static let count = Atomic<Int>(0)

  /// The function for the property that a key path leads to; `nil` where the key path itself is the
  /// best way.
  @usableFromInline
  static func access<Root, Value>(
    at keyPath: WritableKeyPath<Root, Value>
  ) -> PropertyAccess<Root, Value>? {
    let id = ObjectIdentifier(keyPath)
    if let entry = self.known[id] {
      return entry._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: Entry.self).access
      }.map { unsafeDowncast($0, to: PropertyAccess<Root, Value>.self) }
    }
    let access = self.find(keyPath)
    if self.count.load(ordering: .relaxed) < self.limit {
      self.count.add(1, ordering: .relaxed)
      _ = self.known.insert(Entry(keyPath: keyPath, access: access), for: id)
    }
    return access
  }

  private static func find<Root, Value>(
    _ keyPath: WritableKeyPath<Root, Value>
  ) -> PropertyAccess<Root, Value>? {
    guard let type = Root.self as? any _$BindableState.Type else { return nil }
    return self.find(keyPath, in: type) as? PropertyAccess<Root, Value>
  }

  private static func find<State: _$BindableState>(
    _ keyPath: AnyKeyPath, in type: State.Type
  ) -> AnyObject? {
    State._$observedProperties.first { $0.keyPath == keyPath }?.access
  }
}

/// Changes a part of a value, in place where there is a way.
@inlinable
func modifyValue<Root, Value, R>(
  of root: inout Root, at keyPath: WritableKeyPath<Root, Value>, _ body: (inout Value) -> R
) -> R {
  guard let access = PropertyAccesses.access(at: keyPath) else {
    return body(&root[keyPath: keyPath])
  }
  var result: R?
  access.modify(&root) { result = body(&$0) }
  // The function calls its body once, always.
  return result.unsafelyUnwrapped
}
