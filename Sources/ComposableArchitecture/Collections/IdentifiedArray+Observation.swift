public import IdentifiedCollections

// A collection is another one when its ids are: what changes in an element the element tells.

/// Tells whether two collections hold the elements of the same ids in the same order.
public func _$isIdentityEqual<ID: Hashable, T: ObservableState>(
  _ lhs: IdentifiedArray<ID, T>, _ rhs: IdentifiedArray<ID, T>
) -> Bool {
  lhs.ids == rhs.ids
}

/// A collection of observable states: told when an element comes, goes or moves.
public func _$shouldNotify<ID: Hashable, T: ObservableState>(
  from old: IdentifiedArray<ID, T>, to new: IdentifiedArray<ID, T>
) -> Bool {
  old.ids != new.ids
}

/// A collection of observable states that can also be compared.
public func _$shouldNotify<ID: Hashable, T: ObservableState & Equatable>(
  from old: IdentifiedArray<ID, T>, to new: IdentifiedArray<ID, T>
) -> Bool {
  old.ids != new.ids
}

public func _$snapshot<ID: Hashable, T: ObservableState>(
  _ value: inout IdentifiedArray<ID, T>
) -> _$IDsSnapshot<ID> {
  _$IDsSnapshot(ids: value.ids)
}

/// What is kept of a collection while it is changed in place: its ids.
public struct _$IDsSnapshot<ID: Hashable> {
  let ids: OrderedIDs<ID>

  public func shouldNotify<T: ObservableState>(_ value: IdentifiedArray<ID, T>) -> Bool {
    self.ids != value.ids
  }
}
