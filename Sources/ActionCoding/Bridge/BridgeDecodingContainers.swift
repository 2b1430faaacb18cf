struct BridgeKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let values: [String: RecordValue]
  private let names: [String]
  private let placeholders: BridgePlaceholders?
  let codingPath: [any CodingKey]

  init(
    fields: [RecordValue.Field], codingPath: [any CodingKey], _ placeholders: BridgePlaceholders?
  ) {
    values = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    names = fields.map(\.name)
    self.codingPath = codingPath
    self.placeholders = placeholders
  }

  var allKeys: [Key] {
    if let placeholders { return placeholders.key(Key.self).map { [$0] } ?? [] }
    return names.compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { placeholders != nil || values[key.stringValue] != nil }

  private func child(_ key: some CodingKey) throws -> BridgeDecoder {
    if let placeholders {
      return BridgeDecoder(tree: .null, codingPath: codingPath + [key], placeholders: placeholders)
    }
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: codingPath,
          debugDescription: "There is no value for the key '\(key.stringValue)'."))
    }
    return BridgeDecoder(tree: value, codingPath: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try child(key).isNil
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try child(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try child(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try child(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try child(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try child(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try child(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try child(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try child(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try child(key).integer(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try child(key).integer(type)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try child(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try child(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try child(key).integer(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try child(key).integer(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try child(key).integer(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try child(key).integer(type)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let child = try child(key)
    return try BridgeDecoder.value(
      of: type, from: child.tree, at: child.codingPath, child.placeholders)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try child(BridgeKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }
}

struct BridgeUnkeyedDecoding: UnkeyedDecodingContainer {
  private let elements: [RecordValue]
  private let placeholders: BridgePlaceholders?
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(
    elements: [RecordValue], codingPath: [any CodingKey], _ placeholders: BridgePlaceholders?
  ) {
    self.elements = elements
    self.codingPath = codingPath
    self.placeholders = placeholders
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func next() throws -> BridgeDecoder {
    let path = codingPath + [BridgeKey(currentIndex)]
    if let placeholders {
      return BridgeDecoder(tree: .null, codingPath: path, placeholders: placeholders)
    }
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: path, debugDescription: "The list ends here."))
    }
    return BridgeDecoder(tree: elements[currentIndex], codingPath: path)
  }

  /// The next element is passed only once it has been read.
  private mutating func read<T>(_ body: (BridgeDecoder) throws -> T) throws -> T {
    let value = try body(try next())
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard try next().isNil else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try read { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try read { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try read { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try read { try $0.integer(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try read { try $0.integer(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try read { try $0.integer(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try read { try $0.integer(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try read { try $0.integer(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try read { try $0.integer(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try read { try $0.integer(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try read { try $0.integer(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try read { try $0.integer(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try read { try $0.integer(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try read { try $0.integer(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try read { try $0.integer(type) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try read {
      try BridgeDecoder.value(of: type, from: $0.tree, at: $0.codingPath, $0.placeholders)
    }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try read { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try read { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try read { $0 } }
}

struct BridgeSingleDecoding: SingleValueDecodingContainer {
  let decoder: BridgeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    decoder.isNil
  }

  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
  func decode(_ type: String.Type) throws -> String { try decoder.string() }
  func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
  func decode(_ type: Float.Type) throws -> Float { try decoder.float() }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.integer(type) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try BridgeDecoder.value(
      of: type, from: decoder.tree, at: codingPath + [BridgeKey("")], decoder.placeholders)
  }
}
