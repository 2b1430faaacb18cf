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
    places(in: stream.actionSchema).map { (place: Place) -> String in
      "not replayable: action \(place.path), which holds \(place.type): \(place.reason)"
    }
      + places(in: stream.stateSchema).map { (place: Place) -> String in
        "not recorded: \(place.path) of the state, \(place.type): \(place.reason)"
      }
  }

  private struct Place {
    var path: String
    var type: String
    var reason: String
  }

  /// Where opaque values can be, each type looked into once.
  private static func places(in schema: RecordSchema) -> [Place] {
    var found: [Place] = []
    var seen: Set<Int> = []
    var open: [(index: Int, path: String)] = [(0, "")]
    while let (index, path) = open.popLast() {
      guard schema.types.indices.contains(index) else { continue }
      switch schema.types[index] {
      case .opaque(let name, let reason), .described(let name, let reason):
        found.append(Place(path: path.isEmpty ? "itself" : path, type: name, reason: reason))
        continue
      default: break
      }
      guard seen.insert(index).inserted else { continue }
      open += parts(of: schema.types[index], at: path).reversed()
    }
    return found
  }

  private static func parts(
    of definition: RecordSchema.Definition, at path: String
  ) -> [(index: Int, path: String)] {
    func below(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    switch definition {
    case .optional(let index): return [(index, path)]
    case .array(let index), .set(let index): return [(index, "\(path)[]")]
    case .dictionary(let key, let value): return [(key, "\(path)[]"), (value, "\(path)[]")]
    case .structure(_, let fields):
      return fields.map { ($0.type, below($0.name)) }
    case .enumeration(_, let cases):
      return cases.flatMap { (one: RecordSchema.Case) -> [(index: Int, path: String)] in
        one.fields.map { (field: RecordSchema.Field) -> (index: Int, path: String) in
          let isOnly: Bool = one.fields.count == 1
          return (field.type, below(isOnly ? one.name : "\(one.name).\(field.name)"))
        }
      }
    default: return []
    }
  }
}
