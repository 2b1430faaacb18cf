internal import ActionCoding

extension RecordSchema {
  /// The first place at which another schema differs from this one, in words; this one is the
  /// recorded one.
  func firstDifference(from other: RecordSchema) -> String {
    for (recorded, current) in zip(self.types, other.types) where recorded != current {
      switch (recorded, current) {
      case (.structure(let name, let fields), .structure(let otherName, let others)):
        if name != otherName { return "'\(name)' is '\(otherName)' now" }
        return fieldDifference(in: name, fields, others)
      case (.enumeration(let name, let cases), .enumeration(let otherName, let others)):
        if name != otherName { return "'\(name)' is '\(otherName)' now" }
        return caseDifference(in: name, cases, others)
      default:
        return "\(described(recorded)) is \(described(current)) now"
      }
    }
    return "it has \(self.types.count) types, and \(other.types.count) now"
  }
}

private func fieldDifference(
  in type: String, _ fields: [RecordSchema.Field], _ others: [RecordSchema.Field]
) -> String {
  for field in fields where !others.contains(where: { $0.name == field.name }) {
    return "'\(type)' has no '\(field.name)' any more"
  }
  for other in others where !fields.contains(where: { $0.name == other.name }) {
    return "'\(type)' has a new '\(other.name)'"
  }
  if fields.map(\.name) != others.map(\.name) { return "the order in '\(type)' is another one" }
  return "a type in '\(type)' is another one"
}

private func caseDifference(
  in type: String, _ cases: [RecordSchema.Case], _ others: [RecordSchema.Case]
) -> String {
  for one in cases where !others.contains(where: { $0.name == one.name }) {
    return "'\(type)' has no case '\(one.name)' any more"
  }
  for other in others where !cases.contains(where: { $0.name == other.name }) {
    return "'\(type)' has a new case '\(other.name)'"
  }
  for (one, other) in zip(cases, others) where one != other {
    if one.name != other.name { return "the cases of '\(type)' stand in another order" }
    return fieldDifference(in: "\(type).\(one.name)", one.fields, other.fields)
  }
  return "the cases of '\(type)' are others"
}

private func described(_ type: RecordSchema.Definition) -> String {
  switch type {
  case .primitive(let primitive): "a value of the kind '\(primitive)'"
  case .optional: "an optional"
  case .array: "an array"
  case .set: "a set"
  case .dictionary: "a dictionary"
  case .structure(let name, _), .enumeration(let name, _): "'\(name)'"
  case .codable(let name): "'\(name)', written by its Codable form,"
  case .opaque(let name, _), .described(let name, _): "'\(name)', which can't be recorded,"
  }
}
