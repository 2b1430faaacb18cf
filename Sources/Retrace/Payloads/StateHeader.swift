internal import ActionCoding

/// What stands before the value in a state's record.
///
/// The number of the action that led to the state (0: the initial one) and a byte: 0, the state could
/// not be encoded, and the reason follows, as a string; 1, the value follows; 2, the value follows
/// without what was redacted, whose paths come first, as a count and strings. Then come the shared
/// values, ``SharedValues``.
struct StateHeader: Equatable {
  var number: Int
  /// Why there is no value; `nil` where there is one.
  var reasonForAbsence: String?
  /// The paths of what was taken out of the value.
  var redacted: [String] = []

  init(number: Int, reasonForAbsence: String? = nil, redacted: [String] = []) {
    self.number = number
    self.reasonForAbsence = reasonForAbsence
    self.redacted = redacted
  }

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.number))
    if let reason = self.reasonForAbsence {
      try writer.put(byte: 0)
      try writer.put(string: reason)
      return
    }
    if self.redacted.isEmpty {
      try writer.put(byte: 1)
    } else {
      try writer.put(byte: 2)
      try writer.put(paths: self.redacted)
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.number = try reader.getInt("A state's action number")
    switch try reader.getByte() {
    case 0:
      self.reasonForAbsence = try reader.getString()
    case 1: break
    case 2: self.redacted = try reader.getPaths()
    default: throw reader.error("A state is of a form that is not known here.")
    }
  }
}

/// The most paths that are written of what was redacted in one value, and read.
private let pathLimit = 1_024

extension RecordWriter {
  mutating func put(paths: [String]) throws(RecordOverflow) {
    try self.put(varint: UInt64(min(paths.count, pathLimit)))
    for path in paths.prefix(pathLimit) { try self.put(string: path) }
  }
}

extension RecordReader {
  mutating func getPaths() throws(RecordDecodingError) -> [String] {
    let count = try self.getInt("The count of redacted paths")
    guard count <= pathLimit else {
      throw self.error("There are \(count) paths of what was redacted; \(pathLimit) are the limit.")
    }
    var paths: [String] = []
    for _ in 0..<count { paths.append(try self.getString()) }
    return paths
  }
}
