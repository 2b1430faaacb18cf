internal import ActionCoding
internal import Retrace

/// Schemas in a line.
enum SchemaText {
  /// The name of the type that a schema is of.
  static func name(_ schema: RecordSchema) -> String {
    guard let root = schema.types.first else { return "unknown" }
    return name(root)
  }

  private static func name(_ definition: RecordSchema.Definition) -> String {
    switch definition {
    case .primitive(let primitive): "\(primitive)"
    case .structure(let name, _), .enumeration(let name, _), .codable(let name),
      .described(let name, _), .opaque(let name, _):
      name
    case .optional: "Optional"
    case .array: "Array"
    case .set: "Set"
    case .dictionary: "Dictionary"
    }
  }

  /// The type's name and its fields or cases: `Editor.State: text, cursor`.
  static func line(_ schema: RecordSchema) -> String {
    let name: String = name(schema)
    switch schema.types.first {
    case .structure(_, let fields):
      return fields.isEmpty ? name : "\(name): \(fields.map(\.name).joined(separator: ", "))"
    case .enumeration(_, let cases):
      return cases.isEmpty ? name : "\(name): \(cases.map(\.name).joined(separator: ", "))"
    case .codable: return "\(name), by its Codable form"
    case .opaque(_, let reason), .described(_, let reason):
      return "\(name), not recorded: \(reason)"
    default: return name
    }
  }

  /// What keeps parts of a stream from being replayed, one sentence each.
  static func gaps(_ stream: StreamInfo) -> [String] {
    lines("not replayable: action ", ", which holds", stream.actionSchema)
      + lines("not recorded: ", " of the state,", stream.stateSchema)
  }

  private static func lines(
    _ start: String, _ middle: String, _ schema: RecordSchema
  ) -> [String] {
    schema.unreplayableParts().map { (part: RecordSchema.OpaqueValue) -> String in
      "\(start)\(part.path.isEmpty ? "itself" : part.path)\(middle) \(part.type): \(part.reason)"
    }
  }
}
