/// Takes values out of records that are known at run time to be secret.
///
/// ```swift
/// let redaction = RecordRedaction { path, type, value in
///   type == "AccessToken" || path.components.last == .name("password") ? .redact : .keep
/// }
/// ```
///
/// It is asked for the value itself, then for each part of what it keeps: fields, what comes with a
/// case, elements, values of dictionaries, and what `Codable` types wrote. In place of a redacted part
/// a record has a placeholder of its type. When anything goes wrong, the whole value is withheld.
public struct RecordRedaction: Sendable {
  public enum Decision: Hashable, Sendable {
    case keep
    case redact
  }

  /// What is left of a value.
  public enum Outcome: Hashable, Sendable {
    /// Nothing was redacted.
    case kept
    /// These bytes, in the same schema, take the place of the value's; the paths lead to what was
    /// redacted.
    case redacted(bytes: [UInt8], paths: [RecordPath])
    /// Nothing of the value may be recorded, for this reason.
    case withheld(reason: String)
  }

  private let decide:
    @Sendable (_ path: RecordPath, _ type: String, _ value: RecordValue) -> Decision

  /// - Parameter decide: Told where a part is, of what type, and what it is. The type is spelled as in
  ///   the source, with its nesting; of what a `Codable` type wrote it is the type's name for the
  ///   whole, and of the parts a word for what they are, as `a string`. It is called on whatever
  ///   thread records.
  public init(
    _ decide:
      @escaping @Sendable (
        _ path: RecordPath, _ type: String, _ value: RecordValue
      ) -> Decision
  ) {
    self.decide = decide
  }

  /// What is left of the value that is all of `bytes`.
  public func apply(
    to bytes: UnsafeRawBufferPointer, schema: RecordSchema
  ) -> Outcome {
    do throws(RecordDecodingError) {
      let value = try RecordValue(bytes, schema: schema)
      var walk = RecordRedactionWalk(schema, self.decide)
      guard let redacted = walk.redacted(value, 0, []) else { return .kept }
      var output = RecordOutput()
      try RecordValueWriter(schema).write(redacted, as: 0, to: &output)
      // What is written must be readable, as what it takes the place of was.
      _ = try RecordValue(output.bytes, schema: schema)
      return .redacted(bytes: output.bytes, paths: walk.paths)
    } catch {
      // The error may quote what is secret.
      let place = error.path.isEmpty ? "" : " at '\(error.path)'"
      return .withheld(reason: "The redaction could not be applied\(place).")
    }
  }

  /// What is left of the value that is all of `bytes`.
  public func apply(to bytes: [UInt8], schema: RecordSchema) -> Outcome {
    bytes.span.withUnsafeBytes { self.apply(to: $0, schema: schema) }
  }

  /// What may be shown of a value that stands at a path in another one.
  package func redacted(
    _ value: RecordValue, _ schema: RecordSchema, at path: [RecordPath.Component]
  ) -> RecordValue {
    var walk = RecordRedactionWalk(schema, self.decide)
    return walk.redacted(value, 0, path) ?? value
  }

  /// Whether a value may be shown, as far as it is kept by itself.
  package func keeps(
    _ value: RecordValue, of type: String, at path: [RecordPath.Component]
  ) -> Bool {
    self.decide(RecordPath(path), type, value) == .keep
  }
}

/// Goes through a value beside its schema, and marks what is redacted.
private struct RecordRedactionWalk {
  private let schema: RecordSchema
  private let decide: (RecordPath, String, RecordValue) -> RecordRedaction.Decision
  private(set) var paths: [RecordPath] = []

  init(
    _ schema: RecordSchema,
    _ decide: @escaping (RecordPath, String, RecordValue) -> RecordRedaction.Decision
  ) {
    self.schema = schema
    self.decide = decide
  }

