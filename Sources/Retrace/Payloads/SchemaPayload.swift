internal import ActionCoding

/// The payload of a `schema` record, which begins a stream: its name and the schemas of its state
/// and its actions, each counted.
struct SchemaPayload {
  var name: String
  var state: RecordSchema
  var action: RecordSchema

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(string: self.name)
    for schema in [self.state, self.action] {
      let bytes = try schema.bytes()
      try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(counted: raw)
      }
    }
  }

  init(name: String, state: RecordSchema, action: RecordSchema) {
    self.name = name
    self.state = state
    self.action = action
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.name = try reader.getString()
    self.state = try RecordSchema(bytes: try reader.getCounted())
    self.action = try RecordSchema(bytes: try reader.getCounted())
  }
}
