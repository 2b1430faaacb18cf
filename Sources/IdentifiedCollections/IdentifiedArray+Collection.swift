extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  @inlinable
  public var startIndex: Int { 0 }

  @inlinable
  public var endIndex: Int { storage.count }

  /// The element at a position.
  ///
  /// An element with another id may be set, except with one that another element has: that is a
  /// programmer error, and traps.
  @inlinable
  public subscript(position: Int) -> Element {
    _read { yield storage[position] }
    _modify {
      defer { identifyAgain(at: position) }
      yield &storage[position]
    }
  }

  @inlinable
  mutating func identifyAgain(at position: Int) {
    let id: ID = identify(storage[position])
    guard id != orderedIDs.storage[position] else { return }
    precondition(
      orderedIDs.position(of: id) == nil,
      "The element at a position was given an id that another element has.")
    orderedIDs.replace(unchecked: id, at: position)
  }

  @inlinable
  public func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    try storage.withContiguousStorageIfAvailable(body)
  }

  /// Lends the elements to an algorithm that puts them in another order.
  @inlinable
  public mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    defer { identifyAllAgain() }
    return try storage.withContiguousMutableStorageIfAvailable(body)
  }

  @inlinable
  mutating func identifyAllAgain() {
    orderedIDs.replaceAll(unchecked: storage.map(identify))
  }

  /// Exchanges the elements at two positions.
  @inlinable
  public mutating func swapAt(_ i: Int, _ j: Int) {
    storage.swapAt(i, j)
    orderedIDs.swapAt(i, j)
  }

  /// Moves the elements that a condition holds for behind the others.
  ///
  /// - Returns: The position of the first of them.
  @inlinable
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    defer { identifyAllAgain() }
    return try storage.partition(by: belongsInSecondPartition)
  }

  /// Puts the elements in the opposite order.
  @inlinable
  public mutating func reverse() {
    storage.reverse()
    orderedIDs.replaceAll(unchecked: orderedIDs.storage.reversed())
  }

  /// Puts the elements in a random order.
  @inlinable
  public mutating func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Puts the elements in an order that a generator of random numbers decides.
  @inlinable
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    storage.shuffle(using: &generator)
    identifyAllAgain()
  }

  /// Puts the elements in order.
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    defer { identifyAllAgain() }
    try storage.sort(by: areInIncreasingOrder)
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Puts the elements in ascending order.
  @inlinable
  public mutating func sort() {
    sort(by: <)
  }
}

extension IdentifiedArray: _MutableIdentifiedCollection {}
