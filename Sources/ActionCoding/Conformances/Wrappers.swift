extension Optional: Recordable where Wrapped: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .none: try writer.put(byte: 0)
    case .some(let wrapped):
      try writer.put(byte: 1)
      try wrapped.encode(to: &writer)
    }
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getByte() {
    case 0: self = .none
    case 1: self = .some(try Wrapped(from: &reader))
    case let other: throw reader.outOfRange("\(other)", "Optional")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .optional(schema.type(Wrapped.self)) }
}

extension Result: Recordable where Success: Recordable, Failure: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .success(let value):
      try writer.put(byte: 0)
      try value.encode(to: &writer)
    case .failure(let error):
      try writer.put(byte: 1)
      try error.encode(to: &writer)
    }
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getCase() {
    case 0: self = .success(try Success(from: &reader))
    case 1: self = .failure(try Failure(from: &reader))
    case let other: throw reader.unknownCase(other, of: "Result")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .result(schema.type(Success.self), schema.type(Failure.self))
  }
}

extension Range: Recordable where Bound: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try lowerBound.encode(to: &writer)
    try upperBound.encode(to: &writer)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let lower = try Bound(from: &reader)
    let upper = try Bound(from: &reader)
    guard lower <= upper else { throw reader.badRange() }
    self.init(uncheckedBounds: (lower, upper))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { schema.range("Range", of: Bound.self) }
}

extension ClosedRange: Recordable where Bound: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try lowerBound.encode(to: &writer)
    try upperBound.encode(to: &writer)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let lower = try Bound(from: &reader)
    let upper = try Bound(from: &reader)
    guard lower <= upper else { throw reader.badRange() }
    self.init(uncheckedBounds: (lower, upper))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { schema.range("ClosedRange", of: Bound.self) }
}

extension RecordSchemaBuilder {
  mutating func range<Bound: Recordable>(
    _ name: String, of bound: Bound.Type
  ) -> RecordSchema.Definition {
    let type = self.type(bound)
    return .structure(
      name: name, fields: [.init("lowerBound", type), .init("upperBound", type)])
  }
}

extension RecordReader {
  @usableFromInline
  func badRange() -> RecordDecodingError {
    error("The upper bound of a range is below its lower bound.")
  }
}

extension Duration: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(fixed: attoseconds)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(attoseconds: try reader.getFixed(Int128.self))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.duration) }
}

extension Never: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {}

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    throw reader.error("A value of 'Never' can't be in a record.")
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .enumeration(name: "Never", cases: []) }
}
