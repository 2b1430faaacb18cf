// Exact bits: -0.0, the infinities and every NaN come back as they were.

extension Double: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(fixed: bitPattern)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(bitPattern: try reader.getFixed(UInt64.self))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.double) }
}

extension Float: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(fixed: bitPattern)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(bitPattern: try reader.getFixed(UInt32.self))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.float) }
}
