extension RecordSchema {
  /// Why a redacted value is not in a record. Reading it gives a placeholder of its type.
  public static let redactedReason = "It is redacted."
}

extension RecordSchema.Definition {
  /// Whether the values are left out of records on purpose.
  public var isRedacted: Bool {
    if case .opaque(_, RecordSchema.redactedReason) = self { true } else { false }
  }
}

extension RecordSchema {
  /// A value that is not in the record: a replay that needs it stops there.
  public struct OpaqueValue: Hashable, Sendable {
    /// Where it is, as `response.failure` or `items[].image`; empty for the value itself.
    public var path: String
    /// The type, as spelled in the source.
    public var type: String
    /// Why it is not in the record, in a sentence.
    public var reason: String
  }

  /// The values that records of this schema lack, each type where it is met first.
  ///
  /// Of an enum of actions, the first name of each path is the case that can't be replayed.
  public var opaqueValues: [OpaqueValue] {
    var found: [OpaqueValue] = []
    var seen: Set<TypeIndex> = [0]
    var next: [(type: TypeIndex, path: String)] = [(0, "")]
    // Breadth first, so that each type is found on its shortest path.
    var position = 0
    while position < next.count {
      let (type, path) = next[position]
      position += 1
      func visit(_ type: TypeIndex, _ step: String) {
        switch types[type] {
        // An opaque value is told wherever it is, since each place is a case of its own.
        case .opaque, .described: next.append((type, path + step))
        default: if seen.insert(type).inserted { next.append((type, path + step)) }
        }
      }
      switch types[type] {
      case .primitive, .codable: break
      case .optional(let wrapped): visit(wrapped, "")
      case .array(let element), .set(let element): visit(element, "[]")
      case .dictionary(let key, let value):
        visit(key, "[key]")
        visit(value, "[]")
      case .structure(_, let fields):
        for field in fields { visit(field.type, path.isEmpty ? field.name : ".\(field.name)") }
      case .enumeration(_, let cases):
        for item in cases {
          let step = path.isEmpty ? item.name : ".\(item.name)"
          for field in item.fields {
            visit(field.type, item.fields.count == 1 ? step : "\(step).\(field.name)")
          }
        }
      case .opaque(let name, let reason), .described(let name, let reason):
        found.append(OpaqueValue(path: path, type: name, reason: reason))
      }
    }
    return found
  }
}
