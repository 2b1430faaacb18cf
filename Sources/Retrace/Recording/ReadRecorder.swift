internal import ActionCoding
internal import ActionLog
internal import ComposableArchitecture
internal import Dependencies

/// Writes what a stream's reducers read from outside.
///
/// Called by the reducer itself, on the store's thread alone.
final class ReadRecorder: ReadSession, @unchecked Sendable {
  /// Appends a record to the stream.
  typealias Append = (RecordKind, (UnsafeMutableRawBufferPointer) -> Int?) -> Void

  /// Values of at least so many bytes are compared with the last one before they are written again:
  /// a calendar is mostly the same, a date never.
  static let repeatedSize = 24

  /// What is known of a key.
  private final class Known {
    let number: Int
    /// Kept alive, since it is found by its identity.
    let key: AnyObject
    /// How the value is written; the arguments' form the key tells.
    let schema: RecordSchema
    var last: [UInt8] = []

    init(number: Int, key: AnyObject, schema: RecordSchema) {
      self.number = number
      self.key = key
      self.schema = schema
    }
  }

  var definitions = Definitions()
  private var known: [ObjectIdentifier: Known] = [:]
  private let gate: RecordingGate
  private let append: Append

  init(gate: RecordingGate, append: @escaping Append) {
    self.gate = gate
    self.append = append
  }

  func read<Value>(
    _ key: _ReadKey<Value>, arguments: _ReadArguments?, live: () -> Result<Value, any Error>
  ) -> Result<Value, any Error>? {
    let result = live()
    let known = self.known(key)
    guard self.gate.isOpen else {
      self.appendThroughGate(result, of: key, known, arguments)
      return result
    }
    self.append(.read) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        try self.put(result, of: key, known, arguments, to: &writer, in: buffer)
        return writer.count
      } catch {
        guard error != .space else { return nil }
        return Self.absent("\(error)", known.number, key, buffer)
      }
    }
    return result
  }

  private func put<Value>(
    _ result: Result<Value, any Error>, of key: _ReadKey<Value>, _ known: Known,
    _ arguments: _ReadArguments?, to writer: inout RecordWriter,
    in buffer: UnsafeMutableRawBufferPointer
  ) throws(RecordOverflow) {
    let start = writer
    let kind = key.coder.kind
    try writer.put(varint: UInt64(known.number))
    switch result {
    case .success where kind == .opaque:
      try writer.put(byte: ReadForm.absent.rawValue)
      try self.put(arguments, of: key, to: &writer)
      try writer.put(string: "Values of '\(Value.self)' have no form in bytes.")
    case .success(let value):
      try writer.put(byte: ReadForm.value.rawValue)
      try self.put(arguments, of: key, to: &writer)
      let size = writer.count
      try key.coder.encode(value, to: &writer)
      guard writer.count - size >= Self.repeatedSize else { return }
      let bytes = buffer[size..<writer.count]
      guard bytes.elementsEqual(known.last) else {
        known.last = Array(bytes)
        return
      }
      writer = start
      try writer.put(varint: UInt64(known.number))
      try writer.put(byte: ReadForm.same.rawValue)
      try self.put(arguments, of: key, to: &writer)
    case .failure(let error):
      try writer.put(byte: ReadForm.error.rawValue)
      try self.put(arguments, of: key, to: &writer)
      try writer.put(string: recordedName(ofError: error))
      try writer.put(string: String(describing: error))
    }
  }

  /// Writes a read of which something may have to be taken out.
  private func appendThroughGate<Value>(
    _ result: Result<Value, any Error>, of key: _ReadKey<Value>, _ known: Known,
    _ arguments: _ReadArguments?
  ) {
    var redacted: [String] = []
    var withheld: String?
    var texts: [OpaqueText] = []
    func pass(_ bytes: [UInt8], _ schema: RecordSchema) -> [UInt8] {
      switch self.gate.pass(bytes, schema: schema) {
      case .whole(let bytes): return bytes
      case .redacted(let bytes, let paths):
        redacted += paths
        return bytes
      case .withheld(let reason):
        withheld = reason
        return []
      }
    }
    let payload = encodePayload { (writer) throws(RecordOverflow) in
      var asked: [UInt8] = []
      var answer: [UInt8] = []
      var form = ReadForm.value
      if let schema = key.argumentsSchema, let arguments {
        asked = pass(
          try RecordWriter.bytes { (writer) throws(RecordOverflow) in
            try arguments.write(&writer)
          }, schema)
      }
      let hidesArguments = !redacted.isEmpty || withheld != nil
      switch result {
      case .success(let value) where key.coder.kind != .opaque:
        let before = redacted.count
        let bytes = try key.coder.bytes(of: value)
        answer = pass(bytes, known.schema)
        if withheld == nil {
          texts = self.gate.dumps(
            of: value, key.coder, known.schema, bytes: bytes, hidden: Array(redacted[before...]))
        }
      case .success(let value):
        withheld = "Values of '\(Value.self)' have no form in bytes."
        texts = self.gate.dumps(of: value, key.coder, known.schema, bytes: [])
      case .failure(let error):
        form = .error
        answer = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
          try writer.put(string: recordedName(ofError: error))
          try writer.put(string: self.gate.pass(error: String(describing: error)))
        }
      }
      if let reason = withheld {
        form = .absent
        answer = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
          try writer.put(string: reason)
        }
      }
      try writer.put(varint: UInt64(known.number))
      try writer.put(byte: form.rawValue | (hidesArguments ? ReadForm.redactedArguments : 0))
      if key.argumentsSchema != nil {
        try asked.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
          try writer.put(counted: raw)
        }
      }
      try answer.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(raw: raw)
      }
    }
    self.append(.read, copying(payload))
    if !redacted.isEmpty { self.append(.note, copying(NotePayload.redacted(redacted).bytes)) }
    if !texts.isEmpty { self.append(.note, copying(NotePayload.texts(texts).bytes)) }
  }

  private func put<Value>(
    _ arguments: _ReadArguments?, of key: _ReadKey<Value>, to writer: inout RecordWriter
  ) throws(RecordOverflow) {
    guard key.argumentsSchema != nil else { return }
    let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
      try arguments?.write(&writer)
    }
    try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
      try writer.put(counted: raw)
    }
  }

  private static func absent<Value>(
    _ reason: String, _ number: Int, _ key: _ReadKey<Value>, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var writer = RecordWriter(buffer)
    do throws(RecordOverflow) {
      try writer.put(varint: UInt64(number))
      try writer.put(byte: ReadForm.absent.rawValue)
      if key.argumentsSchema != nil { try writer.put(varint: 0) }
      try writer.put(string: reason)
      return writer.count
    } catch {
      return nil
    }
  }

  /// Writes every value whole once more: reading may begin here, without what came before.
  func restart() {
    for known in self.known.values { known.last = [] }
  }

  /// What is known of a key; a new one is defined in the log.
  private func known<Value>(_ key: _ReadKey<Value>) -> Known {
    if let known = self.known[ObjectIdentifier(key)] { return known }
    let definition = ReadDefinition(
      name: key.name, arguments: key.argumentsSchema, value: key.coder.schema)
    let (number, new) = self.definitions.number(of: definition)
    if let new {
      let payload = encodePayload { (writer) throws(RecordOverflow) in try new.put(to: &writer) }
      self.append(.definition, copying(payload))
    }
    let known = Known(number: number, key: key, schema: definition.value)
    self.known[ObjectIdentifier(key)] = known
    return known
  }
}

/// The name of an error's type, with its nesting.
func recordedName(ofError error: any Error) -> String {
  shortTypeName(type(of: error))
}
