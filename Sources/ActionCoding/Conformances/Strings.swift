extension String: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(string: self)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getString()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.string) }
}

extension Substring: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(string: String(self))
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = Substring(try reader.getString())
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.string) }
}

extension Character: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(string: String(self))
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let string = try reader.getString()
    guard let first = string.first, string.index(after: string.startIndex) == string.endIndex else {
      throw reader.error("A character is recorded as a string that is not one character.")
    }
    self = first
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.string) }
}

extension Unicode.Scalar: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(value))
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getVarint()
    guard let value = UInt32(exactly: number), let scalar = Unicode.Scalar(value) else {
      throw reader.outOfRange("\(number)", "Unicode.Scalar")
    }
    self = scalar
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint32) }
}
