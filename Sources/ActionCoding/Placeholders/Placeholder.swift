import Synchronization

extension ValueCoder {
  /// A value that stands for one that is not known: zeros, empty texts and collections, nil, and of an
  /// enum the first of the cases that need the least.
  ///
  /// Made from the schema and read by the type's own code, or by its `Codable` code from nothing. Nil
  /// where that refuses all that was tried, or needs a value of a type that has no form in bytes.
  public func placeholder() -> Value? { Placeholder.value(of: Value.self, in: .none) }
}

/// Values of types that stand for what is not known.
enum Placeholder {
  /// What a placeholder is made for.
  struct Place {
    /// How many levels of nesting are around it.
    var depth: Int
    /// How many placeholders are around it.
    var placeholders: Int

    static let none = Place(depth: 0, placeholders: 0)

    /// Whether more than one value is tried: with that at each level there would be no end of them.
    var allowsMany: Bool { self.placeholders < 3 }
  }

  /// What was read as a value of a type before.
  private static let known = Mutex<[ObjectIdentifier: [UInt8]]>([:])

  static func value<T>(of type: T.Type, in place: Place) -> T? {
    if let value = nilValue(of: type) { return value }
    if let recordable = type as? any Recordable.Type {
      return recorded(recordable, place) as? T
    }
    if let decodable = type as? any (Decodable & Encodable).Type { return coded(decodable) as? T }
    if let partial = type as? any PartialPlaceholder.Type {
      return partial.placeholder(in: place) as? T
    }
    return firstCase(of: type)
  }

  private static func coded<T: Decodable>(_ type: T.Type) -> Any? {
    BridgePlaceholders.value(of: type)
  }

  private static func recorded<T: Recordable>(_ type: T.Type, _ place: Place) -> Any? {
    let key = ObjectIdentifier(type)
    if let bytes = self.known.withLock({ $0[key] }) { return self.read(type, bytes, place) }
    let schema = RecordSchema(of: type)
    for text in RecordPlaceholders.Text.allCases {
      let placeholders = RecordPlaceholders(schema, text: text)
      // A type may refuse to be read as the first of its cases: an action that has no value.
      let cases = placeholders.cases(of: 0)
      let candidates =
        cases.isEmpty ? [placeholders.bytes(of: 0)] : cases.map { placeholders.bytes(of: $0) }
      for case let bytes? in candidates {
        guard let value = self.read(type, bytes, place) else {
          guard place.allowsMany else { return nil }
          continue
        }
        self.known.withLock { $0[key] = bytes }
        return value
      }
    }
    return nil
  }

  private static func read<T: Recordable>(
    _ type: T.Type, _ bytes: [UInt8], _ place: Place
  ) -> T? {
    bytes.span.withUnsafeBytes { (buffer) -> T? in
      var reader = RecordReader(buffer)
      reader.placeholders = place.placeholders + 1
      reader.depth = place.depth
      return try? T(from: &reader)
    }
  }
}

/// A type that has placeholders whatever conformances its parts have.
private protocol PartialPlaceholder {
  static func placeholder(in place: Placeholder.Place) -> Self?
}

extension Array: PartialPlaceholder {
  static func placeholder(in place: Placeholder.Place) -> Self? { [] }
}

extension Set: PartialPlaceholder {
  static func placeholder(in place: Placeholder.Place) -> Self? { [] }
}

extension Dictionary: PartialPlaceholder {
  static func placeholder(in place: Placeholder.Place) -> Self? { [:] }
}

extension Result: PartialPlaceholder {
  static func placeholder(in place: Placeholder.Place) -> Self? {
    if let value = Placeholder.value(of: Success.self, in: place) { return .success(value) }
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
    let place = Placeholder.Place(depth: self.depth, placeholders: self.placeholders)
    guard let value = Placeholder.value(of: T.self, in: place) else {
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
