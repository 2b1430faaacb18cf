extension RecordSchema {
  /// Where the stored properties of a struct stand in its bytes.
  ///
  /// - Parameter bytes: Those of a value of this schema, and whatever follows it.
  /// - Returns: The properties in their order, none for a value that is no struct; and where the value
  ///   ends.
  package func fieldRanges(
    in bytes: [UInt8]
  ) throws(RecordDecodingError) -> (fields: [(name: String, range: Range<Int>)], end: Int) {
    try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordDecodingError) in
      var reader = RecordReader(raw)
      var scanner = RecordScanner(self, bytes: bytes.count)
      guard case .structure(_, let fields) = self.types[0] else {
        try scanner.skip(0, &reader)
        return ([], reader.offset)
      }
      var ranges: [(name: String, range: Range<Int>)] = []
      for field in fields {
        let start = reader.offset
        try scanner.skip(field.type, &reader)
        ranges.append((field.name, start..<reader.offset))
      }
      return (ranges, reader.offset)
    }
  }
}
