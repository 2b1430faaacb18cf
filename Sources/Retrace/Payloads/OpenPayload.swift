internal import ActionCoding

/// The payload of an `open` record: facts about the program and what it runs on, by name.
///
/// A count, then name and value of each, as strings; sorted by name.
struct OpenPayload: Equatable {
  /// The most facts that are read.
  static let factLimit = 1_024

  var facts: [String: String]

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.facts.count))
    for (name, value) in self.facts.sorted(by: { $0.key < $1.key }) {
      try writer.put(string: name)
      try writer.put(string: value)
    }
  }

  init(facts: [String: String]) {
    self.facts = facts
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let count = try reader.getVarint()
    guard count <= Self.factLimit else {
      throw reader.error("An open record holds \(count) facts; \(Self.factLimit) are the limit.")
    }
    self.facts = [:]
    for _ in 0..<count {
      let name = try reader.getString()
      self.facts[name] = try reader.getString()
    }
  }
}
