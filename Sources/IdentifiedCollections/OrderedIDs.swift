/// The ids of an ``IdentifiedArray``, in order, each one once.
///
/// ```swift
/// let removed = oldRows.ids.subtracting(newRows.ids)
/// ```
///
/// Whether an id is among them, and where, takes the same short time for any number of ids.
public struct OrderedIDs<ID: Hashable> {
  @usableFromInline
  var storage: [ID]

  /// An open hash table over `storage`: 0 is a free slot, any other value is a position plus one.
  ///
  /// It is empty while ``storage`` holds no more than ``maximumScannedCount`` ids.
  @usableFromInline
  var slots: [UInt32]

  /// So few ids are compared one by one, which is quicker than to hash one.
  @usableFromInline
  static var maximumScannedCount: Int { 8 }

  /// Creates an empty list of ids.
  @inlinable
  public init() {
    storage = []
    slots = []
  }

  /// Creates a list with the first occurrence of each id.
  @inlinable
  public init(_ ids: some Sequence<ID>) {
    self.init()
    for id in ids where position(of: id) == nil {
      append(unchecked: id)
    }
  }

  /// Where an id stands, or nil where it is absent.
  @inlinable
  public func firstIndex(of id: ID) -> Int? {
    position(of: id)
  }

  /// Whether an id is among these.
  @inlinable
  public func contains(_ id: ID) -> Bool {
    position(of: id) != nil
  }
}

extension OrderedIDs: RandomAccessCollection {
  @inlinable
  public var startIndex: Int { 0 }

  @inlinable
  public var endIndex: Int { storage.count }

  @inlinable
  public subscript(position: Int) -> ID { storage[position] }

  @inlinable
  public func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<ID>) throws -> R
  ) rethrows -> R? {
    try storage.withContiguousStorageIfAvailable(body)
  }
}

extension OrderedIDs: ExpressibleByArrayLiteral {
  @inlinable
  public init(arrayLiteral elements: ID...) {
    self.init(elements)
  }
}

extension OrderedIDs: Equatable {
  /// Whether both hold the same ids in the same order.
  @inlinable
  public static func == (first: Self, second: Self) -> Bool {
    first.storage == second.storage
  }
}

extension OrderedIDs: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage)
  }
}

extension OrderedIDs: Sendable where ID: Sendable {}

extension OrderedIDs: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { storage.description }

  public var debugDescription: String { storage.debugDescription }

  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: storage, displayStyle: .collection)
  }
}
