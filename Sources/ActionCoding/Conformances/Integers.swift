extension Bool: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(byte: self ? 1 : 0)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let byte = try reader.getByte()
    guard byte <= 1 else { throw reader.outOfRange("\(byte)", "Bool") }
    self = byte == 1
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.bool) }
}

extension UInt8: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(byte: self)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getByte()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint8) }
}

extension Int8: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(byte: UInt8(bitPattern: self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(bitPattern: try reader.getByte())
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int8) }
}

extension Int16: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(signed: Int64(self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getSigned()
    guard let value = Int16(exactly: number) else {
      throw reader.outOfRange("\(number)", "Int16")
    }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int16) }
}

extension Int32: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(signed: Int64(self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getSigned()
    guard let value = Int32(exactly: number) else {
      throw reader.outOfRange("\(number)", "Int32")
    }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int32) }
}

extension Int64: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(signed: self)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getSigned()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int64) }
}

extension Int: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(signed: Int64(self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getSigned()
    guard let value = Int(exactly: number) else {
      throw reader.outOfRange("\(number)", "Int")
    }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int) }
}

extension UInt16: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getVarint()
    guard let value = UInt16(exactly: number) else {
      throw reader.outOfRange("\(number)", "UInt16")
    }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint16) }
}

extension UInt32: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getVarint()
    guard let value = UInt32(exactly: number) else {
      throw reader.outOfRange("\(number)", "UInt32")
    }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint32) }
}

extension UInt64: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: self)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getVarint()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint64) }
}

extension UInt: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self))
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getVarint()
    guard let value = UInt(exactly: number) else {
      throw reader.outOfRange("\(number)", "UInt")
    }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint) }
}

extension Int128: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(fixed: self)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getFixed()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int128) }
}

extension UInt128: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(fixed: self)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getFixed()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uint128) }
}
