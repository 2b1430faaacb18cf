public import ActionCoding

// The state alone counts: what runs beside it is no part of the value.

extension PresentationState: Equatable where State: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.wrappedValue == rhs.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.wrappedValue)
  }
}

// `@unchecked`: a box is written only while one value alone refers to it.
extension PresentationState: @unchecked Sendable where State: Sendable {}

extension PresentationState: Decodable where State: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try State?(from: decoder))
  }
}

extension PresentationState: Encodable where State: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try self.wrappedValue.encode(to: encoder)
  }
}

extension PresentationState: Recordable where State: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    guard let state = self.box?.state else { return try writer.put(byte: 0) }
    try writer.put(byte: 1)
    // A feature may present itself: the nesting is bounded as that of any indirect value.
    try writer.descend()
    try state.encode(to: &writer)
    writer.ascend()
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getCase() {
    case 0: self.init(wrappedValue: nil)
    case 1:
      try reader.descend()
      self.init(wrappedValue: try State(from: &reader))
      reader.ascend()
    case let other: throw reader.unknownCase(other, of: "PresentationState")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .optional(schema.type(State.self)) }
}

extension PresentationState: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(reflecting: self.wrappedValue as Any)
  }
}
