internal import ActionCoding
internal import ComposableArchitecture

/// What stands before the value in an action's record: who sent it, and whether there is a value.
///
/// One varint. Its lowest two bits are the origin: 0 user, 1 effect, 2 observer, 3 the reducer of
/// another action, by an effect that had nothing to wait for; the third says
/// that the value could not be encoded, and that the reason stands in its place; the others are the
/// distance from the action's number back to the action that the origin names, and 0 for `user`.
/// Numbers themselves are not written: they follow from the order of the records.
struct ActionHeader: Equatable {
  var origin: ActionOrigin
  var isAbsent = false

  /// The bit of the word that says that there is no value.
  static let absentBit: UInt64 = 4

  /// The varint that is written, for the action of a number.
  func word(number: Int) -> UInt64 {
    let absent: UInt64 = self.isAbsent ? Self.absentBit : 0
    return switch self.origin {
    case .user: absent
    case .effect(let start): UInt64(number - start) << 3 | absent | 1
    case .observer(let running): UInt64(number - running) << 3 | absent | 2
    case .action(let sender): UInt64(number - sender) << 3 | absent | 3
    }
  }

  func put(number: Int, to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: self.word(number: number))
  }

  init(origin: ActionOrigin, isAbsent: Bool = false) {
    self.origin = origin
    self.isAbsent = isAbsent
  }

  init(number: Int, from reader: inout RecordReader) throws(RecordDecodingError) {
    let word = try reader.getVarint()
    guard let distance = Int(exactly: word >> 3), distance <= number else {
      throw reader.error("An action's origin lies before the first action.")
    }
    self.isAbsent = word & 4 != 0
    switch word & 3 {
    case 0: self.origin = .user
    case 1: self.origin = .effect(startedBy: number - distance)
    case 2: self.origin = .observer(during: number - distance)
    default: self.origin = .action(number - distance)
    }
  }
}
