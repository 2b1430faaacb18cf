extension IdentifiedArray {
  /// Removes the element with an id.
  ///
  /// - Returns: The element that was removed, or nil where there was none.
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let position = orderedIDs.position(of: id) else { return nil }
    return remove(at: position)
  }

  /// Removes the element that has the given one's id.
  ///
  /// - Returns: The element that was removed, or nil where there was none.
  @inlinable
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: identify(element))
  }

  /// Removes and returns the element at a position.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    orderedIDs.remove(at: position)
    return storage.remove(at: position)
  }

  /// Removes all elements.
  @inlinable
  public mutating func removeAll(keepingCapacity keepCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepCapacity)
    orderedIDs.storage.removeAll(keepingCapacity: keepCapacity)
    orderedIDs.rebuildTable()
  }

  /// Removes the elements that a condition holds for.
  @inlinable
  public mutating func removeAll(
    where shouldBeRemoved: (Element) throws -> Bool
  ) rethrows {
    self = try filter { try !shouldBeRemoved($0) }
  }

  /// Removes and returns the first element; there must be one.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes the first elements; there must be as many.
  @inlinable
  public mutating func removeFirst(_ n: Int) {
    removeSubrange(0..<n)
  }

  /// Removes and returns the last element; there must be one.
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: storage.count - 1)
  }

  /// Removes the last elements; there must be as many.
  @inlinable
  public mutating func removeLast(_ n: Int) {
    removeSubrange((storage.count - n)..<storage.count)
  }

  /// Removes the elements in a range of positions.
  @inlinable
  public mutating func removeSubrange(_ bounds: Range<Int>) {
    guard !bounds.isEmpty else { return }
    storage.removeSubrange(bounds)
    var ids: [ID] = orderedIDs.storage
    ids.removeSubrange(bounds)
    orderedIDs.replaceAll(unchecked: ids)
  }

  /// Removes the elements in a range of positions.
  @inlinable
  public mutating func removeSubrange(_ bounds: some RangeExpression<Int>) {
    removeSubrange(bounds.relative(to: self))
  }

  /// The elements that a condition holds for, in the same order.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var kept: [Element] = []
    var ids: [ID] = []
    for position in storage.indices where try isIncluded(storage[position]) {
      kept.append(storage[position])
      ids.append(orderedIDs.storage[position])
    }
    var result = Self(id: id, identify: identify, storage: kept)
    result.orderedIDs.replaceAll(unchecked: ids)
    return result
  }
}
