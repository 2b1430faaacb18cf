public import ActionCoding

// As one string, or as a list of those that it was put together from: two texts that differ in
// that are different texts.
extension TextState: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let content = try? container.decode(String.self) {
      self.init(verbatim: content)
    } else {
      self.init(parts: try container.decode([String].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self.storage {
    case .verbatim(let content): try container.encode(content)
    case .concatenated(let parts): try container.encode(parts)
    }
  }
}

extension TextState: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.parts.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(parts: try [String](from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .array(schema.type(String.self)) }
}
