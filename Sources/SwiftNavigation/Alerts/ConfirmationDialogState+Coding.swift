public import ActionCoding

private enum ConfirmationDialogStateKey: CodingKey { case title, titleVisibility, message, buttons }

// Without the id, which is drawn anew when a dialog is read.

extension ConfirmationDialogState: Encodable where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ConfirmationDialogStateKey.self)
    try container.encode(self.title, forKey: .title)
    try container.encode(self.titleVisibility, forKey: .titleVisibility)
    try container.encodeIfPresent(self.message, forKey: .message)
    try container.encode(self.buttons, forKey: .buttons)
  }
}

extension ConfirmationDialogState: Decodable where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ConfirmationDialogStateKey.self)
    self.init(
      id: StateID.next(),
      buttons: try container.decode([ButtonState<Action>].self, forKey: .buttons),
      message: try container.decodeIfPresent(TextState.self, forKey: .message),
      title: try container.decode(TextState.self, forKey: .title),
      titleVisibility: try container.decode(
        ConfirmationDialogStateTitleVisibility.self, forKey: .titleVisibility))
  }
}

extension ConfirmationDialogState: Recordable where Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.title.encode(to: &writer)
    try self.titleVisibility.encode(to: &writer)
    try self.message.encode(to: &writer)
    try self.buttons.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let title = try TextState(from: &reader)
    let titleVisibility = try ConfirmationDialogStateTitleVisibility(from: &reader)
    let message = try TextState?(from: &reader)
    let buttons = try [ButtonState<Action>](from: &reader)
    self.init(
      id: StateID.next(), buttons: buttons, message: message, title: title,
      titleVisibility: titleVisibility)
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(
      name: "ConfirmationDialogState",
      fields: [
        .init("title", schema.type(TextState.self)),
        .init("titleVisibility", schema.type(ConfirmationDialogStateTitleVisibility.self)),
        .init("message", schema.type(TextState?.self)),
        .init("buttons", schema.type([ButtonState<Action>].self)),
      ])
  }
}

extension ConfirmationDialogStateTitleVisibility: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .automatic: try writer.put(byte: 0)
    case .hidden: try writer.put(byte: 1)
    case .visible: try writer.put(byte: 2)
    }
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getCase() {
    case 0: self = .automatic
    case 1: self = .hidden
    case 2: self = .visible
    case let other:
      throw reader.unknownCase(other, of: "ConfirmationDialogStateTitleVisibility")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .enumeration(
      name: "ConfirmationDialogStateTitleVisibility",
      cases: [
        .init(index: 0, name: "automatic"),
        .init(index: 1, name: "hidden"),
        .init(index: 2, name: "visible"),
      ])
  }
}
