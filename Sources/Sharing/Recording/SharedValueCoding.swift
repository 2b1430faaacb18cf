package import ActionCoding

/// How the values of a reference become bytes, whatever their type.
package struct SharedValueCoding: @unchecked Sendable {
  // The closures capture nothing but a coder, which holds types.

  /// The values' type.
  package let type: ObjectIdentifier
  /// Its name, as people write it.
  package let name: String
  /// Whether there is a form in bytes at all.
  package let kind: ValueCoder<Void>.Kind
  /// What the bytes mean; built anew each time.
  package let schema: () -> RecordSchema
  /// Writes a value, which must be of the type.
  package let encode: (Any, inout RecordWriter) throws(RecordOverflow) -> Void
  private let makeDecoder:
    (RecordSchema?) throws(RecordDecodingError) -> (inout RecordReader) throws(RecordDecodingError)
      -> Any

  package init<Value>(_ type: Value.Type) {
    let coder = ValueCoder<Value>()
    self.type = ObjectIdentifier(type)
    self.name = _typeName(type, qualified: false)
    switch coder.kind {
    case .recordable: kind = .recordable
    case .codable: kind = .codable
    case .opaque: kind = .opaque
    }
    schema = { coder.schema }
    encode = { (value, writer) throws(RecordOverflow) in
      guard let value = value as? Value else { return }
      try coder.encode(value, to: &writer)
    }
    makeDecoder = { (written) throws(RecordDecodingError) in
      let coder = if let written { try coder.reading(written) } else { coder }
      return { (reader) throws(RecordDecodingError) in try coder.decode(from: &reader) }
    }
  }

  /// Reads a value that was written under a schema.
  ///
  /// Throws `RecordDecodingError` where the bytes are not one, or the type has changed.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, written: RecordSchema?
  ) throws(RecordDecodingError) -> Any {
    var reader = RecordReader(bytes)
    let value: Any = try makeDecoder(written)(&reader)
    try reader.finish()
    return value
  }

  /// Why there is no form in bytes.
  package var reasonForOpaque: String {
    "Values of '\(name)' have no form in bytes: the type is neither Recordable nor Codable."
  }
}
