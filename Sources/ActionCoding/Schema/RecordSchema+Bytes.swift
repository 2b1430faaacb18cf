// The schema's own bytes, which are written into each segment of a log. Format: a version (1), the
// count of types, and the types. Strings are counted UTF-8, numbers are unsigned varints.

extension RecordSchema {
  /// The version of the schema's bytes that this library writes, and the newest that it reads.
  static let bytesVersion: UInt64 = 1

  private enum Tag: UInt8 {
    case primitive = 0
    case optional = 1
    case array = 2
    case set = 3
    case dictionary = 4
    case structure = 5
    case enumeration = 6
    case codable = 7
    case opaque = 8
    case described = 9
  }

  /// Writes the schema.
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: Self.bytesVersion)
    try writer.put(varint: UInt64(types.count))
    for type in types { try Self.encode(type, to: &writer) }
  }

  /// The schema's bytes.
  ///
  /// Equal schemas have equal ones.
  public func bytes() throws(RecordOverflow) -> [UInt8] {
    try RecordWriter.bytes { (writer) throws(RecordOverflow) in try encode(to: &writer) }
  }

  private static func encode(
    _ type: Definition, to writer: inout RecordWriter
  ) throws(RecordOverflow) {
    switch type {
    case .primitive(let primitive):
      try writer.put(byte: Tag.primitive.rawValue)
      try writer.put(byte: primitive.rawValue)
    case .optional(let index):
      try writer.put(byte: Tag.optional.rawValue)
      try writer.put(varint: UInt64(index))
    case .array(let index):
      try writer.put(byte: Tag.array.rawValue)
      try writer.put(varint: UInt64(index))
    case .set(let index):
      try writer.put(byte: Tag.set.rawValue)
      try writer.put(varint: UInt64(index))
    case .dictionary(let key, let value):
      try writer.put(byte: Tag.dictionary.rawValue)
      try writer.put(varint: UInt64(key))
      try writer.put(varint: UInt64(value))
    case .structure(let name, let fields):
      try writer.put(byte: Tag.structure.rawValue)
      try writer.put(string: name)
      try encode(fields, to: &writer)
    case .enumeration(let name, let cases):
      try writer.put(byte: Tag.enumeration.rawValue)
      try writer.put(string: name)
      try writer.put(varint: UInt64(cases.count))
      for item in cases {
        try writer.put(varint: item.index)
        try writer.put(string: item.name)
        try encode(item.fields, to: &writer)
      }
    case .codable(let name):
      try writer.put(byte: Tag.codable.rawValue)
      try writer.put(string: name)
    case .opaque(let name, let reason):
      try writer.put(byte: Tag.opaque.rawValue)
      try writer.put(string: name)
      try writer.put(string: reason)
    case .described(let name, let reason):
      try writer.put(byte: Tag.described.rawValue)
      try writer.put(string: name)
      try writer.put(string: reason)
    }
  }

  private static func encode(
    _ fields: [Field], to writer: inout RecordWriter
  ) throws(RecordOverflow) {
    try writer.put(varint: UInt64(fields.count))
    for field in fields {
      try writer.put(string: field.name)
      try writer.put(varint: UInt64(field.type))
      try writer.put(byte: field.isConstant ? 1 : 0)
    }
  }

  /// Reads a schema that ``encode(to:)`` wrote.
  ///
  /// Throws ``RecordDecodingError`` for bytes that are no schema, or one of a newer version.
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let version = try reader.getVarint()
    guard version == Self.bytesVersion else {
      throw reader.error(
        """
        The schema is of version \(version), and this program reads version \
        \(Self.bytesVersion) only. Use a newer one.
        """)
    }
    let count = try reader.getCount()
    guard count > 0, count <= RecordSchemaBuilder.typeLimit + RecordSchemaBuilder.depthLimit else {
      throw reader.error("The schema has \(count) types.")
    }
    var types: [Definition] = []
    for _ in 0..<count { types.append(try Self.definition(&reader, count)) }
    self.init(types: types)
  }

  /// Reads a schema that is all of `bytes`.
  public init(bytes: UnsafeRawBufferPointer) throws(RecordDecodingError) {
    var reader = RecordReader(bytes)
    self = try RecordSchema(from: &reader)
    try reader.finish()
  }

  private static func definition(
    _ reader: inout RecordReader, _ count: Int
  ) throws(RecordDecodingError) -> Definition {
    let byte = try reader.getByte()
    guard let tag = Tag(rawValue: byte) else {
      throw reader.error("The byte \(byte) begins no kind of type in a schema.")
    }
    switch tag {
    case .primitive:
      let number = try reader.getByte()
      guard let primitive = Primitive(rawValue: number) else {
        throw reader.error("A schema names the type number \(number), which this program lacks.")
      }
      return .primitive(primitive)
    case .optional: return .optional(try index(&reader, count))
    case .array: return .array(try index(&reader, count))
    case .set: return .set(try index(&reader, count))
    case .dictionary:
      return .dictionary(key: try index(&reader, count), value: try index(&reader, count))
    case .structure:
      return .structure(name: try reader.getString(), fields: try fields(&reader, count))
    case .enumeration:
      let name = try reader.getString()
      var cases: [Case] = []
      for _ in 0..<(try reader.getCount()) {
        let index = try reader.getVarint()
        let label = try reader.getString()
        cases.append(.init(index: index, name: label, fields: try fields(&reader, count)))
      }
      return .enumeration(name: name, cases: cases)
    case .codable: return .codable(name: try reader.getString())
    case .opaque:
      return .opaque(name: try reader.getString(), reason: try reader.getString())
    case .described:
      return .described(name: try reader.getString(), reason: try reader.getString())
    }
  }

  private static func fields(
    _ reader: inout RecordReader, _ count: Int
  ) throws(RecordDecodingError) -> [Field] {
    var fields: [Field] = []
    for _ in 0..<(try reader.getCount()) {
      let name = try reader.getString()
      let type = try index(&reader, count)
      fields.append(Field(name, type, isConstant: try Bool(from: &reader)))
    }
    return fields
  }

  private static func index(
    _ reader: inout RecordReader, _ count: Int
  ) throws(RecordDecodingError) -> TypeIndex {
    let index = try reader.getVarint()
    guard index < UInt64(count) else {
      throw reader.error("A schema of \(count) types refers to the type number \(index).")
    }
    return TypeIndex(index)
  }
}
