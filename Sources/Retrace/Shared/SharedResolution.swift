internal import ActionCoding
internal import Sharing

/// Puts shared values in the places in which the bytes of states and actions name their references.
struct SharedResolution {
  private let values: SharedValues
  private let definitions: SharedDefinitions

  /// - Parameters:
  ///   - values: What references hold; empty for values that stand in their place.
  ///   - definitions: What the numbers mean.
  init(
    _ values: SharedValues = SharedValues(), _ definitions: SharedDefinitions = SharedDefinitions()
  ) {
    self.values = values
    self.definitions = definitions
  }

  /// The most references from one shared value to the next: one may hold itself.
  private static let depthLimit = 32

  func resolve(_ value: RecordValue) -> RecordValue { self.resolve(value, 0) }

  /// What a reference holds.
  func value(of number: Int) -> RecordValue { self.value(of: number, 0) }

  private func value(of number: Int, _ depth: Int) -> RecordValue {
    let name = self.definitions.name(of: number)
    guard depth < Self.depthLimit else {
      return .opaque(name: name, reason: "It is the same shared value again.")
    }
    guard let content = try? self.values.content(of: number) else {
      return .opaque(name: name, reason: "It is a shared value, which does not stand here.")
    }
    guard let bytes = content.value, let schema = self.definitions.types[content.type],
      var value = try? RecordValue(Array(bytes), schema: schema)
    else {
      return .opaque(
        name: name, reason: content.reasonForAbsence ?? "Its bytes are not one of its type.")
    }
    let redacted = Set(content.redacted)
    if !redacted.isEmpty {
      // The placeholders are shown as what they are.
      value = RecordRedaction { path, _, _ in redacted.contains("\(path)") ? .redact : .keep }
        .redacted(value, schema, at: [])
    }
    return self.resolve(value, depth + 1)
  }

  private func resolve(_ value: RecordValue, _ depth: Int) -> RecordValue {
    switch value {
    case .enumeration(name: sharedTypeName, case: let form, fields: let fields):
      guard form == "reference" else {
        return fields.last.map { self.resolve($0.value, depth) } ?? .null
      }
      guard case .uint(let number)? = fields.first?.value else { return value }
      return self.value(of: Int(clamping: number), depth)
    case .some(let wrapped):
      return .some(self.resolve(wrapped, depth))
    case .array(let elements):
      return .array(elements.map { self.resolve($0, depth) })
    case .set(let elements):
      return .set(elements.map { self.resolve($0, depth) })
    case .dictionary(let entries):
      return .dictionary(
        entries.map { .init(self.resolve($0.key, depth), self.resolve($0.value, depth)) })
    case .structure(let name, let fields):
      return .structure(name: name, fields: self.resolve(fields, depth))
    case .enumeration(let name, let form, let fields):
      return .enumeration(name: name, case: form, fields: self.resolve(fields, depth))
    default:
      return value
    }
  }

  private func resolve(_ fields: [RecordValue.Field], _ depth: Int) -> [RecordValue.Field] {
    fields.map { .init($0.name, self.resolve($0.value, depth)) }
  }
}

extension RecordSchema {
  /// Whether values hold references to shared ones.
  var hasShared: Bool {
    self.types.contains {
      if case .enumeration(name: sharedTypeName, _) = $0 { true } else { false }
    }
  }
}
