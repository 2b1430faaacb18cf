internal import ActionCoding

/// The payload of a `digest` record: the number of an action, and the digest of the state after it.
///
/// The digest is that of the state's bytes as a `state` record would hold them and of the shared
/// values that the state uses: 8 bytes, little-endian. A ``DigestDetail`` may follow.
struct DigestPayload: Equatable {
  var number: Int
  var digest: RecordDigest
  var detail: DigestDetail?

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.number))
    try writer.put(fixed: self.digest.value)
    try self.detail?.put(number: self.number, to: &writer)
  }

  init(number: Int, digest: StateDigest) {
    self.number = number
    self.digest = digest.digest
    self.detail = digest.detail
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.number = try reader.getInt("A digest's action number")
    self.digest = RecordDigest(value: try reader.getFixed())
    // Logs of earlier versions end here.
    if reader.remaining > 0 {
      self.detail = try DigestDetail(number: self.number, from: &reader)
    }
  }
}

/// What a digest record says of a state.
struct StateDigest: Equatable {
  var digest: RecordDigest
  var detail: DigestDetail?
}
