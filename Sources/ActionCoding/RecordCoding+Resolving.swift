import Synchronization

// For generic types that hold values of a type of which nothing is known: a stack's elements, a
// presented child. Which coder they take is then decided by the conformances that the type has when
// the program runs, once a type.

extension RecordWriter {
  /// Writes a value by the coder that ``ValueCoder/init()`` chooses for its type.
  public mutating func put<T>(resolving value: T) throws(RecordOverflow) {
    try ResolvedCoders.coder(for: T.self).encode(value, to: &self)
  }
}

extension RecordReader {
  /// Reads a value by the coder that ``ValueCoder/init()`` chooses for its type.
  public mutating func get<T>(resolving type: T.Type) throws(RecordDecodingError) -> T {
    try ResolvedCoders.coder(for: type).decode(from: &self)
  }
}

extension RecordSchemaBuilder {
  /// The place of a type whose values are written by the coder that ``ValueCoder/init()`` chooses.
  public mutating func type<T>(resolving type: T.Type) -> RecordSchema.TypeIndex {
    if let recordable = type as? any Recordable.Type { return self.type(opening: recordable) }
    if type is any (Decodable & Encodable).Type { return codable(type) }
    return opaque(type, reason: RecordSchema.reasonForOpaque(type))
  }

  private mutating func type<T: Recordable>(opening type: T.Type) -> RecordSchema.TypeIndex {
    self.type(type)
  }
}

private enum ResolvedCoders {
  private static let coders = Mutex<[ObjectIdentifier: any Sendable]>([:])

  static func coder<T>(for type: T.Type) -> ValueCoder<T> {
    let key = ObjectIdentifier(type)
    if let coder = coders.withLock({ $0[key] }) as? ValueCoder<T> { return coder }
    // Chosen without the lock, since look-ups run code of the type.
    let coder = ValueCoder<T>()
    coders.withLock { $0[key] = coder }
    return coder
  }
}
