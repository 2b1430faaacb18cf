internal import ActionCoding

/// The payload of a `note` record: what is to be known about the record before it in the stream.
///
/// A tag, and for 0 a count and the paths of what was redacted in that record, as strings; for 1 a
/// count, and the path and a text of each value in it that has no form in bytes, as strings.
enum NotePayload: Equatable {
  case redacted([String])
  case texts([OpaqueText])
  /// One of a tag that is not known here.
  case other

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .redacted(let paths):
      try writer.put(byte: 0)
      try writer.put(paths: paths)
    case .texts(let texts):
      try writer.put(byte: 1)
      try writer.put(varint: UInt64(texts.count))
      for text in texts {
        try writer.put(string: text.path)
        try writer.put(string: text.text)
      }
    case .other:
      break
    }
  }

  var bytes: [UInt8] {
    encodePayload { (writer) throws(RecordOverflow) in try self.put(to: &writer) }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getByte() {
    case 0:
      self = .redacted(try reader.getPaths())
    case 1:
      let count = try reader.getInt("The count of texts for values")
      guard count <= OpaqueText.countLimit else {
        throw reader.error(
          "There are \(count) texts for values; \(OpaqueText.countLimit) are the limit.")
      }
      var texts: [OpaqueText] = []
      for _ in 0..<count {
        texts.append(OpaqueText(path: try reader.getString(), text: try reader.getString()))
      }
      self = .texts(texts)
    default:
      self = .other
    }
  }
}
