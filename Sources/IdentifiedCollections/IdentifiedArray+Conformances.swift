extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether both hold equal elements in the same order.
  @inlinable
  public static func == (first: Self, second: Self) -> Bool {
    first.storage == second.storage
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage)
  }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(storage)
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Reads an array of elements.
  ///
  /// - Throws: `DecodingError.dataCorrupted` where two elements have the same id.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    reserveCapacity(Swift.min(container.count ?? 0, Self.maximumReservedCount))
    while !container.isAtEnd {
      let offset: Int = container.currentIndex
      let element: Element = try container.decode(Element.self)
      guard append(element).inserted else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "Duplicate element at offset \(offset)")
      }
    }
  }

  /// A decoder's count may come from damaged data: no more memory is taken on its word alone.
  private static var maximumReservedCount: Int { 4096 }
}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { storage.description }

  public var debugDescription: String { "\(Self.self)(\(storage.debugDescription))" }
}

extension IdentifiedArray: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: storage, displayStyle: .collection)
  }
}
