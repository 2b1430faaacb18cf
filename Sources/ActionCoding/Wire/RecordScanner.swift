/// Passes over values by their schema, without making anything of them.
struct RecordScanner {
  /// As for values that are read by their schema, and for the same reasons.
  static let freeValues = 65_536
  static let depthLimit = 4 * RecordWriter.depthLimit

  let schema: RecordSchema
  /// What the values are made of, where somebody wants to know.
  var usage: RecordUsage?
  private var depth = 0
  private var budget: Int

  /// - Parameter bytes: How many bytes may be passed over.
  init(_ schema: RecordSchema, bytes: Int) {
    self.schema = schema
    self.budget = Self.freeValues + 64 * bytes
  }

  /// Makes room for the values of more bytes.
  mutating func allow(bytes: Int) { self.budget = Self.freeValues + 64 * bytes }

  /// Moves the reader behind a value.
  mutating func skip(
    _ type: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    self.depth += 1
    self.budget -= 1
    guard self.depth <= Self.depthLimit else {
      throw reader.error("Values are nested deeper than the \(Self.depthLimit) levels allowed.")
    }
    guard self.budget >= 0 else {
      throw reader.error("The schema gives far more values than there are bytes.")
    }
    self.usage?.mark(type)
    switch self.schema.types[type] {
    case .primitive(let primitive): try Self.skip(primitive, &reader)
    case .optional(let wrapped):
      let isPresent = try Bool(from: &reader)
      self.usage?.mark(type, isPresent: isPresent)
      if isPresent { try self.skip(wrapped, &reader) }
    case .array(let element), .set(let element):
      try self.skip([element], of: type, &reader)
    case .dictionary(let key, let value): try self.skip([key, value], of: type, &reader)
    case .structure(_, let fields):
      for field in fields { try self.skip(field.type, &reader) }
    case .enumeration(let name, let cases):
      let index = try reader.getCase()
      guard let found = cases.first(index: index) else {
        throw reader.unknownCase(index, of: name)
      }
      self.usage?.mark(type, case: index)
      for field in found.fields { try self.skip(field.type, &reader) }
    case .codable, .described: _ = try reader.getCounted()
    case .opaque: break
    }
    self.depth -= 1
  }

  private mutating func skip(
    _ parts: [RecordSchema.TypeIndex], of type: RecordSchema.TypeIndex,
    _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let count = try reader.getCount()
    self.usage?.mark(type, isPresent: count > 0)
    let from = reader.offset
    for _ in 0..<count {
      for part in parts { try self.skip(part, &reader) }
    }
    try reader.skipPadding(count, from: from)
  }

  private static func skip(
    _ primitive: RecordSchema.Primitive, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    switch primitive {
    case .bool, .int8, .uint8: try reader.skip(1)
    case .int16, .int32, .int64, .int, .uint16, .uint32, .uint64, .uint:
      _ = try reader.getVarint()
    case .float: try reader.skip(4)
    case .double, .date: try reader.skip(8)
    case .int128, .uint128, .uuid, .duration: try reader.skip(16)
    case .string, .data, .decimal: _ = try reader.getCounted()
    case .url:
      _ = try reader.getCounted()
      _ = try reader.getCounted()
    }
  }
}

extension [RecordSchema.Case] {
  /// The case with a number: nearly always the one at the place of the number.
  func first(index: UInt64) -> RecordSchema.Case? {
    if index < UInt64(self.count), self[Int(index)].index == index { return self[Int(index)] }
    return self.first { $0.index == index }
  }
}
