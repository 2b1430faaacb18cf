// What is kept of a property while it is changed in place, to tell afterwards whether its
// observers need to hear. A copy of the value would make the change copy the storage of a string
// or a collection, at a cost that grows with its size. So an observable state leaves its identity,
// a small value without references leaves itself, and the change of any other always counts.

/// The most bytes of a value that is copied so as to be compared after a change in place; more
/// cost more to copy and compare than a needless notification does.
@usableFromInline let snapshotLimitInBytes = 128

/// What is kept of an observable state: its identity.
public struct _$StateSnapshot: Sendable {
  @usableFromInline let id: ObservableStateID?

  @inlinable
  init(_ id: ObservableStateID?) {
    self.id = id
  }

  @inlinable
  public func shouldNotify<T: ObservableState>(_ value: T) -> Bool {
    id != value._$id
  }

  @inlinable
  public func shouldNotify<T: ObservableState>(_ value: T?) -> Bool {
    id != value?._$id
  }
}

/// What is kept of many observable states: their identities.
public struct _$StatesSnapshot: Sendable {
  @usableFromInline let ids: [ObservableStateID]

  @inlinable
  init(_ ids: [ObservableStateID]) {
    self.ids = ids
  }

  @inlinable
  public func shouldNotify<T: ObservableState>(_ value: [T]) -> Bool {
    ids.count != value.count || zip(ids, value).contains { $0 != $1._$id }
  }
}

/// What is kept of a value that can be compared: itself, if it is small and has no references.
public struct _$ValueSnapshot<T: Equatable> {
  @usableFromInline let value: T?

  @inlinable
  init(_ value: borrowing T) {
    self.value = _isPOD(T.self) && MemoryLayout<T>.size <= snapshotLimitInBytes ? copy value : nil
  }

  @inlinable
  public func shouldNotify(_ newValue: T) -> Bool {
    guard let value else { return true }
    return value != newValue
  }
}

/// What is kept of any other value: the identity that is found at run time, if it is a state.
public struct _$AnySnapshot<T>: Sendable {
  @usableFromInline let id: ObservableStateID?

  @inlinable
  init(_ id: ObservableStateID?) {
    self.id = id
  }

  public func shouldNotify(_ value: T) -> Bool {
    guard let id else { return true }
    return (value as? any ObservableState)?._$id != id
  }
}

@inlinable
public func _$snapshot<T: ObservableState>(_ value: inout T) -> _$StateSnapshot {
  value._$willModify()
  return _$StateSnapshot(value._$id)
}

@inlinable
public func _$snapshot<T: ObservableState>(_ value: inout T?) -> _$StateSnapshot {
  value?._$willModify()
  return _$StateSnapshot(value?._$id)
}

@inlinable
public func _$snapshot<T: ObservableState>(_ value: inout [T]) -> _$StatesSnapshot {
  _$StatesSnapshot(value.map(\._$id))
}

@_disfavoredOverload
@inlinable
public func _$snapshot<T: Equatable>(_ value: inout T) -> _$ValueSnapshot<T> {
  _$ValueSnapshot(value)
}

@_disfavoredOverload
public func _$snapshot<T>(_ value: inout T) -> _$AnySnapshot<T> {
  guard !_isPOD(T.self), T.self is any ObservableState.Type else { return _$AnySnapshot(nil) }
  if var state = value as? any ObservableState {
    state._$willModify()
    if let state = state as? T { value = state }
    return _$AnySnapshot(state._$id)
  }
  return _$AnySnapshot(nil)
}
