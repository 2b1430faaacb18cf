/// Collects the types that a value is made of, each once.
public struct RecordSchemaBuilder {
  /// The most types a schema may have.
  ///
  /// A type that contains itself with ever new type arguments would have no end of them.
  package static let typeLimit = 65_536

  /// How deeply types may be nested in a schema, for the same reason.
  static let depthLimit = 512

  private var definitions: [RecordSchema.Definition] = []
  private var indices: [Key: Int] = [:]
  private var depth = 0

  /// A type and what writes it: a generic type may write one type in one way, and its own in another.
  private struct Key: Hashable {
    var type: ObjectIdentifier
    var kind: Kind
  }

  enum Kind { case own, optional, codable, opaque, described, redacted }

  init() {}

  /// The place of a type, which is described first if it was not.
  public mutating func type<T: Recordable>(_ type: T.Type) -> RecordSchema.TypeIndex {
    place(.own, of: type) { schema in T.recordDefinition(in: &schema) }
  }

  /// The place of a field's type, which is written by its own code.
  public mutating func type<T: Recordable>(
    _ field: RecordFieldType<T>
  ) -> RecordSchema.TypeIndex {
    type(T.self)
  }

  /// The place of a field's type, which is written through the Codable bridge.
  @_disfavoredOverload
  public mutating func type<T: Codable & SendableMetatype>(
    _ field: RecordFieldType<T>
  ) -> RecordSchema.TypeIndex {
    codable(T.self)
  }

  /// The place of an optional field's type, whose content is written through the Codable bridge.
  @_disfavoredOverload
  public mutating func type<T: Codable & SendableMetatype>(
    _ field: RecordFieldType<T?>
  ) -> RecordSchema.TypeIndex {
    optional(T.self)
  }

  /// The place of a field's type, which has no form in bytes.
  @_disfavoredOverload
  public mutating func type<T>(_ field: RecordFieldType<T>) -> RecordSchema.TypeIndex {
    opaque(T.self, reason: RecordSchema.reasonForOpaque(T.self))
  }

  /// The place of an error that can be of any type.
  public mutating func type(_ field: RecordFieldType<any Error>) -> RecordSchema.TypeIndex {
    place(.described, of: (any Error).self) { _ in
      .described(name: "any Error", reason: "It may be an error of any type.")
    }
  }

  /// The place of an error that can be of any type.
  public mutating func type(
    generic field: RecordFieldType<any Error>
  ) -> RecordSchema.TypeIndex {
    type(field)
  }

  /// The place of the type of a generic type's field, which is written by its own code.
  public mutating func type<T: Recordable>(
    generic field: RecordFieldType<T>
  ) -> RecordSchema.TypeIndex {
    type(T.self)
  }

  /// The place of the type of a generic type's field, which is written through the Codable bridge.
  @_disfavoredOverload
  public mutating func type<T: Codable>(
    generic field: RecordFieldType<T>
  ) -> RecordSchema.TypeIndex {
    codable(T.self)
  }

  /// The place of the type of a generic type's optional field.
  @_disfavoredOverload
  public mutating func type<T: Codable>(
    generic field: RecordFieldType<T?>
  ) -> RecordSchema.TypeIndex {
    optional(T.self)
  }

  /// The place of the type of a generic type's field, which has no form in bytes.
  @_disfavoredOverload
  public mutating func type<T>(generic field: RecordFieldType<T>) -> RecordSchema.TypeIndex {
    opaque(T.self, reason: RecordSchema.reasonForOpaque(T.self))
  }

  private mutating func optional<T: Codable>(_ type: T.Type) -> RecordSchema.TypeIndex {
    place(.optional, of: T?.self) { schema in .optional(schema.codable(type)) }
  }

  mutating func codable<T>(_ type: T.Type) -> RecordSchema.TypeIndex {
    place(.codable, of: type) { _ in .codable(name: recordedName(of: type)) }
  }

  /// The place of a type whose values are not written, for a reason that is told to people.
  public mutating func opaque<T>(_ type: T.Type, reason: String) -> RecordSchema.TypeIndex {
    place(.opaque, of: type) { _ in .opaque(name: recordedName(of: type), reason: reason) }
  }

  /// The place of a `Result`, from those of its two sides.
  public mutating func result(
    _ success: RecordSchema.TypeIndex, _ failure: RecordSchema.TypeIndex
  ) -> RecordSchema.TypeIndex {
    definitions.append(.result(success, failure))
    return definitions.count - 1
  }

  /// The place of a tuple, whose elements are written in their order.
  ///
  /// `_0`, `_1`, … stand for labels that it does not have.
  public mutating func tuple(
    _ elements: [(name: String, type: RecordSchema.TypeIndex)]
  ) -> RecordSchema.TypeIndex {
    definitions.append(
      .structure(name: "", fields: elements.map { RecordSchema.Field($0.name, $0.type) }))
    return definitions.count - 1
  }

  mutating func place<T>(
    _ kind: Kind, of type: T.Type, _ describe: (inout Self) -> RecordSchema.Definition
  ) -> RecordSchema.TypeIndex {
    let key = Key(type: ObjectIdentifier(type), kind: kind)
    if let index = indices[key] { return index }
    let index = definitions.count
    indices[key] = index
    // Holds the place while the type is described, in case it contains itself.
    definitions.append(
      .opaque(name: recordedName(of: type), reason: "Its type is nested without an end."))
    guard index < Self.typeLimit, depth < Self.depthLimit else { return index }
    depth += 1
    let definition = describe(&self)
    depth -= 1
    definitions[index] = definition
    return index
  }

  consuming func finish() -> RecordSchema {
    RecordSchema(types: definitions)
  }
}

extension RecordSchema.Definition {
  static func result(
    _ success: RecordSchema.TypeIndex, _ failure: RecordSchema.TypeIndex
  ) -> Self {
    .enumeration(
      name: "Result",
      cases: [
        .init(index: 0, name: "success", fields: [.init("_0", success)]),
        .init(index: 1, name: "failure", fields: [.init("_0", failure)]),
      ])
  }
}

extension RecordSchema {
  /// Why the values of a type that is not written are not, in a sentence.
  static func reasonForOpaque<T>(_ type: T.Type) -> String {
    if type is any (Decodable & Encodable).Type {
      return """
        The type is Codable, but not where the value is declared: constrain the generic parameter \
        to Codable, or declare the type nonisolated.
        """
    }
    return "The type is neither Recordable nor Codable."
  }

  /// The schema of values that `ValueCoder` writes by their type's own code.
  public init<T: Recordable>(of type: T.Type) {
    var builder = RecordSchemaBuilder()
    _ = builder.type(type)
    self = builder.finish()
  }

  init<T>(codable type: T.Type) {
    var builder = RecordSchemaBuilder()
    _ = builder.codable(type)
    self = builder.finish()
  }

  init<T>(opaque type: T.Type) {
    var builder = RecordSchemaBuilder()
    _ = builder.opaque(type, reason: Self.reasonForOpaque(type))
    self = builder.finish()
  }
}

/// A type's name as people write it, without module or address.
///
/// The qualified name of a private type holds an address, which differs from process to process.
func recordedName(of type: Any.Type) -> String {
  String(describing: type)
}
