extension IdentifiedArray {
  /// Creates an empty array of elements that are told apart by a key path.
  @inlinable
  public init(id: KeyPath<Element, ID>) {
    self.init(id: id, identify: { $0[keyPath: id] })
  }

  /// Creates an array of elements whose ids differ.
  ///
  /// Two elements with one id are a programmer error, and trap. For elements from outside use
  /// ``init(_:id:uniquingIDsWith:)``.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    self.init(id: id)
    appendUnique(elements)
  }

  /// Creates an array of elements that are known to have different ids, without a check.
  ///
  /// Where two have one id after all, which of them is found by it is not defined.
  @inlinable
  public init(uncheckedUniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    self.init(id: id)
    storage = Array(elements)
    orderedIDs.replaceAll(unchecked: storage.map(identify))
  }

  /// Creates an array of elements of which some may have the same id.
  ///
  /// - Parameter combine: Makes one element of two with the same id: of the one that stands in
  ///   the array already and the new one. The result must have that id too.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    id: KeyPath<Element, ID>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init(id: id)
    try append(elements, uniquingIDsWith: combine)
  }

  /// Copies an array.
  @inlinable
  public init(_ elements: Self) {
    self = elements
  }

  /// Creates an array of a part of another.
  @inlinable
  public init(_ elements: SubSequence) {
    let base: Self = elements.base
    let range: Range<Int> = elements.startIndex..<elements.endIndex
    self.init(id: base.id, identify: base.identify)
    storage = Array(base.storage[range])
    orderedIDs.replaceAll(unchecked: Array(base.orderedIDs.storage[range]))
  }

  @inlinable
  mutating func appendUnique(_ elements: some Sequence<Element>) {
    reserveCapacity(elements.underestimatedCount)
    for element in elements {
      let (inserted, _) = append(element)
      precondition(
        inserted,
        "Two elements have the same id: use init(_:uniquingIDsWith:) where that may happen.")
    }
  }

  @inlinable
  mutating func append(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    reserveCapacity(elements.underestimatedCount)
    for element in elements {
      let (inserted, position) = append(element)
      if !inserted {
        update(try combine(storage[position], element), at: position)
      }
    }
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  @inlinable
  public init() {
    self.init(id: \.id, identify: { $0.id })
  }

  /// Creates an array of elements whose ids differ.
  ///
  /// Two elements with one id are a programmer error, and trap. For elements from outside use
  /// ``init(_:uniquingIDsWith:)``.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init()
    appendUnique(elements)
  }

  /// Creates an array of elements that are known to have different ids, without a check.
  ///
  /// Where two have one id after all, which of them is found by it is not defined.
  @inlinable
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init()
    storage = Array(elements)
    orderedIDs.replaceAll(unchecked: storage.map(identify))
  }

  /// Creates an array of elements of which some may have the same id.
  ///
  /// - Parameter combine: Makes one element of two with the same id: of the one that stands in
  ///   the array already and the new one. The result must have that id too.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init()
    try append(elements, uniquingIDsWith: combine)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}
