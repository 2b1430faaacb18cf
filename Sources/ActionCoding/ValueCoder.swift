/// The way in which the values of one type become bytes, chosen once.
///
/// ``recordCoder(for:)`` chooses where the type is known in the source, ``init()`` where it is a
/// generic parameter.
public struct ValueCoder<Value>: @unchecked Sendable {
  // The closures capture types and constants. That a `Codable` conformance may belong to an actor is
  // why they can't be called `@Sendable`: whoever uses the coder is where the values are.

  /// What writes the values.
  public enum Kind: Hashable, Sendable {
    /// Their own code.
    case recordable
    /// The Codable bridge.
    case codable
    /// Nothing: the type has no form in bytes.
    case opaque
  }

  public let kind: Kind
  private let makeSchema: () -> RecordSchema
  @usableFromInline
  let write: (_ value: Value, _ writer: inout RecordWriter) throws(RecordOverflow) -> Void
  @usableFromInline
  let read: (_ reader: inout RecordReader) throws(RecordDecodingError) -> Value

  @usableFromInline
  init(
    kind: Kind, schema: @escaping () -> RecordSchema,
    write:
      @escaping (
        _ value: Value, _ writer: inout RecordWriter
      ) throws(RecordOverflow) -> Void,
    read: @escaping (_ reader: inout RecordReader) throws(RecordDecodingError) -> Value
  ) {
    self.kind = kind
    makeSchema = schema
    self.write = write
    self.read = read
  }

  /// What the bytes mean.
  ///
  /// It is built anew each time: keep it.
  public var schema: RecordSchema { makeSchema() }

  /// Writes a value.
  ///
  /// Nothing is written for an opaque one.
  @inlinable
  public func encode(_ value: Value, to writer: inout RecordWriter) throws(RecordOverflow) {
    try write(value, &writer)
  }

  /// Reads a value.
  ///
  /// Always throws for an opaque one.
  @inlinable
  public func decode(from reader: inout RecordReader) throws(RecordDecodingError) -> Value {
    try read(&reader)
  }

  /// The bytes of a value.
  public func bytes(of value: Value) throws(RecordOverflow) -> [UInt8] {
    try RecordWriter.bytes { (writer) throws(RecordOverflow) in try write(value, &writer) }
  }

  /// The value of all of `bytes`.
  ///
  /// Errors say where in the value the bytes are wrong.
  public func value(of bytes: UnsafeRawBufferPointer) throws(RecordDecodingError) -> Value {
    var reader = RecordReader(bytes)
    do throws(RecordDecodingError) {
      let value = try read(&reader)
      try reader.finish()
      return value
    } catch {
      throw schema.locate(error, in: bytes)
    }
  }

  /// The value of all of `bytes`.
  public func value(of bytes: [UInt8]) throws(RecordDecodingError) -> Value {
    try bytes.span.withUnsafeBytes { (buffer) throws(RecordDecodingError) in try value(of: buffer) }
  }
}

extension ValueCoder {
  /// The coder for values that were written under another run's schema.
  ///
  /// Where the bytes mean the same it is this one; otherwise values are matched by name, as
  /// ``RecordResolution`` says, which costs some time for each. What it writes has today's form.
  ///
  /// Throws ``RecordDecodingError`` where the type has changed so that no value can be read. A single
  /// value may still be refused when it is read; one that a migration drops is an error whose
  /// ``RecordDecodingError/isDropped`` is true.
  public func reading(
    _ written: RecordSchema, migrations: [RecordMigration] = []
  ) throws(RecordDecodingError) -> ValueCoder {
    let current = schema
    let resolution = RecordResolution(from: written, to: current, migrations: migrations)
    if resolution.isIdentity { return self }
    if resolution.isImpossible {
      let reason = resolution.verdict().findings.first { $0.kind == .impossible }
      throw RecordDecodingError(
        """
        No value of '\(recordedName(of: Value.self))' can be read as it was recorded. \
        \(reason.map { "\($0)" } ?? "")
        """,
        offset: 0)
    }
    let read = read
    return ValueCoder(kind: kind, schema: makeSchema, write: write) {
      (reader) throws(RecordDecodingError) in
      let bytes = try resolution.translate(from: &reader)
      return try bytes.span.withUnsafeBytes { (buffer) throws(RecordDecodingError) in
        var inner = RecordReader(buffer)
        do throws(RecordDecodingError) {
          let value = try read(&inner)
          try inner.finish()
          return value
        } catch {
          throw current.locate(error, in: buffer)
        }
      }
    }
  }
}

// MARK: - The choice

/// The coder of a type that has code of its own.
@inlinable
public func recordCoder<T: Recordable>(for type: T.Type) -> ValueCoder<T> {
  ValueCoder(
    kind: .recordable, schema: { RecordSchema(of: T.self) },
    write: { (value, writer) throws(RecordOverflow) in try value.encode(to: &writer) },
    read: { (reader) throws(RecordDecodingError) in try T(from: &reader) })
}

/// The coder of a type that is only `Codable`.
@_disfavoredOverload
public func recordCoder<T: Codable>(for type: T.Type) -> ValueCoder<T> {
  ValueCoder(
    kind: .codable, schema: { RecordSchema(codable: T.self) },
    write: { (value, writer) throws(RecordOverflow) in try writer.putBridged(value) },
    read: { (reader) throws(RecordDecodingError) in try reader.getBridged(T.self) })
}

/// The coder of a type that has no form in bytes.
@_disfavoredOverload
public func recordCoder<T>(for type: T.Type) -> ValueCoder<T> {
  ValueCoder(
    kind: .opaque, schema: { RecordSchema(opaque: T.self) },
    write: { (value, _) throws(RecordOverflow) in noteOpaque(value) },
    read: { (reader) throws(RecordDecodingError) in throw reader.opaque(T.self) })
}

extension ValueCoder {
  /// The coder of `Value`, chosen by the conformances that it has when the program runs.
  ///
  /// For generic code, where nothing is known of the type. The choice costs some look-ups, so keep
  /// the coder; a value then costs one call more than with ``recordCoder(for:)``.
  public init() {
    if let type = Value.self as? any Recordable.Type {
      self = Self.recordable(type)
    } else if let type = Value.self as? any (Decodable & Encodable).Type {
      self = Self.codable(type)
    } else {
      self = recordCoder(for: Value.self)
    }
  }

  private static func recordable<T: Recordable>(_ type: T.Type) -> Self {
    // The two types are the same one.
    guard let coder = ActionCoding.recordCoder(for: type) as? Self else {
      return recordCoder(for: Value.self)
    }
    return coder
  }

  private static func codable<T: Codable>(_ type: T.Type) -> Self {
    guard let coder = ActionCoding.recordCoder(for: type) as? Self else {
      return recordCoder(for: Value.self)
    }
    return coder
  }
}
