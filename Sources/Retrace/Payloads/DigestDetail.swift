internal import ActionCoding

/// What stands behind a digest, so that a replay with another one can tell what differs: the state's
/// bytes, by what has changed since an earlier one, or where that is much, digests of its parts.
///
/// A byte says which, and one that is not known here is passed over with what follows.
enum DigestDetail: Equatable {
  case change(StateChange)
  case parts(StateParts)

  /// - Parameter number: That of the action after which the state is.
  func put(number: Int, to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .change(let change):
      try writer.put(byte: 1)
      try writer.put(varint: UInt64(number - change.base))
      try writer.put(varint: UInt64(change.start))
      try writer.put(varint: UInt64(change.end))
      try change.bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(counted: raw)
      }
    case .parts(let parts):
      try writer.put(byte: 2)
      try writer.put(varint: UInt64(parts.fields.count))
      for digest in parts.fields { try writer.put(fixed: digest) }
      for (shared, digest) in parts.shared.sorted(by: { $0.key < $1.key }) {
        try writer.put(varint: UInt64(shared))
        try writer.put(fixed: digest)
      }
    }
  }

  /// - Returns: `nil` for one of a kind that is not known here.
  init?(number: Int, from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getByte() {
    case 1:
      let distance = try reader.getInt("The distance of a changed state")
      guard distance <= number else {
        throw reader.error("A state has changed since one before the first.")
      }
      self = .change(
        StateChange(
          base: number - distance, start: try reader.getInt("The start of a change"),
          end: try reader.getInt("The end of a change"), bytes: Array(try reader.getCounted())))
    case 2:
      var parts = StateParts()
      let count = try reader.getInt("The count of a state's parts")
      guard count <= StateParts.fieldLimit else {
        throw reader.error("A state has \(count) parts; \(StateParts.fieldLimit) are the limit.")
      }
      for _ in 0..<count { parts.fields.append(try reader.getFixed()) }
      while reader.remaining > 0 {
        let shared = try reader.getInt("The number of a shared value")
        parts.shared[shared] = try reader.getFixed()
      }
      self = .parts(parts)
    default:
      return nil
    }
  }
}

/// How the bytes of one state become those of another.
struct StateChange: Equatable {
  /// The number of the action after which the other one is.
  var base: Int
  /// How many bytes the two have in common at the start, and how many of the rest at the end.
  var start: Int
  var end: Int
  /// What stands between them.
  var bytes: [UInt8]

  /// The most bytes that are written between, so that a digest takes no more than a few actions do;
  /// of a state in which more has changed the parts' digests are written.
  static let byteLimit = 1_024

  init(base: Int, start: Int, end: Int, bytes: [UInt8]) {
    self.base = base
    self.start = start
    self.end = end
    self.bytes = bytes
  }

  /// What leads from bytes to others; `nil` where that is more than is written.
  init?(from old: [UInt8], after base: Int, to new: [UInt8]) {
    let start = commonPrefix(old, new)
    let end = commonSuffix(old, new, beyond: start)
    guard new.count - start - end <= Self.byteLimit else { return nil }
    self.init(base: base, start: start, end: end, bytes: Array(new[start..<new.count - end]))
  }

  /// The bytes that these have become; `nil` where they are too few to be those that have.
  func applied(to old: [UInt8]) -> [UInt8]? {
    guard self.start <= old.count, self.end <= old.count - self.start else { return nil }
    return Array(old[..<self.start]) + self.bytes + Array(old[(old.count - self.end)...])
  }
}

/// Digests of what a state is made of, 32 bits of each.
struct StateParts: Equatable {
  /// The most fields that are written.
  static let fieldLimit = 256

  /// Those of the state's stored properties, in their order.
  var fields: [UInt32] = []
  /// Those of the shared values that it uses, by their numbers.
  var shared: [Int: UInt32] = [:]

  init() {}

  /// - Parameters:
  ///   - bytes: Those of a state, and of the shared values behind it.
  ///   - schema: The state's.
  init(of bytes: [UInt8], _ schema: RecordSchema) throws(RecordDecodingError) {
    let (fields, end) = try schema.fieldRanges(in: bytes)
    self.fields = fields.prefix(Self.fieldLimit).map { Self.digest(bytes[$0.range]) }
    self.shared = try sharedParts(of: bytes[end...]).mapValues { Self.digest($0) }
  }

  private static func digest(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: bytes.withUnsafeBytes { RecordDigest(of: $0).value })
  }
}

/// The shared values that stand behind a state's bytes for its digest, by their numbers.
func sharedParts(
  of bytes: ArraySlice<UInt8>
) throws(RecordDecodingError) -> [Int: ArraySlice<UInt8>] {
  var parts: [Int: ArraySlice<UInt8>] = [:]
  let all = Array(bytes)
  try all.span.bytes.withUnsafeBytes { (raw) throws(RecordDecodingError) in
    var reader = RecordReader(raw)
    while reader.remaining > 0 {
      let number = try reader.getInt("The number of a shared value")
      parts[number] = Array(try reader.getCounted())[...]
    }
  }
  return parts
}

/// How many bytes two begin with in common.
private func commonPrefix(_ first: [UInt8], _ second: [UInt8]) -> Int {
  first.withUnsafeBytes { first in
    second.withUnsafeBytes { second in
      let count = min(first.count, second.count)
      var index = 0
      // Eight at a time, up to the eight in which they differ.
      while index + 8 <= count,
        first.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          == second.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      { index += 8 }
      while index < count, first[index] == second[index] { index += 1 }
      return index
    }
  }
}

/// How many bytes two end with in common, without those at their start.
private func commonSuffix(_ first: [UInt8], _ second: [UInt8], beyond start: Int) -> Int {
  first.withUnsafeBytes { first in
    second.withUnsafeBytes { second in
      let count = min(first.count, second.count) - start
      var length = 0
      while length + 8 <= count,
        first.loadUnaligned(fromByteOffset: first.count - length - 8, as: UInt64.self)
          == second.loadUnaligned(fromByteOffset: second.count - length - 8, as: UInt64.self)
      { length += 8 }
      while length < count,
        first[first.count - 1 - length] == second[second.count - 1 - length]
      { length += 1 }
      return length
    }
  }
}
