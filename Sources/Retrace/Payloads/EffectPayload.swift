internal import ActionCoding
internal import ComposableArchitecture

/// The place where effects are made, and their name: what repeats from one to the next.
struct EffectSite: Hashable, Sendable {
  var name: String?
  var fileID: String
  var line: UInt
}

/// The payload of an `effect` record.
///
/// A tag, then:
/// - 0, a new place: its number (counted from 0 in each stream), 1 and the name or 0, the file, the line;
/// - 1, an effect started: the number of its place. It belongs to the stream's action before it, and
///   is the next of that action's effects;
/// - 2, 3, 4, an effect finished, was cancelled, failed: the distance from the last action's number
///   back to that of the effect's action, the effect's index, and for a failure its text.
enum EffectPayload: Equatable {
  case site(Int, EffectSite)
  case start(site: Int)
  case end(distance: Int, index: Int, EffectEnd)

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .site(let number, let site):
      try writer.put(byte: 0)
      try writer.put(varint: UInt64(number))
      if let name = site.name {
        try writer.put(byte: 1)
        try writer.put(string: name)
      } else {
        try writer.put(byte: 0)
      }
      try writer.put(string: site.fileID)
      try writer.put(varint: UInt64(site.line))
    case .start(let site):
      try writer.put(byte: 1)
      try writer.put(varint: UInt64(site))
    case .end(let distance, let index, let end):
      switch end {
      case .finished: try writer.put(byte: 2)
      case .cancelled: try writer.put(byte: 3)
      case .failed: try writer.put(byte: 4)
      }
      try writer.put(varint: UInt64(distance))
      try writer.put(varint: UInt64(index))
      if case .failed(let text) = end { try writer.put(string: text) }
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let tag = try reader.getByte()
    switch tag {
    case 0:
      let number = try Self.int(&reader)
      let hasName = try reader.getByte() != 0
      let name = hasName ? try reader.getString() : nil
      let fileID = try reader.getString()
      let line = try reader.getVarint()
      self = .site(number, EffectSite(name: name, fileID: fileID, line: UInt(line)))
    case 1:
      self = .start(site: try Self.int(&reader))
    case 2, 3, 4:
      let distance = try Self.int(&reader)
      let index = try Self.int(&reader)
      let end: EffectEnd =
        tag == 2 ? .finished : tag == 3 ? .cancelled : .failed(try reader.getString())
      self = .end(distance: distance, index: index, end)
    default:
      throw reader.error("An effect's record has the tag \(tag), which is not known here.")
    }
  }

  private static func int(_ reader: inout RecordReader) throws(RecordDecodingError) -> Int {
    guard let value = Int(exactly: try reader.getVarint()) else {
      throw reader.error("A number in an effect's record is too large.")
    }
    return value
  }
}