  /// The value with marks in place of what is redacted; nil where nothing is.
  ///
  /// - Parameter type: nil within what a `Codable` type wrote.
  mutating func redacted(
    _ value: RecordValue, _ type: RecordSchema.TypeIndex?, _ path: [RecordPath.Component]
  ) -> RecordValue? {
    // There is nothing in it that could be secret.
    if let type, case .opaque = self.schema.types[type] { return nil }
    let name = type.map { self.schema.spelling(of: $0) } ?? value.kindDescription
    if self.decide(RecordPath(path), name, value) == .redact {
      self.paths.append(RecordPath(path))
      return .opaque(name: name, reason: RecordSchema.redactedReason)
    }
    guard let type else { return self.redactedTree(value, path) }
    switch (self.schema.types[type], value) {
    case (.optional, .null): return nil
    case (.optional(let wrapped), .some(let content)):
      return self.redacted(content, wrapped, path).map { .some($0) }
    case (.optional(let wrapped), _): return self.redacted(value, wrapped, path)
    case (.codable, _): return self.redactedTree(value, path)
    // An error is a text and another one: without one of them it is none.
    case (.described, _):
      let count = self.paths.count
      guard self.redactedTree(value, path) != nil else { return nil }
      self.paths.removeLast(self.paths.count - count)
      self.paths.append(RecordPath(path))
      return .opaque(name: name, reason: RecordSchema.redactedReason)
    case (.array(let element), .array(let values)):
      return self.redacted(values, element, path).map { .array($0) }
    case (.set(let element), .set(let values)):
      return self.redacted(values, element, path).map { .set($0) }
    case (.dictionary(_, let content), .dictionary(let entries)):
      return self.redacted(entries, content, path)
    case (.structure(_, let types), .structure(let own, let fields)):
      return self.redacted(fields, types.map(\.type), path).map {
        .structure(name: own, fields: $0)
      }
    case (.enumeration(_, let cases), .enumeration(let own, let label, let fields)):
      let types = cases.first { $0.name == label }?.fields.map(\.type) ?? []
      return self.redacted(fields, types, path + [.name(label)]).map {
        .enumeration(name: own, case: label, fields: $0)
      }
    default: return nil
    }
  }

  private mutating func redacted(
    _ values: [RecordValue], _ type: RecordSchema.TypeIndex?, _ path: [RecordPath.Component]
  ) -> [RecordValue]? {
    var result = values
    var isChanged = false
    for (index, value) in values.enumerated() {
      guard let redacted = self.redacted(value, type, path + [.index(index)]) else { continue }
      result[index] = redacted
      isChanged = true
    }
    return isChanged ? result : nil
  }

  private mutating func redacted(
    _ entries: [RecordValue.Entry], _ type: RecordSchema.TypeIndex,
    _ path: [RecordPath.Component]
  ) -> RecordValue? {
    var result = entries
    var isChanged = false
    for (index, entry) in entries.enumerated() {
      let step = RecordValue.component(of: entry.key)
      guard let redacted = self.redacted(entry.value, type, path + [step]) else { continue }
      result[index].value = redacted
      isChanged = true
    }
    return isChanged ? .dictionary(result) : nil
  }

  /// - Parameter types: Those of the fields, nil within what a `Codable` type wrote.
  private mutating func redacted(
    _ fields: [RecordValue.Field], _ types: [RecordSchema.TypeIndex]?,
    _ path: [RecordPath.Component]
  ) -> [RecordValue.Field]? {
    var result = fields
    var isChanged = false
    // A single value without a label is at the place of its case.
    let isAlone = fields.count == 1 && fields[0].name == "_0"
    for (index, field) in fields.enumerated() {
      let path = isAlone ? path : path + [.name(field.name)]
      guard let redacted = self.redacted(field.value, types?[index], path) else { continue }
      result[index].value = redacted
      isChanged = true
    }
    return isChanged ? result : nil
  }

  /// What a `Codable` type wrote.
  private mutating func redactedTree(
    _ value: RecordValue, _ path: [RecordPath.Component]
  ) -> RecordValue? {
    switch value {
    case .array(let elements): self.redacted(elements, nil, path).map { .array($0) }
    case .structure(_, let fields):
      self.redacted(fields, nil, path).map { .structure(name: "", fields: $0) }
    default: nil
    }
  }
}
