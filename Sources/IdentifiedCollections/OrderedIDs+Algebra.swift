extension OrderedIDs {
  /// The ids of this list, then those of the other that are not in this one.
  public func union(_ other: some Sequence<ID>) -> Self {
    var result = self
    for id in other where !result.contains(id) {
      result.append(unchecked: id)
    }
    return result
  }

  /// The ids of this list that are in the other too, in this list's order.
  public func intersection(_ other: some Sequence<ID>) -> Self {
    let other = Set(other)
    return Self(storage.filter(other.contains))
  }

  /// The ids of this list that are not in the other.
  public func subtracting(_ other: some Sequence<ID>) -> Self {
    let other = Set(other)
    return Self(storage.filter { !other.contains($0) })
  }

  /// The ids that are in one of the two lists only, this list's first.
  public func symmetricDifference(_ other: some Sequence<ID>) -> Self {
    let other = Self(other)
    return subtracting(other).union(other.subtracting(self))
  }

  /// Whether each id of this list is in the other too.
  public func isSubset(of other: some Sequence<ID>) -> Bool {
    let other = Set(other)
    return storage.allSatisfy(other.contains)
  }

  /// Whether each id of the other list is in this one too.
  public func isSuperset(of other: some Sequence<ID>) -> Bool {
    other.allSatisfy(contains)
  }

  /// Whether no id is in both.
  public func isDisjoint(with other: some Sequence<ID>) -> Bool {
    !other.contains(where: contains)
  }
}
