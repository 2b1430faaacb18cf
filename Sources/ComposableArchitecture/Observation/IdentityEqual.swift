/// Tells whether two observable states are the same, whatever has changed inside of them.
public func _$isIdentityEqual<T: ObservableState>(_ lhs: T, _ rhs: T) -> Bool {
  lhs._$id == rhs._$id
}

/// Tells whether two optional observable states are the same, or both absent.
public func _$isIdentityEqual<T: ObservableState>(_ lhs: T?, _ rhs: T?) -> Bool {
  switch (lhs, rhs) {
  case (.none, .none): true
  case (.some(let lhs), .some(let rhs)): lhs._$id == rhs._$id
  default: false
  }
}

/// Tells whether two collections hold the same observable states in the same order.
@_disfavoredOverload
public func _$isIdentityEqual<C: Collection>(_ lhs: C, _ rhs: C) -> Bool
where C.Element: ObservableState {
  guard lhs.count == rhs.count else { return false }
  return zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}

/// Strings have no identity: this is false.
@_disfavoredOverload
public func _$isIdentityEqual(_ lhs: String, _ rhs: String) -> Bool {
  false
}

/// Tells whether two values are the same observable states, by their type at run time; values of
/// other types never are.
@_disfavoredOverload
public func _$isIdentityEqual<T>(_ lhs: T, _ rhs: T) -> Bool {
  guard !_isPOD(T.self) else { return false }
  if let lhs = lhs as? any ObservableState, let rhs = rhs as? any ObservableState {
    return lhs._$id == rhs._$id
  }
  if let lhs = lhs as? any Collection { return isIdentityEqual(lhs, rhs) }
  return false
}

private func isIdentityEqual<C: Collection>(_ lhs: C, _ rhs: Any) -> Bool {
  guard C.Element.self is any ObservableState.Type, let rhs = rhs as? C, lhs.count == rhs.count
  else { return false }
  return zip(lhs, rhs).allSatisfy { lhs, rhs in
    (lhs as? any ObservableState)?._$id == (rhs as? any ObservableState)?._$id
  }
}

/// Prepares a value of a type that has no identity for a change in place: nothing to be done.
@_disfavoredOverload
@inlinable
public func _$willModify<T>(_ value: inout T) {}

/// Gives an observable state an identity of its own, because it is about to be changed in place.
@inlinable
public func _$willModify<T: ObservableState>(_ value: inout T) {
  value._$willModify()
}

/// Gives an optional observable state an identity of its own, if there is one.
@inlinable
public func _$willModify<T: ObservableState>(_ value: inout T?) {
  value?._$willModify()
}
