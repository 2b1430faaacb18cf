public import ActionCoding

private enum AlertStateKey: CodingKey { case title, message, buttons }

// Without the id, which is drawn anew when an alert is read.

extension AlertState: Encodable where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AlertStateKey.self)
    try container.encode(self.title, forKey: .title)
    try container.encodeIfPresent(self.message, forKey: .message)
    try container.encode(self.buttons, forKey: .buttons)
  }
}

extension AlertState: Decodable where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AlertStateKey.self)
    self.init(
      id: StateID.next(),
      buttons: try container.decode([ButtonState<Action>].self, forKey: .buttons),
      message: try container.decodeIfPresent(TextState.self, forKey: .message),
      title: try container.decode(TextState.self, forKey: .title))
  }
}

extension AlertState: Recordable where Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.title.encode(to: &writer)
    try self.message.encode(to: &writer)
    try self.buttons.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let title = try TextState(from: &reader)
    let message = try TextState?(from: &reader)
    let buttons = try [ButtonState<Action>](from: &reader)
    self.init(id: StateID.next(), buttons: buttons, message: message, title: title)
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(
      name: "AlertState",
      fields: [
        .init("title", schema.type(TextState.self)),
        .init("message", schema.type(TextState?.self)),
        .init("buttons", schema.type([ButtonState<Action>].self)),
      ])
  }
}
