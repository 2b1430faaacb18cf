internal import ActionCoding

/// What stands before the value in a state's record.
///
/// The number of the action that led to the state (0: the initial one), a byte that says whether
/// the value follows (1) or could not be encoded (0, followed by the reason), and the table of
/// shared values: a count, which is 0 in this version.
enum StateHeader: Equatable {
  case value(number: Int)
  case absent(number: Int, reason: String)

  var number: Int {
    switch self {
    case .value(let number), .absent(let number, _): number
    }
  }

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.number))
    switch self {
    case .value:
      try writer.put(byte: 1)
      try writer.put(varint: 0)
    case .absent(_, let reason):
      try writer.put(byte: 0)
      try writer.put(string: reason)
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    guard let number = Int(exactly: try reader.getVarint()) else {
      throw reader.error("A state's action number is too large.")
    }
    switch try reader.getByte() {
    case 0:
      self = .absent(number: number, reason: try reader.getString())
    case 1:
      guard try reader.getVarint() == 0 else {
        throw reader.error("A state comes with shared values, which this version does not read.")
      }
      self = .value(number: number)
    default:
      throw reader.error("A state is of a form that is not known here.")
    }
  }
}
