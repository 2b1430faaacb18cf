public import ActionCoding
internal import Dependencies

// A reference is written as its number in the log, where there is one; its value stands in a table
// beside it. Without a log, as in a test or for somebody who looks, the value stands in its place.

/// The name of every shared value's type in schemas; no type of a program can have it.
package let sharedTypeName = "@Shared"

/// How a reference is written.
private enum SharedForm: UInt64 {
  /// Its value, in its place.
  case value = 0
  /// The numbers of the reference and of the box, which copies share.
  case reference = 1
  /// The same, the steps that lead from the reference to the part, and the part's value.
  case part = 2
}

extension Shared: Recordable {
  /// Writes the reference, or the value where no log is written.
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    if let coding = SharedCoding.current, coding.passes(box) { return }
    // Looked at first: whoever exchanges it meanwhile has told the coder before.
    let present: any MutableReference<Value> = reference
    if let kept = SharedCoding.current?.content(of: box) as? any Reference<Value> {
      try writer.put(kept, in: box)
    } else {
      try writer.put(present, in: box)
    }
  }

  /// Reads a reference: one of its own for each log that is replayed.
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try SharedForm(from: &reader) {
    case .value:
      // The bytes are all there is of the value.
      nonisolated(unsafe) let value: Value = try reader.getShared(Value.self)
      self.init(value: value)
    case .reference:
      let (coder, number, boxNumber) = try reader.getReference()
      let root = try coder.reference(number, as: Value.self, at: reader)
      guard let root = root as? RootReference<Value> else { throw reader.otherType(Value.self) }
      let new = SharedBox(root)
      guard let box = coder.box(boxNumber, new: new) as? SharedBox<Value> else {
        throw reader.otherType(Value.self)
      }
      self.init(box: box)
    case .part:
      let (coder, number, boxNumber) = try reader.getReference()
      let steps = try reader.getSteps()
      nonisolated(unsafe) let value: Value = try reader.getShared(Value.self)
      let new = SharedBox(
        RootReference(value, place: SourcePlace(#fileID, #filePath, #line, #column)))
      guard let box = coder.box(boxNumber, new: new) as? SharedBox<Value> else {
        throw reader.otherType(Value.self)
      }
      self.init(box: box)
      guard box === new else { return }
      coder.whenRead(number) { root in
        guard let root = root as? any MutableReference else { return describe(steps) }
        let part: (any MutableReference)? = root.derived(steps, last: value)
        guard let part = part as? any MutableReference<Value> else { return describe(steps) }
        box.reference = part
        return nil
      }
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .shared(Value.self, in: &schema) }
}

extension SharedReader: Recordable {
  /// Writes the reference, or the value where no log is written.
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    if let coding = SharedCoding.current, coding.passes(box) { return }
    // Looked at first: whoever exchanges it meanwhile has told the coder before.
    let present: any Reference<Value> = reference
    if let kept = SharedCoding.current?.content(of: box) as? any Reference<Value> {
      try writer.put(kept, in: box)
    } else {
      try writer.put(present, in: box)
    }
  }

  /// Reads a reference: one of its own for each log that is replayed.
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try SharedForm(from: &reader) {
    case .value:
      nonisolated(unsafe) let value: Value = try reader.getShared(Value.self)
      self.init(value: value)
    case .reference:
      let (coder, number, boxNumber) = try reader.getReference()
      let root = try coder.reference(number, as: Value.self, at: reader)
      guard let root = root as? RootReference<Value> else { throw reader.otherType(Value.self) }
      let new = SharedReaderBox<Value>(root)
      guard let box = coder.box(boxNumber, new: new) as? SharedReaderBox<Value> else {
        throw reader.otherType(Value.self)
      }
      self.init(box: box)
    case .part:
      let (coder, number, boxNumber) = try reader.getReference()
      let steps = try reader.getSteps()
      nonisolated(unsafe) let value: Value = try reader.getShared(Value.self)
      let new = SharedReaderBox<Value>(
        RootReference(value, place: SourcePlace(#fileID, #filePath, #line, #column)))
      guard let box = coder.box(boxNumber, new: new) as? SharedReaderBox<Value> else {
        throw reader.otherType(Value.self)
      }
      self.init(box: box)
      guard box === new else { return }
      coder.whenRead(number) { root in
        guard let root = root as? any Reference else { return describe(steps) }
        let part: (any Reference)? = root.readDerived(steps, last: value)
        guard let part = part as? any Reference<Value> else { return describe(steps) }
        box.reference = part
        return nil
      }
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .shared(Value.self, in: &schema) }
}

// MARK: - Forms

extension RecordSchema.Definition {
  fileprivate static func shared<Value>(
    _ type: Value.Type, in schema: inout RecordSchemaBuilder
  ) -> Self {
    let value: Int = schema.shared(type)
    let number: Int = schema.type(UInt64.self)
    let steps: Int = schema.type([String].self)
    return .enumeration(
      name: sharedTypeName,
      cases: [
        .init(index: SharedForm.value.rawValue, name: "value", fields: [.init("_0", value)]),
        .init(
          index: SharedForm.reference.rawValue, name: "reference",
          fields: [.init("number", number), .init("box", number)]),
        .init(
          index: SharedForm.part.rawValue, name: "part",
          fields: [
            .init("number", number), .init("box", number), .init("steps", steps),
            .init("value", value),
          ]),
      ])
  }
}

extension RecordSchemaBuilder {
  fileprivate mutating func shared<Value>(_ type: Value.Type) -> RecordSchema.TypeIndex {
    if let type = type as? any Recordable.Type { return self.type(type) }
    if let type = type as? any (Decodable & Encodable).Type { return bridged(type) }
    return opaque(type, reason: "The type is neither Recordable nor Codable.")
  }
}

extension RecordSchemaBuilder {
  private mutating func bridged<T: Codable>(_ type: T.Type) -> RecordSchema.TypeIndex {
    self.type(generic: RecordFieldType(type))
  }
}

extension SharedForm {
  fileprivate init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let form: UInt64 = try reader.getCase()
    guard let known = SharedForm(rawValue: form) else {
      throw reader.unknownCase(form, of: sharedTypeName)
    }
    self = known
  }
}

extension RecordWriter {
  fileprivate mutating func put<Value>(
    _ reference: some Reference<Value>, in box: any ExchangeableBox
  ) throws(RecordOverflow) {
    let coder = ValueCoder<Value>()
    guard let coding = SharedCoding.current, let root = reference.root,
      let (number, value) = coding.number(of: root),
      let (steps, part) = reference.derivation(from: value)
    else {
      try put(byte: UInt8(SharedForm.value.rawValue))
      // A shared value may hold itself.
      try descend()
      // Whoever writes is no reducer.
      try coder.encode(ReducerReads.without { reference.wrappedValue }, to: &self)
      ascend()
      return
    }
    let form: SharedForm = steps.isEmpty ? .reference : .part
    try put(byte: UInt8(form.rawValue))
    try put(varint: UInt64(number))
    try put(varint: UInt64(coding.number(of: box)))
    guard form == .part else { return }
    try steps.map(\.text).encode(to: &self)
    try coder.encode(part, to: &self)
  }
}

extension RecordReader {
  fileprivate mutating func getReference() throws(RecordDecodingError) -> (
    coder: any SharedCoder, number: Int, box: Int
  ) {
    guard let number = Int(exactly: try getVarint()), let box = Int(exactly: try getVarint()) else {
      throw error("The number of a shared value is too large.")
    }
    guard let coder = SharedCoding.current else {
      throw error(
        """
        A shared value is written as the reference \(number) of its log, and can't be read without \
        the log.
        """)
    }
    return (coder, number, box)
  }

  fileprivate mutating func getShared<Value>(
    _ type: Value.Type
  ) throws(RecordDecodingError) -> Value {
    try descend()
    let value: Value = try ValueCoder<Value>().decode(from: &self)
    ascend()
    return value
  }

  fileprivate mutating func getSteps() throws(RecordDecodingError) -> [DerivationStep] {
    var steps: [DerivationStep] = []
    for text in try [String](from: &self) { steps.append(DerivationStep(text)) }
    return steps
  }

  fileprivate func otherType<Value>(_ type: Value.Type) -> RecordDecodingError {
    error(
      """
      The recorded shared value is of another type than 'Shared<\(_typeName(type, qualified: false))>'.
      """)
  }
}

// MARK: - Steps

extension DerivationStep {
  /// The step as text: its kind's letter, and what belongs to it.
  var text: String {
    switch self {
    case .member(let names): ".\(names)"
    case .element(let id):
      "#" + id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    case .unwrapped: "!"
    case .unknown(let text): "?\(text)"
    }
  }

  init(_ text: String) {
    let rest = String(text.dropFirst())
    switch text.first {
    case ".": self = .member(rest)
    case "!": self = .unwrapped
    case "#":
      let digits = rest.compactMap { $0.hexDigitValue.map(UInt8.init) }
      self = .element(
        stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    default: self = .unknown(rest)
    }
  }
}

/// Why the steps lead nowhere.
func describe(_ steps: [DerivationStep]) -> String {
  for step in steps {
    if case .unknown(let text) = step {
      return """
        It is the part '\(text)' of a shared value, which can't be found again in another process: \
        only stored properties, elements of identified arrays by their ids and what optionals hold \
        can.
        """
    }
  }
  return "It is the part '\(steps.map(\.text).joined())' of a shared value that has no such part."
}
