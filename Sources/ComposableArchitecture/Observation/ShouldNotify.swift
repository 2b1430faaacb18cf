// Whether observers of a property are told of an assignment: not when the old and the new value
// are the same state, nor when they are equal. Overload resolution picks by the property's type.

/// An observable state: told when it is replaced by another.
@inlinable
public func _$shouldNotify<T: ObservableState>(from old: T, to new: T) -> Bool {
  old._$id != new._$id
}

/// An observable state that can also be compared, which only an enum with plain values needs: a
/// plain value has no identity.
@inlinable
public func _$shouldNotify<T: ObservableState & Equatable>(from old: T, to new: T) -> Bool {
  let (oldID, newID) = (old._$id, new._$id)
  if oldID == newID { return false }
  return !(oldID.isValue && newID.isValue && oldID.tags == newID.tags) || old != new
}

/// An optional observable state: told when it comes, goes or is replaced by another.
@inlinable
public func _$shouldNotify<T: ObservableState>(from old: T?, to new: T?) -> Bool {
  switch (old, new) {
  case (.none, .none): false
  case (.some(let old), .some(let new)): _$shouldNotify(from: old, to: new)
  default: true
  }
}

/// An optional observable state that can also be compared.
@inlinable
public func _$shouldNotify<T: ObservableState & Equatable>(from old: T?, to new: T?) -> Bool {
  switch (old, new) {
  case (.none, .none): false
  case (.some(let old), .some(let new)): _$shouldNotify(from: old, to: new)
  default: true
  }
}

/// An array of observable states: told when one is replaced, comes, goes or moves.
@inlinable
public func _$shouldNotify<T: ObservableState>(from old: [T], to new: [T]) -> Bool {
  guard old.count == new.count else { return true }
  return zip(old, new).contains { $0._$id != $1._$id }
}

/// A value that can be compared: told when it differs.
@_disfavoredOverload
@inlinable
public func _$shouldNotify<T: Equatable>(from old: T, to new: T) -> Bool {
  old != new
}

/// An object: told when it is another.
@_disfavoredOverload
@inlinable
public func _$shouldNotify<T: AnyObject>(from old: T, to new: T) -> Bool {
  old !== new
}

/// An object that can be compared: told when it differs.
@_disfavoredOverload
@inlinable
public func _$shouldNotify<T: AnyObject & Equatable>(from old: T, to new: T) -> Bool {
  old != new
}

/// Any other value: told unless it is found at run time to be the same state.
@_disfavoredOverload
public func _$shouldNotify<T>(from old: T, to new: T) -> Bool {
  !_$isIdentityEqual(old, new)
}
