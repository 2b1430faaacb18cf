import Synchronization

extension ValueCoder {
  /// A value that stands for one that is not known: zeros, empty texts and collections, nil, and of an
  /// enum the first of the cases that need the least.
  ///
  /// Made from the schema and read by the type's own code, or by its `Codable` code from nothing. Nil
  /// where that refuses all that was tried, or needs a value of a type that has no form in bytes.
  public func placeholder() -> Value? { Placeholder.value(of: Value.self, depth: 0) }
}

/// Values of types that stand for what is not known.
enum Placeholder {
  /// What was read as a value of a type before.
  private static let known = Mutex<[ObjectIdentifier: [UInt8]]>([:])

  /// - Parameter depth: How many values the value is in.
  static func value<T>(of type: T.Type, depth: Int) -> T? {
    if let value = nilValue(of: type) { return value }
    if let recordable = type as? any Recordable.Type {
      return recorded(recordable, depth) as? T
    }
    if let decodable = type as? any (Decodable & Encodable).Type { return coded(decodable) as? T }
    if let partial = type as? any PartialPlaceholder.Type {
      return partial.placeholder(depth: depth) as? T
    }
    return firstCase(of: type)
  }

  private static func coded<T: Decodable>(_ type: T.Type) -> Any? {
    BridgePlaceholders.value(of: type)
  }

  private static func recorded<T: Recordable>(_ type: T.Type, _ depth: Int) -> Any? {
    let key = ObjectIdentifier(type)
    if let bytes = self.known.withLock({ $0[key] }) { return self.read(type, bytes, depth) }
    let schema = RecordSchema(of: type)
    for text in RecordPlaceholders.Text.allCases {
      let placeholders = RecordPlaceholders(schema, text: text)
      // A type may refuse to be read as the first of its cases: an action that has no value.
      let cases = placeholders.cases(of: 0)
      let candidates =
        cases.isEmpty ? [placeholders.bytes(of: 0)] : cases.map { placeholders.bytes(of: $0) }
      for case let bytes? in candidates {
        guard let value = self.read(type, bytes, depth) else { continue }
        self.known.withLock { $0[key] = bytes }
        return value
      }
    }
    return nil
  }

  private static func read<T: Recordable>(
    _ type: T.Type, _ bytes: [UInt8], _ depth: Int
  ) -> T? {
    bytes.span.withUnsafeBytes { (buffer) -> T? in
      var reader = RecordReader(buffer)
      reader.isPlaceholder = true
      reader.depth = depth
      return try? T(from: &reader)
    }
  }
}

/// A type that has placeholders whatever conformances its parts have.
private protocol PartialPlaceholder {
  static func placeholder(depth: Int) -> Self?
}

extension Array: PartialPlaceholder {
  static func placeholder(depth: Int) -> Self? { [] }
}

extension Set: PartialPlaceholder {
  static func placeholder(depth: Int) -> Self? { [] }
}

extension Dictionary: PartialPlaceholder {
  static func placeholder(depth: Int) -> Self? { [:] }
}

extension Result: PartialPlaceholder {
  static func placeholder(depth: Int) -> Self? {
    if let value = Placeholder.value(of: Success.self, depth: depth) { return .success(value) }
    let error = RecordedError(type: "Error", description: RecordSchema.redactedReason)
    return (error as? Failure).map { .failure($0) }
  }
}

// MARK: - Redacted fields

extension RecordReader {
  /// What stands for a field that is redacted: a placeholder of its type.
  ///
  /// Throws ``RecordDecodingError`` where its type has none.
  public mutating func getRedacted<T>(
    _ type: RecordFieldType<T>
  ) throws(RecordDecodingError) -> T {
    // One level more, since a placeholder may hold a redacted field of its own type.
    try self.descend()
    guard let value = Placeholder.value(of: T.self, depth: self.depth) else {
      throw self.redacted(T.self)
    }
    self.ascend()
    return value
  }

  func redacted<T>(_ type: T.Type) -> RecordDecodingError {
    self.error(
      """
      It is redacted, and no value of '\(recordedName(of: type))' can stand in for it. Give the \
      field a default that is a literal, or make it optional.
      """)
  }
}

extension RecordSchemaBuilder {
  /// The place of a field's type whose values are left out of records on purpose.
  public mutating func redacted<T>(_ field: RecordFieldType<T>) -> RecordSchema.TypeIndex {
    self.place(.redacted, of: T.self) { _ in
      .opaque(name: recordedName(of: T.self), reason: RecordSchema.redactedReason)
    }
  }
}
