internal import ActionCoding
internal import Sharing

/// What a `shared` record tells; its first byte.
enum SharedRecord: UInt8 {
  /// A reducer met a value that is new to its stream: the reference's number, the ordinal of the
  /// event within the action, the value (``SharedContent``).
  case met = 1
  /// Somebody else has changed a value: the reference's number, who (``SharedChangeOrigin``).
  case changed = 2
  /// What the reducer of the action before has done with shared values, see ``SharedTrace``. It is
  /// the last record of its reducer.
  case trace = 3
  /// A reducer is about to make the reference of a key, with its default, since none is in use: the
  /// reference's number, the ordinal of the event.
  case making = 4
  /// What a reference holds from here on: its number, the value (``SharedContent``).
  case value = 5
  /// The same for the action before, whose reducer has not run yet.
  case valueBefore = 6
  /// A reducer is about to get the reference of a key whose name others have, too: the reference's
  /// number, the ordinal of the event.
  case found = 7
  /// What a reference that the next action holds has held by then, so that the action can be read:
  /// its number, the value (``SharedContent``). The state before the action need not have it.
  case valueAhead = 8
  /// Somebody else has made a `Shared` that had the value of one reference have that of another: the
  /// numbers of both. A replay does not; why follows, in newer logs.
  case exchanged = 9
  /// The same, in a way that a replay can do (``SharedExchange``): from here on.
  case exchange = 10
  /// The same, with the action that comes next: before its reducer runs. The state before the action
  /// need not have it.
  case exchangeAhead = 11

  /// Whether a look for what the action before has left ends with it.
  static func isOfReducerOrNextAction(_ payload: UnsafeRawBufferPointer) -> Bool {
    self.isOfReducer(payload) || self.isOfNextAction(payload)
  }

  /// Whether it belongs to the action that comes next.
  static func isOfNextAction(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.first == Self.valueAhead.rawValue || payload.first == Self.exchangeAhead.rawValue
  }

  /// Whether it tells of something that the reducer did itself, which has its place among its reads.
  static func isOfReducer(_ payload: UnsafeRawBufferPointer) -> Bool {
    switch payload.first {
    case Self.met.rawValue, Self.trace.rawValue, Self.making.rawValue, Self.found.rawValue: true
    default: false
    }
  }
}

/// A shared value in the log: the number of its type, and 0 and its bytes, 1 and the reason why it is
/// not in the log, or 2, the paths of what was redacted, as a count and strings, and its bytes without
/// that.
struct SharedContent: Equatable {
  /// The number of the value's type.
  var type: Int
  /// What follows it.
  var bytes: [UInt8]

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.type = try reader.getInt("The number of a type")
    self.bytes = try reader.getBytes(reader.remaining)
  }

  /// The value's own bytes; `nil` where it is not in the log.
  var value: ArraySlice<UInt8>? {
    switch self.bytes.first {
    case 0: self.bytes.dropFirst()
    case 2: self.redaction.map { self.bytes.dropFirst(1 + $0.size) }
    default: nil
    }
  }

  /// The paths of what the value has only placeholders of.
  var redacted: [String] { self.bytes.first == 2 ? self.redaction?.paths ?? [] : [] }

  private var redaction: (paths: [String], size: Int)? {
    try? self.bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
      return (try reader.getPaths(), reader.offset)
    }
  }

  /// Why it is not in the log.
  var reasonForAbsence: String? {
    guard self.bytes.first == 1 else { return nil }
    return try? self.bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
      return try reader.getString()
    }
  }
}

extension RecordWriter {
  /// Writes a ``SharedContent``, as far as it may be in the log.
  mutating func put(
    _ value: Any, _ type: SharedReferenceTable.ValueType, _ gate: RecordingGate
  ) throws(RecordOverflow) {
    try self.put(varint: UInt64(type.number))
    let coding = type.coding
    guard coding.kind != .opaque else { return try self.put(absent: coding.reasonForOpaque) }
    let start = self
    do throws(RecordOverflow) {
      guard gate.isOpen else {
        let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
          try coding.encode(value, &writer)
        }
        switch gate.pass(bytes, schema: type.schema) {
        case .redacted(let bytes, let paths):
          try self.put(byte: 2)
          try self.put(paths: paths)
          try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
            try self.put(raw: raw)
          }
        case .whole(let bytes):
          try self.put(byte: 0)
          try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
            try self.put(raw: raw)
          }
        case .withheld(let reason):
          try self.put(absent: reason)
        }
        return
      }
      try self.put(byte: 0)
      try coding.encode(value, &self)
    } catch {
      guard error == .depth else { throw error }
      self = start
      try self.put(absent: "\(error)")
    }
  }

  private mutating func put(absent reason: String) throws(RecordOverflow) {
    try self.put(byte: 1)
    try self.put(string: reason)
  }
}

/// Who has changed a shared value, if not the reducers of its stream.
enum SharedChangeOrigin: Hashable, Sendable {
  /// Somebody in the program: a view, a task, an effect of which nothing more is known.
  case program
  /// An effect, of the action of this number.
  case effect(of: Int)
  /// The reducer of another store.
  case store
  /// The place that the key stands for: a first load, a file that was changed, another process.
  case place

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .program: try writer.put(byte: 0)
    case .effect(let number):
      try writer.put(byte: 1)
      try writer.put(varint: UInt64(number))
    case .store: try writer.put(byte: 2)
    case .place: try writer.put(byte: 3)
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getByte() {
    case 0: self = .program
    case 1: self = .effect(of: try reader.getInt("The number of an action"))
    case 2: self = .store
    case 3: self = .place
    default: throw reader.error("A shared value was changed by somebody who is not known here.")
    }
  }
}

/// A reference, as a stream has it.
struct SharedDefinition: Hashable, Sendable {
  /// The key that it belongs to; `nil` where it was made without one, and not by a reducer of the
  /// stream.
  var key: SharedKeyName?
  /// The number of its value's type.
  var type: Int

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.type))
    guard let key = self.key else { return try writer.put(byte: 0) }
    try writer.put(byte: 1)
    try writer.put(string: key.type)
    try writer.put(string: key.key)
  }

  init(key: SharedKeyName?, type: Int) {
    self.key = key
    self.type = type
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.type = try reader.getInt("The number of a type")
    guard try reader.getByte() != 0 else { return }
    self.key = SharedKeyName(type: try reader.getString(), key: try reader.getString())
  }
}

/// How references are numbered: those that a reducer makes without a key are counted by themselves,
/// since a replay makes them in the same order; all others are defined in the log.
enum SharedNumber {
  static func defined(_ index: Int) -> Int { 2 * index }
  static func made(_ index: Int) -> Int { 2 * index + 1 }
  static func isMade(_ number: Int) -> Bool { number % 2 == 1 }
}
