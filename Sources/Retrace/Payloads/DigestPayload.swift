internal import ActionCoding

/// The payload of a `digest` record: the number of an action, and the digest of the state after it.
///
/// The digest is that of the state's bytes as a `state` record would hold them, from the table of
/// shared values on: 8 bytes, little-endian.
struct DigestPayload: Equatable {
  var number: Int
  var digest: RecordDigest

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.number))
    try writer.put(fixed: self.digest.value)
  }

  init(number: Int, digest: RecordDigest) {
    self.number = number
    self.digest = digest
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.number = try reader.getInt("A digest's action number")
    self.digest = RecordDigest(value: try reader.getFixed())
  }
}
