public import FoundationEssentials

extension Date: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(fixed: timeIntervalSinceReferenceDate.bitPattern)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let seconds = Double(bitPattern: try reader.getFixed(UInt64.self))
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.date) }
}

extension UUID: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    guard writer.remaining >= 16 else { throw writer.full() }
    writer.cursor.storeBytes(of: uuid, as: uuid_t.self)
    writer.cursor += 16
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    guard reader.remaining >= 16 else { throw reader.ended() }
    self.init(uuid: reader.cursor.loadUnaligned(as: uuid_t.self))
    reader.cursor += 16
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.uuid) }
}

extension Data: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(count))
    guard writer.remaining >= count else { throw writer.full() }
    copyBytes(to: UnsafeMutableRawBufferPointer(start: writer.cursor, count: count), count: count)
    writer.cursor += count
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let bytes = try reader.getCounted()
    self.init(bytes)
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.data) }
}

extension URL: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(string: relativeString)
    try writer.put(string: baseURL?.absoluteString ?? "")
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let string = try reader.getString()
    let base = try reader.getString()
    var baseURL: URL?
    if !base.isEmpty {
      baseURL = URL(string: base)
      guard baseURL != nil else { throw reader.error("The text '\(base)' is not a URL.") }
    }
    guard let url = URL(string: string, relativeTo: baseURL) else {
      throw reader.error("The text '\(string)' is not a URL.")
    }
    self = url
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.url) }
}

// As text, which is exact, and the same for equal numbers whatever their digits in memory.
extension Decimal: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(string: description)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let text = try reader.getString()
    guard let value = Self(recorded: text) else {
      throw reader.error("The text '\(text)' is not a decimal number.")
    }
    self = value
  }

  init?(recorded text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    // The parser of numbers stops where a number ends, so it must be seen to have read all.
    let digits = text.utf8.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
    let others = text.utf8.count - digits
    guard digits > 0, text.utf8.count <= 200 else { return nil }
    let sign = text.hasPrefix("-") ? 1 : 0
    let point = text.utf8.contains(UInt8(ascii: ".")) ? 1 : 0
    guard others == sign + point, let value = Decimal(string: text) else { return nil }
    self = value
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.decimal) }
}
