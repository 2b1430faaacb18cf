internal import ActionCoding

/// Names of cases against those that the type of a stream's actions has.
enum CaseNames {
  /// What to say of a name that no action can have; nil where it can, or is a pattern.
  static func note(_ name: String, in schema: RecordSchema) -> String? {
    guard !name.contains(where: { $0 == "*" || $0 == "?" }),
      case .enumeration(let type, let cases) = schema.types.first
    else { return nil }
    let body: Substring = name.hasPrefix(".") ? name.dropFirst() : name[...]
    let first: Substring = body.prefix { $0 != "." }
    guard !cases.contains(where: { $0.name == first }) else { return nil }
    return "\(type) has no case '\(first)'. It has \(Phrase.list(cases.map(\.name)))."
  }
}
