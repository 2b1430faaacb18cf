// A stack is another one when its ids are: what changes in an element is told by the element.

/// Tells whether two stacks hold the elements of the same ids in the same order.
public func _$isIdentityEqual<T: ObservableState>(
  _ lhs: StackState<T>, _ rhs: StackState<T>
) -> Bool {
  lhs.ids == rhs.ids
}

/// A stack of observable states: told when an element comes, goes or moves.
public func _$shouldNotify<T: ObservableState>(
  from old: StackState<T>, to new: StackState<T>
) -> Bool {
  old.ids != new.ids
}

/// A stack of observable states that can also be compared.
public func _$shouldNotify<T: ObservableState & Equatable>(
  from old: StackState<T>, to new: StackState<T>
) -> Bool {
  old.ids != new.ids
}

public func _$snapshot<T: ObservableState>(_ value: inout StackState<T>) -> _$StackSnapshot {
  _$StackSnapshot(ids: value.ids)
}

/// What is kept of a stack while it is changed in place: its ids.
public struct _$StackSnapshot: Sendable {
  let ids: [StackElementID]

  public func shouldNotify<T: ObservableState>(_ value: StackState<T>) -> Bool {
    self.ids != value.ids
  }
}
