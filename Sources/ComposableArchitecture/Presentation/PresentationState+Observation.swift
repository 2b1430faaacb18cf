// A property that holds a `PresentationState` without `@Presents` is told of like an optional.

/// Tells whether two presentations show the same observable state, or both none.
public func _$isIdentityEqual<T: ObservableState>(
  _ lhs: PresentationState<T>, _ rhs: PresentationState<T>
) -> Bool {
  _$isIdentityEqual(lhs.wrappedValue, rhs.wrappedValue)
}

/// A presentation of an observable state: told when the state comes, goes or is replaced.
public func _$shouldNotify<T: ObservableState>(
  from old: PresentationState<T>, to new: PresentationState<T>
) -> Bool {
  _$shouldNotify(from: old.wrappedValue, to: new.wrappedValue)
}

/// A presentation of an observable state that can also be compared.
public func _$shouldNotify<T: ObservableState & Equatable>(
  from old: PresentationState<T>, to new: PresentationState<T>
) -> Bool {
  _$shouldNotify(from: old.wrappedValue, to: new.wrappedValue)
}

/// Gives the presented state an identity of its own, if there is one.
public func _$willModify<T: ObservableState>(_ value: inout PresentationState<T>) {
  guard value.wrappedValue != nil else { return }
  value.wrappedValue?._$willModify()
}

public func _$snapshot<T: ObservableState>(
  _ value: inout PresentationState<T>
) -> _$PresentationSnapshot {
  _$willModify(&value)
  return _$PresentationSnapshot(id: value.wrappedValue?._$id)
}

/// What is kept of a presentation while it is changed in place: the identity of its state.
public struct _$PresentationSnapshot: Sendable {
  let id: ObservableStateID?

  public func shouldNotify<T: ObservableState>(_ value: PresentationState<T>) -> Bool {
    self.id != value.wrappedValue?._$id
  }
}
