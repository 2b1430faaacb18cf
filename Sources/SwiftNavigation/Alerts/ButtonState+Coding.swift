public import ActionCoding

private enum ButtonStateKey: CodingKey { case role, action, label }
private enum ButtonStateActionKey: CodingKey { case send }

// Without the id, which is drawn anew when a button is read.

extension ButtonState: Encodable where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ButtonStateKey.self)
    try container.encodeIfPresent(self.role, forKey: .role)
    try container.encodeIfPresent(self.action.action, forKey: .action)
    try container.encode(self.label, forKey: .label)
  }
}

extension ButtonState: Decodable where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ButtonStateKey.self)
    self.init(
      id: StateID.next(),
      action: .send(try container.decodeIfPresent(Action.self, forKey: .action)),
      label: try container.decode(TextState.self, forKey: .label),
      role: try container.decodeIfPresent(ButtonStateRole.self, forKey: .role))
  }
}

extension ButtonState: Recordable where Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.role.encode(to: &writer)
    try self.action.action.encode(to: &writer)
    try self.label.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let role = try ButtonStateRole?(from: &reader)
    let action = try Action?(from: &reader)
    self.init(
      id: StateID.next(), action: .send(action), label: try TextState(from: &reader), role: role)
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(
      name: "ButtonState",
      fields: [
        .init("role", schema.type(ButtonStateRole?.self)),
        .init("action", schema.type(Action?.self)),
        .init("label", schema.type(TextState.self)),
      ])
  }
}

extension ButtonStateRole: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .cancel: try writer.put(byte: 0)
    case .destructive: try writer.put(byte: 1)
    }
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getCase() {
    case 0: self = .cancel
    case 1: self = .destructive
    case let other: throw reader.unknownCase(other, of: "ButtonStateRole")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .enumeration(
      name: "ButtonStateRole",
      cases: [.init(index: 0, name: "cancel"), .init(index: 1, name: "destructive")])
  }
}

extension ButtonStateAction: Encodable where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ButtonStateActionKey.self)
    try container.encodeIfPresent(self.action, forKey: .send)
  }
}

extension ButtonStateAction: Decodable where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ButtonStateActionKey.self)
    self = .send(try container.decodeIfPresent(Action.self, forKey: .send))
  }
}

extension ButtonStateAction: Recordable where Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.action.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self = .send(try Action?(from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(
      name: "ButtonStateAction", fields: [.init("send", schema.type(Action?.self))])
  }
}
