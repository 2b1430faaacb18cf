import FoundationEssentials

extension RecordValue {
  /// Reads all of `bytes` as a value of the schema's root type.
  ///
  /// Throws ``RecordDecodingError``, with the path in the value, where the bytes are not one.
  public init(
    _ bytes: UnsafeRawBufferPointer, schema: RecordSchema
  ) throws(RecordDecodingError) {
    var reader = RecordReader(bytes)
    var valueReader = RecordValueReader(schema: schema)
    self = try valueReader.read(&reader)
    try reader.finish()
  }

  /// Reads all of `bytes` as a value of the schema's root type.
  public init(_ bytes: [UInt8], schema: RecordSchema) throws(RecordDecodingError) {
    self = try bytes.span.withUnsafeBytes { (buffer) throws(RecordDecodingError) in
      try RecordValue(buffer, schema: schema)
    }
  }

  /// Reads a value of the schema's root type at the reader's position.
  public init(
    from reader: inout RecordReader, schema: RecordSchema
  ) throws(RecordDecodingError) {
    var valueReader = RecordValueReader(schema: schema)
    self = try valueReader.read(&reader)
  }
}

/// Reads values by their schema, and knows where in the value it is.
struct RecordValueReader {
  /// How many values may be read that take no bytes, besides 64 for each byte: structures without
  /// fields and opaque values.
  ///
  /// A damaged schema could otherwise ask for any number of them.
  private static let freeValues = 65_536

  /// How deeply values may be nested.
  ///
  /// Here each value counts, not only collections and indirect enums as for
  /// ``RecordWriter/depthLimit``, hence four times as much.
  private static let depthLimit = 4 * RecordWriter.depthLimit

  let schema: RecordSchema
  private var depth = 0
  private var path: [String] = []
  private var budget = 0

  init(schema: RecordSchema) {
    self.schema = schema
  }

  mutating func read(
    _ reader: inout RecordReader, as type: RecordSchema.TypeIndex = 0
  ) throws(RecordDecodingError) -> RecordValue {
    budget = Self.freeValues + 64 * reader.remaining
    do throws(RecordDecodingError) {
      return try read(type, &reader)
    } catch {
      let path = path.joined()
      throw error.at(path: path.hasPrefix(".") ? String(path.dropFirst()) : path)
    }
  }

