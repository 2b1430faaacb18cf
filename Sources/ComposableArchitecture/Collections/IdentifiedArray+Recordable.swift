public import ActionCoding
public import IdentifiedCollections

// The elements in their order; their ids are in them.
extension IdentifiedArray: Recordable
where Element: Identifiable & Recordable, ID == Element.ID {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.elements.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let elements = try [Element](from: &reader)
    self.init()
    for element in elements where !self.append(element).inserted {
      throw reader.error("An identified array holds the id \(element.id) twice.")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .array(schema.type(Element.self)) }
}
