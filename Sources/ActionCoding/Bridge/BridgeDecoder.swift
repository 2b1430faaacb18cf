import FoundationEssentials

/// Reads a `Codable` value from the tree that its bytes describe.
struct BridgeDecoder: Decoder {
  let tree: RecordValue
  let codingPath: [any CodingKey]
  /// Set where what is read stands for a value that is not known.
  var placeholders: BridgePlaceholders?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func value<T: Decodable>(
    of type: T.Type, from tree: RecordValue, at path: [any CodingKey] = [],
    _ placeholders: BridgePlaceholders? = nil
  ) throws -> T {
    if let placeholders { return try placeholders.value(of: type, at: path) }
    if let value = known(type, tree) { return value }
    if case .opaque(_, RecordSchema.redactedReason) = tree {
      return try BridgePlaceholders().value(of: type, at: path)
    }
    guard path.count < RecordWriter.depthLimit else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path, debugDescription: "Values are nested too deeply."))
    }
    return try T(from: BridgeDecoder(tree: tree, codingPath: path))
  }

  private static func known<T>(_ type: T.Type, _ tree: RecordValue) -> T? {
    switch tree {
    case .date(let value) where type == Date.self: value as? T
    case .uuid(let value) where type == UUID.self: value as? T
    case .data(let value) where type == Data.self: value as? T
    case .url(let value) where type == URL.self: value as? T
    case .decimal(let value) where type == Decimal.self: value as? T
    default: nil
    }
  }

  /// What a decoding error says, in one line.
  static func text(of error: any Error, decoding type: Any.Type) -> String {
    let name = recordedName(of: type)
    guard let error = error as? DecodingError else {
      return "A value of '\(name)' can't be read: \(error)"
    }
    let context: DecodingError.Context
    var path: [any CodingKey]
    var text: String
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found):
      (context, path, text) = (found, found.codingPath, found.debugDescription)
    case .keyNotFound(let key, let found):
      (context, path) = (found, found.codingPath)
      text = "There is no value for the key '\(key.stringValue)'."
    case .dataCorrupted(let found):
      (context, path, text) = (found, found.codingPath, found.debugDescription)
    @unknown default:
      return "A value of '\(name)' can't be read: \(error)"
    }
    if let cause = context.underlyingError { text += " (\(cause))" }
    let place = Self.text(of: path)
    return "A value of '\(name)' can't be read\(place.isEmpty ? "" : " at \(place)"): \(text)"
  }

  static func text(of path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else if !key.stringValue.isEmpty {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    if let placeholders {
      return KeyedDecodingContainer(
        BridgeKeyedDecoding<Key>(fields: [], codingPath: codingPath, placeholders))
    }
    guard case .structure(_, let fields) = tree else { throw mismatch("values under keys") }
    return KeyedDecodingContainer(
      BridgeKeyedDecoding<Key>(fields: fields, codingPath: codingPath, nil))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let placeholders {
      return BridgeUnkeyedDecoding(elements: [], codingPath: codingPath, placeholders)
    }
    // An unkeyed container into which nothing was put may have become an empty object.
    if case .structure(_, let fields) = tree, fields.isEmpty {
      return BridgeUnkeyedDecoding(elements: [], codingPath: codingPath, nil)
    }
    guard case .array(let elements) = tree else { throw mismatch("a list") }
    return BridgeUnkeyedDecoding(elements: elements, codingPath: codingPath, nil)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    BridgeSingleDecoding(decoder: self)
  }

  // MARK: - Scalars

  func mismatch(_ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "Expected \(expected), but \(tree.kindDescription) was recorded.")
    if case .null = tree { return .valueNotFound(Any.self, context) }
    return .typeMismatch(Any.self, context)
  }

  /// Whether what is read stands for a value that is not known.
  var isPlaceholder: Bool {
    if case .opaque(_, RecordSchema.redactedReason) = tree { true } else { placeholders != nil }
  }

  var isNil: Bool {
    if case .null = tree { true } else { isPlaceholder }
  }

  func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard !isPlaceholder else { return 0 }
    let value: T?
    switch tree {
    case .int(let number): value = T(exactly: number)
    case .uint(let number): value = T(exactly: number)
    case .int128(let number): value = T(exactly: number)
    case .uint128(let number): value = T(exactly: number)
    case .double(let number): value = T(exactly: number)
    case .float(let number): value = T(exactly: number)
    default: throw mismatch("a number")
    }
    guard let value else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath,
          debugDescription: "The number \(tree) does not fit into '\(T.self)'."))
    }
    return value
  }

  func double() throws -> Double {
    switch tree {
    case .double(let value): value
    case .float(let value): Double(value)
    default: Double(try integer(Int64.self))
    }
  }

  func float() throws -> Float {
    switch tree {
    case .float(let value): value
    case .double(let value): Float(value)
    default: Float(try integer(Int64.self))
    }
  }

  func bool() throws -> Bool {
    guard !isPlaceholder else { return false }
    guard case .bool(let value) = tree else { throw mismatch("a truth value") }
    return value
  }

  func string() throws -> String {
    guard !isPlaceholder else { return "" }
    guard case .string(let value) = tree else { throw mismatch("a string") }
    return value
  }
}