  private mutating func read(
    _ type: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> RecordValue {
    budget -= 1
    depth += 1
    guard budget >= 0, depth <= Self.depthLimit else { throw exhausted(reader) }
    let value = try readContent(type, &reader)
    depth -= 1
    return value
  }

  private func exhausted(_ reader: RecordReader) -> RecordDecodingError {
    guard depth > Self.depthLimit else {
      return reader.error("The schema gives far more values than there are bytes.")
    }
    return reader.error("Values are nested deeper than the \(Self.depthLimit) levels allowed.")
  }

  // Each kind of value is read by a function of its own: together, their temporary values would make
  // the stack that a level takes several times as large.
  private mutating func readContent(
    _ type: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> RecordValue {
    switch schema.types[type] {
    case .primitive(let primitive): try Self.read(primitive, &reader)
    case .optional(let wrapped): try readOptional(wrapped, &reader)
    case .array(let element): .array(try readElements(element, &reader))
    case .set(let element): .set(try readElements(element, &reader))
    case .dictionary(let key, let value): .dictionary(try readEntries(key, value, &reader))
    case .structure(let name, let fields):
      .structure(name: name, fields: try read(fields, &reader))
    case .enumeration(let name, let cases): try readCase(name, cases, &reader)
    case .codable, .described: try reader.getBridgedValue()
    case .opaque(let name, let reason): .opaque(name: name, reason: reason)
    }
  }

  private mutating func readOptional(
    _ wrapped: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> RecordValue {
    guard try Bool(from: &reader) else { return .null }
    let value = try read(wrapped, &reader)
    if case .optional = schema.types[wrapped] { return .some(value) }
    // Behind the bridge, an optional is not known until it is met.
    if case .null = value { return .some(value) }
    return value
  }

  private mutating func readCase(
    _ name: String, _ cases: [RecordSchema.Case], _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> RecordValue {
    let index = try reader.getCase()
    // Nearly always the case at the place of its number.
    let found =
      index < UInt64(cases.count) && cases[Int(index)].index == index
      ? cases[Int(index)] : cases.first { $0.index == index }
    guard let found else { throw reader.unknownCase(index, of: name) }
    path.append(".\(found.name)")
    let fields = try read(found.fields, &reader)
    path.removeLast()
    return .enumeration(name: name, case: found.name, fields: fields)
  }

  private mutating func read(
    _ fields: [RecordSchema.Field], _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> [RecordValue.Field] {
    var values: [RecordValue.Field] = []
    values.reserveCapacity(fields.count)
    for field in fields {
      path.append(".\(field.name)")
      values.append(.init(field.name, try read(field.type, &reader)))
      path.removeLast()
    }
    return values
  }

  private mutating func readElements(
    _ type: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> [RecordValue] {
    let count = try reader.getCount()
    let from = reader.offset
    var values: [RecordValue] = []
    values.reserveCapacity(
      reader.capacity(for: count, stride: MemoryLayout<RecordValue>.stride))
    for index in 0..<count {
      path.append("[\(index)]")
      values.append(try read(type, &reader))
      path.removeLast()
    }
    try reader.skipPadding(count, from: from)
    return values
  }

  private mutating func readEntries(
    _ key: RecordSchema.TypeIndex, _ value: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> [RecordValue.Entry] {
    let count = try reader.getCount()
    let from = reader.offset
    var entries: [RecordValue.Entry] = []
    entries.reserveCapacity(
      reader.capacity(for: count, stride: MemoryLayout<RecordValue.Entry>.stride))
    for index in 0..<count {
      path.append("[\(index)]")
      let key = try read(key, &reader)
      entries.append(.init(key, try read(value, &reader)))
      path.removeLast()
    }
    try reader.skipPadding(count, from: from)
    return entries
  }

  private static func read(
    _ primitive: RecordSchema.Primitive, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> RecordValue {
    switch primitive {
    case .bool: .bool(try Bool(from: &reader))
    case .int8: .int(Int64(try Int8(from: &reader)))
    case .int16: .int(Int64(try Int16(from: &reader)))
    case .int32: .int(Int64(try Int32(from: &reader)))
    case .int64, .int: .int(try Int64(from: &reader))
    case .int128: .int128(try Int128(from: &reader))
    case .uint8: .uint(UInt64(try UInt8(from: &reader)))
    case .uint16: .uint(UInt64(try UInt16(from: &reader)))
    case .uint32: .uint(UInt64(try UInt32(from: &reader)))
    case .uint64, .uint: .uint(try UInt64(from: &reader))
    case .uint128: .uint128(try UInt128(from: &reader))
    case .float: .float(try Float(from: &reader))
    case .double: .double(try Double(from: &reader))
    case .string: .string(try String(from: &reader))
    case .data: .data(try Data(from: &reader))
    case .date: .date(try Date(from: &reader))
    case .uuid: .uuid(try UUID(from: &reader))
    case .url: .url(try URL(from: &reader))
    case .decimal: .decimal(try Decimal(from: &reader))
    case .duration: .duration(try Duration(from: &reader))
    }
  }
}

extension RecordSchema {
  /// The error of a reader that knew the type, with the path in the value where this schema meets
  /// the same damage.
  ///
  /// Where it meets none, the error stays as it is.
  func locate(
    _ error: RecordDecodingError, in bytes: UnsafeRawBufferPointer
  ) -> RecordDecodingError {
    guard error.path.isEmpty else { return error }
    do throws(RecordDecodingError) {
      _ = try RecordValue(bytes, schema: self)
      return error
    } catch let found {
      return error.at(path: found.path)
    }
  }
}
