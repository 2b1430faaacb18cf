internal import ActionCoding
internal import IdentifiedCollections

/// Key paths of an identified array's elements, by the bytes of their ids.
enum ElementPath {
  /// The id's bytes, if the key path leads to an element of the array.
  static func id(of path: AnyKeyPath, in array: Any) -> [UInt8]? {
    (array as? any IdentifiedElements)?.id(of: path)
  }

  /// The key path to the element of an id, if the type is that of an identified array.
  static func find(_ id: [UInt8], in type: Any.Type) -> AnyKeyPath? {
    (type as? any IdentifiedElements.Type)?.path(to: id)
  }

  /// Whether a type is that of an identified array.
  static func exists(in type: Any.Type) -> Bool { type is any IdentifiedElements.Type }
}

private protocol IdentifiedElements {
  func id(of path: AnyKeyPath) -> [UInt8]?
  static func path(to id: [UInt8]) -> AnyKeyPath?
}

extension IdentifiedArray: IdentifiedElements {
  func id(of path: AnyKeyPath) -> [UInt8]? {
    guard let path = path as? KeyPath<Self, Element?>, let element = self[keyPath: path] else {
      return nil
    }
    let id: ID = element[keyPath: self.id]
    guard path == Self.path(to: id) else { return nil }
    return try? ValueCoder<ID>().bytes(of: id)
  }

  static func path(to id: [UInt8]) -> AnyKeyPath? {
    (try? ValueCoder<ID>().value(of: id)).map { path(to: $0) }
  }

  private static func path(to id: ID) -> WritableKeyPath<Self, Element?> { \Self.[id: id] }
}
