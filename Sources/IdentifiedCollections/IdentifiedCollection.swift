/// A collection whose elements are found by an id.
public protocol _IdentifiedCollection<ID, Element>: Collection {
  /// What tells the elements apart.
  associatedtype ID: Hashable

  /// The ids in the order of the elements.
  associatedtype IDs: Collection<ID>

  /// The ids of the elements, in order.
  var ids: IDs { get }

  /// The element with an id, or nil.
  subscript(id id: ID) -> Element? { get }
}

/// A collection whose elements are found, changed and removed by an id.
public protocol _MutableIdentifiedCollection<ID, Element>: _IdentifiedCollection {
  /// The element with an id, or nil; setting nil removes it.
  subscript(id id: ID) -> Element? { get set }
}
