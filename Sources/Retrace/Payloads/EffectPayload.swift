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
/// - 0, a new place, as logs had it before there were `definition` records;
/// - 1, an effect started: the number of its place. It belongs to the stream's action before it, and
///   is the next of that action's effects;
/// - 2, 3, 4, an effect finished, was cancelled, failed: the distance from the last action's number
///   back to that of the effect's action, the effect's index, and for a failure its text;
/// - 5, an effect started that had waited for another one of its action: the same distance, and the
///   number of its place;
/// - 6, an action that the reducer of the action before it sent was not sent, since what it belongs
///   to was cancelled: which one of those that it sent at once, counted from 0. Older logs end before
///   that number.
enum EffectPayload: Equatable {
  case site(Int, EffectSite)
  case start(site: Int)
  case end(distance: Int, index: Int, EffectEnd)
  case delayedStart(distance: Int, site: Int)
  case notSent(ordinal: Int?)

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .site(let number, let site):
      try writer.put(byte: 0)
      try writer.put(varint: UInt64(number))
      try site.put(to: &writer)
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
    case .delayedStart(let distance, let site):
      try writer.put(byte: 5)
      try writer.put(varint: UInt64(distance))
      try writer.put(varint: UInt64(site))
    case .notSent(let ordinal):
      try writer.put(byte: 6)
      if let ordinal { try writer.put(varint: UInt64(ordinal)) }
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let what = "A number in an effect's record"
    let tag = try reader.getByte()
    switch tag {
    case 0:
      let number = try reader.getInt(what)
      self = .site(number, try EffectSite(from: &reader))
    case 1:
      self = .start(site: try reader.getInt(what))
    case 2, 3, 4:
      let distance = try reader.getInt(what)
      let index = try reader.getInt(what)
      let end: EffectEnd =
        tag == 2 ? .finished : tag == 3 ? .cancelled : .failed(try reader.getString())
      self = .end(distance: distance, index: index, end)
    case 5:
      let distance = try reader.getInt(what)
      self = .delayedStart(distance: distance, site: try reader.getInt(what))
    case 6:
      self = .notSent(ordinal: reader.remaining > 0 ? try reader.getInt(what) : nil)
    default:
      throw reader.error("An effect's record has the tag \(tag), which is not known here.")
    }
  }
}
