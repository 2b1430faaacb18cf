internal import ActionCoding

/// The payload of a `note` record: what is to be known about the record before it in the stream.
///
/// A tag, and for 0 a count and the paths of what was redacted in that record, as strings.
enum NotePayload: Equatable {
  case redacted([String])
  /// One of a tag that is not known here.
  case other

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    guard case .redacted(let paths) = self else { return }
    try writer.put(byte: 0)
    try writer.put(paths: paths)
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = try reader.getByte() == 0 ? .redacted(try reader.getPaths()) : .other
  }
}
