/// An array whose elements have different ids, by which they are found in constant time.
///
/// ```swift
/// var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
/// rows[id: 2]?.isOn = true
/// rows[id: 1] = nil
/// ```
///
/// An element is changed in place: neither the array nor the element is copied unless another
/// copy of it exists. To change the id of an element to one that another element has is a
/// programmer error, and traps.
public struct IdentifiedArray<ID: Hashable, Element> {
  /// The key path to an element's id.
  public let id: KeyPath<Element, ID>

  /// Reads an element's id; quicker than the key path where the element is `Identifiable`.
  @usableFromInline
  let identify: (Element) -> ID

  /// The ids; as many as elements, in the same order, except while an element is being changed.
  @usableFromInline
  var orderedIDs: OrderedIDs<ID>

  @usableFromInline
  var storage: [Element]

  @inlinable
  init(
    id: KeyPath<Element, ID>, identify: @escaping (Element) -> ID,
    orderedIDs: OrderedIDs<ID> = OrderedIDs(), storage: [Element] = []
  ) {
    self.id = id
    self.identify = identify
    self.orderedIDs = orderedIDs
    self.storage = storage
  }

  /// The elements as a plain array.
  @inlinable
  public var elements: [Element] { storage }

  /// The ids of the elements, in order.
  @inlinable
  public var ids: OrderedIDs<ID> { orderedIDs }

  /// Where the element with an id stands, or nil.
  @inlinable
  public func index(id: ID) -> Int? {
    orderedIDs.position(of: id)
  }

  /// Whether an element with the same id is in the array.
  @inlinable
  public func contains(_ element: Element) -> Bool {
    orderedIDs.position(of: identify(element)) != nil
  }

  /// The element with an id, or nil where there is none.
  ///
  /// Setting nil removes the element; setting a value where there was none appends it. A value
  /// whose id is another one is a programmer error, and traps.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get {
      guard let position = orderedIDs.position(of: id) else { return nil }
      return storage[position]
    }
    _modify {
      let position: Int? = orderedIDs.position(of: id)
      var element: Element?
      if let position {
        // The element is moved out of the array rather than copied, so that what it holds has
        // one owner and can be changed in place. The last one stands in for it meanwhile.
        storage.swapAt(position, storage.count - 1)
        element = storage.removeLast()
      }
      defer { putBack(&element, at: position, id: id) }
      yield &element
    }
  }

  @inlinable
  mutating func putBack(_ element: inout Element?, at position: Int?, id: ID) {
    if let changed = element {
      element = nil
      precondition(
        identify(changed) == id,
        "The element that is set for an id must have that id: to give an element another id, "
          + "remove it and insert it anew.")
      storage.append(changed)
      if let position {
        storage.swapAt(position, storage.count - 1)
      } else {
        orderedIDs.append(unchecked: id)
      }
    } else if let position {
      if position < storage.count {
        let last: Element = storage.remove(at: position)
        storage.append(last)
      }
      orderedIDs.remove(at: position)
    }
  }
}

/// An identified array of elements that know their id.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

// The key path and the function are made from key path literals and never change; nothing else
// in the array is shared between copies but immutable buffers.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}
