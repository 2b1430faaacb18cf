internal import ActionCoding

/// The payload of a `close` record, which ends a stream: how many actions it had.
struct ClosePayload: Equatable {
  var actionCount: Int

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.actionCount))
  }

  init(actionCount: Int) {
    self.actionCount = actionCount
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    guard let count = Int(exactly: try reader.getVarint()) else {
      throw reader.error("The number of actions in a close record is too large.")
    }
    self.actionCount = count
  }
}
