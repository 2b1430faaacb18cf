extension IdentifiedArray {
  /// Adds an element at the end, unless one with its id is in the array.
  ///
  /// - Returns: Whether it was added, and where the element with this id stands now.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    let id: ID = identify(element)
    if let position = orderedIDs.position(of: id) {
      return (false, position)
    }
    orderedIDs.append(unchecked: id)
    storage.append(element)
    return (true, storage.count - 1)
  }

  /// Adds elements at the end, except those whose id is in the array.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    reserveCapacity(count + elements.underestimatedCount)
    for element in elements {
      append(element)
    }
  }

  /// Adds an element at a position, unless one with its id is in the array.
  ///
  /// - Returns: Whether it was added, and where the element with this id stands now.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ element: Element, at position: Int
  ) -> (inserted: Bool, index: Int) {
    let id: ID = identify(element)
    if let present = orderedIDs.position(of: id) {
      return (false, present)
    }
    storage.insert(element, at: position)
    orderedIDs.insert(unchecked: id, at: position)
    return (true, position)
  }

  /// Replaces the element at a position by one with the same id.
  ///
  /// An element with another id is a programmer error, and traps.
  ///
  /// - Returns: The element that was replaced.
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element, at position: Int) -> Element {
    precondition(
      identify(element) == orderedIDs.storage[position],
      "The element that replaces another must have its id.")
    let original: Element = storage[position]
    storage[position] = element
    return original
  }

  /// Replaces the element that has the given one's id, or adds it at the end.
  ///
  /// - Returns: The element that was replaced, or nil.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    let (inserted, position) = append(element)
    return inserted ? nil : update(element, at: position)
  }

  /// Replaces the element that has the given one's id, or adds it at a position.
  ///
  /// - Returns: The element that was replaced, or nil, and where the new one stands.
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element, at position: Int
  ) -> (originalMember: Element?, index: Int) {
    let (inserted, index) = insert(element, at: position)
    return (inserted ? nil : update(element, at: index), index)
  }

  /// Makes room for a number of elements.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) {
    guard capacity > storage.count else { return }
    // An array grows to exactly what is asked for: asked for a little more each time, it would
    // be copied each time.
    let capacity: Int = Swift.max(capacity, storage.count * 3 / 2)
    guard capacity > storage.capacity else { return }
    storage.reserveCapacity(capacity)
    orderedIDs.reserveCapacity(capacity)
  }
}
