import FoundationEssentials

/// Makes `Codable` values that stand for what is not known, by their own code: each text that they
/// ask for is empty, each number zero, each optional nil, each list without elements.
final class BridgePlaceholders {
  /// How many values may be tried for one: an enum that contains itself has no end of them.
  private static let limit = 4_096

  private var remaining = limit
  /// Which of its keys an object has that must have exactly one, as the case of an enum.
  private var keyNumber: UInt8 = 0
  /// The first key that has not been tried of each type that a value is being made of: within itself,
  /// a type is made another way.
  private var untried: [ObjectIdentifier: UInt8] = [:]

  /// A value of the type; nil where its code accepts none of those tried.
  static func value<T: Decodable>(of type: T.Type) -> T? {
    try? Self().value(of: type, at: [])
  }

  func value<T: Decodable>(of type: T.Type, at path: [any CodingKey]) throws -> T {
    self.remaining -= 1
    guard self.remaining > 0, path.count < RecordWriter.depthLimit else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path, debugDescription: "No value of the type is small enough."))
    }
    if let value = Self.known(type) { return value }
    if let value = nilValue(of: type) { return value }
    let decoder = BridgeDecoder(tree: .null, codingPath: path, placeholders: self)
    let first = self.untried[ObjectIdentifier(type)] ?? 0
    defer { self.untried[ObjectIdentifier(type)] = first }
    var failure: any Error = DecodingError.dataCorrupted(
      .init(codingPath: path, debugDescription: "A value of the type holds another one."))
    for number in min(first, 2)..<2 {
      self.keyNumber = number
      self.untried[ObjectIdentifier(type)] = number + 1
      do { return try T(from: decoder) } catch { failure = error }
      if let value = firstCase(of: type) { return value }
    }
    throw failure
  }

  private static func known<T>(_ type: T.Type) -> T? {
    if type == Date.self { return Date(timeIntervalSinceReferenceDate: 0) as? T }
    if type == UUID.self { return UUID.placeholder as? T }
    if type == Data.self { return Data() as? T }
    if type == URL.self { return URL.placeholder as? T }
    if type == Decimal.self { return Decimal(0) as? T }
    return nil
  }

  /// The key of an object that must have one and may not have two: what the compiler writes for the
  /// cases of an enum. Other objects, as a dictionary, have none.
  func key<Key: CodingKey>(_ type: Key.Type) -> Key? {
    defer { self.keyNumber = 0 }
    return caseOfPlainEnum(type, self.keyNumber)
  }
}
