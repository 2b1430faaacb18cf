public import ActionCoding
public import CustomDump

// Ids and elements count; what runs beside them is no part of the value.

extension StackState: Equatable where Element: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.ids == rhs.ids && lhs.slots == rhs.slots
  }
}

extension StackState: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.ids)
    hasher.combine(self.slots)
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Reads the elements of an array; they get new ids.
  public init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension StackState: Encodable where Element: Encodable {
  /// Writes the elements as an array, without their ids.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
  }
}

extension StackState: CustomStringConvertible {
  public var description: String { Array(self).description }
}

extension StackState: CustomDebugStringConvertible {
  public var debugDescription: String {
    "\(shortTypeName(Self.self))(\(Array(self).debugDescription))"
  }
}

extension StackState: CustomReflectable, CustomDumpReflectable {
  public var customMirror: Mirror { self.customDumpMirror }

  /// The elements by their ids.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(zip(self.ids, self)), displayStyle: .dictionary)
  }
}

// The record keeps the ids, since the actions after it name them.
extension StackState: Recordable where Element: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.path.map { $0 }.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init()
    for component in try [Component](from: &reader) {
      guard self.index(of: component.id) == nil else {
        throw reader.error("A stack holds the id \(component.id) twice.")
      }
      self.push(component.element, id: component.id)
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .array(schema.type(Component.self)) }
}

extension StackState.Component: Recordable where Element: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.id.encode(to: &writer)
    try self.element.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let id = try StackElementID(from: &reader)
    self.init(id: id, element: try Element(from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(
      name: "StackState.Component",
      fields: [
        .init("id", schema.type(StackElementID.self)),
        .init("element", schema.type(Element.self)),
      ])
  }
}
