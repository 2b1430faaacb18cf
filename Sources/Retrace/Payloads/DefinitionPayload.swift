internal import ActionCoding

/// Something that reducers read, as a stream has it: its name and how its values are written.
struct ReadDefinition: Hashable, Sendable {
  var name: String
  /// That of the arguments, where it takes some.
  var arguments: RecordSchema?
  var value: RecordSchema
}

/// The payload of a `definition` record: what later records of the stream name by its number.
///
/// A tag, the number (each tag counts its own, from 0 in each stream), and:
/// - 0, a place where effects are made: 1 and the name or 0, the file, the line;
/// - 1, something that is read: its name, its arguments' schema (counted; empty for none), its
///   value's schema (counted);
/// - 2, a shared reference: see ``SharedDefinition``;
/// - 3, a type of shared values: its schema (counted).
enum DefinitionPayload: Equatable {
  case site(Int, EffectSite)
  case read(Int, ReadDefinition)
  case shared(Int, SharedDefinition)
  case sharedType(Int, RecordSchema)
  /// One of a tag that is not for this type.
  case other

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .site(let number, let site):
      try writer.put(byte: 0)
      try writer.put(varint: UInt64(number))
      try site.put(to: &writer)
    case .read(let number, let definition):
      try writer.put(byte: 1)
      try writer.put(varint: UInt64(number))
      try writer.put(string: definition.name)
      for schema in [definition.arguments, definition.value] {
        let bytes = try schema?.bytes() ?? []
        try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
          try writer.put(counted: raw)
        }
      }
    case .shared(let number, let definition):
      try writer.put(byte: 2)
      try writer.put(varint: UInt64(number))
      try definition.put(to: &writer)
    case .sharedType(let number, let schema):
      try writer.put(byte: 3)
      try writer.put(varint: UInt64(number))
      let bytes = try schema.bytes()
      try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(counted: raw)
      }
    case .other:
      break
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getByte() {
    case 0:
      let number = try reader.getInt("A place's number")
      self = .site(number, try EffectSite(from: &reader))
    case 1:
      let number = try reader.getInt("A read's number")
      let name = try reader.getString()
      let arguments = try reader.getCounted()
      self = .read(
        number,
        ReadDefinition(
          name: name, arguments: arguments.isEmpty ? nil : try RecordSchema(bytes: arguments),
          value: try RecordSchema(bytes: try reader.getCounted())))
    case 2:
      let number = try reader.getInt("A shared reference's number")
      self = .shared(number, try SharedDefinition(from: &reader))
    case 3:
      let number = try reader.getInt("The number of a shared value's type")
      self = .sharedType(number, try RecordSchema(bytes: try reader.getCounted()))
    default:
      self = .other
    }
  }
}

extension EffectSite {
  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    if let name = self.name {
      try writer.put(byte: 1)
      try writer.put(string: name)
    } else {
      try writer.put(byte: 0)
    }
    try writer.put(string: self.fileID)
    try writer.put(varint: UInt64(self.line))
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let hasName = try reader.getByte() != 0
    let name = hasName ? try reader.getString() : nil
    let fileID = try reader.getString()
    self.init(name: name, fileID: fileID, line: UInt(try reader.getVarint()))
  }
}

extension RecordReader {
  /// A count or a number, which is no larger than an `Int` holds.
  mutating func getInt(_ what: String) throws(RecordDecodingError) -> Int {
    guard let value = Int(exactly: try self.getVarint()) else {
      throw self.error("\(what) is too large.")
    }
    return value
  }
}
