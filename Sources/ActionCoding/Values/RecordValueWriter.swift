/// Writes values without a type as values of a schema, matching what they are made of by name.
///
/// A value that was read by the same schema is written as it was. Of another one, what the schema
/// does not have is left out, and what the value does not have is nil or the default of its field.
struct RecordValueWriter {
  let schema: RecordSchema
  let migrations: RecordMigrations
  /// The schema that the values were recorded under, where it is another one.
  let written: RecordSchema?

  init(
    _ schema: RecordSchema, _ migrations: RecordMigrations = RecordMigrations(),
    written: RecordSchema? = nil
  ) {
    self.schema = schema
    self.migrations = migrations
    self.written = written
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - name: The type that the value was recorded as, where the value does not tell.
  ///   - depth: How many values it is in.
  func write(
    _ value: RecordValue, as type: RecordSchema.TypeIndex, named name: String? = nil,
    depth: Int = 0, to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    guard depth <= RecordScanner.depthLimit else {
      throw RecordDecodingError(
        "Values are nested deeper than the \(RecordScanner.depthLimit) levels allowed.", offset: 0)
    }
    // What is dropped from an optional leaves nil: that is seen to there.
    if case .optional(let wrapped) = self.schema.types[type] {
      return try self.writeOptional(value, as: wrapped, named: name, depth: depth, to: &output)
    }
    guard !self.migrations.isEmpty, let name = name ?? value.typeName else {
      return try self.writeContent(value, as: type, named: name, depth: depth, to: &output)
    }
    var value = value
    for rewrite in self.migrations.rewrites(of: name) {
      do {
        guard let rewritten = try rewrite(value) else { throw RecordDecodingError.dropped(name) }
        value = rewritten
      } catch let error as RecordDecodingError {
        throw error
      } catch {
        throw RecordDecodingError(
          "The migration that rewrites '\(name)' failed: \(error)", offset: 0)
      }
    }
    try self.writeContent(value, as: type, named: name, depth: depth, to: &output)
  }

  private func writeContent(
    _ value: RecordValue, as type: RecordSchema.TypeIndex, named name: String?, depth: Int,
    to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    let definition = self.schema.types[type]
    if case .opaque(_, RecordSchema.redactedReason) = value, !definition.isSelfDescribing {
      return try self.writePlaceholder(type, to: &output)
    }
    switch (definition, value) {
    case (.codable, _): try output.put(tree: self.tree(value, named: name))
    case (.described, _): try output.put(tree: value.describedTree)
    case (.opaque, _): break
    case (_, .some(let wrapped)):
      try self.writeContent(wrapped, as: type, named: name, depth: depth, to: &output)
    case (.primitive(let primitive), _):
      guard try output.put(value, as: primitive) else { throw self.mismatch(value, type) }
    case (.array(let element), .array(let values)), (.array(let element), .set(let values)):
      output.put(elements: try self.elements(values, as: element, depth: depth))
    case (.set(let element), .array(let values)), (.set(let element), .set(let values)):
      output.put(elements: try self.elements(values, as: element, depth: depth).sortedOnce)
    case (.dictionary(let key, let content), _):
      guard let entries = value.entries else { throw self.mismatch(value, type) }
      try self.write(entries, key, content, depth: depth, to: &output)
    case (.structure(let own, let fields), .structure(let recorded, let values)):
      let names = self.migrations.fields(
        values.map(\.name), of: recorded.isEmpty ? name ?? own : recorded)
      try self.write(values, names, as: fields, of: own, depth: depth, to: &output)
    case (.enumeration(let own, let cases), _):
      guard let (label, recorded, values) = value.caseContent else {
        throw self.mismatch(value, type)
      }
      try self.writeCase(
        label, of: recorded.isEmpty ? name ?? own : recorded, values, as: cases, of: own,
        depth: depth, to: &output)
    default: throw self.mismatch(value, type)
    }
  }

  // MARK: - Parts

  private func writeOptional(
    _ value: RecordValue, as wrapped: RecordSchema.TypeIndex, named name: String?, depth: Int,
    to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    let content: RecordValue
    switch value {
    case .null, .opaque(_, RecordSchema.redactedReason): return output.put(byte: 0)
    case .some(let value): content = value
    default: content = value
    }
    let start = output.count
    output.put(byte: 1)
    do throws(RecordDecodingError) {
      try self.write(content, as: wrapped, named: name, depth: depth + 1, to: &output)
    } catch {
      guard error.isDropped else { throw error }
      output.cut(to: start)
      output.put(byte: 0)
    }
  }

  private func elements(
    _ values: [RecordValue], as type: RecordSchema.TypeIndex, depth: Int
  ) throws(RecordDecodingError) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    for (index, value) in values.enumerated() {
      var output = RecordOutput()
      do throws(RecordDecodingError) {
        try self.write(value, as: type, depth: depth + 1, to: &output)
      } catch {
        if error.isDropped { continue }
        throw error.inside("[\(index)]")
      }
      elements.append(output.bytes)
    }
    return elements
  }

  private func write(
    _ entries: [RecordValue.Entry], _ key: RecordSchema.TypeIndex,
    _ content: RecordSchema.TypeIndex, depth: Int, to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    var written: [RecordPair] = []
    for (index, entry) in entries.enumerated() {
      var keyOutput = RecordOutput()
      var valueOutput = RecordOutput()
      do throws(RecordDecodingError) {
        try self.write(entry.key, as: key, depth: depth + 1, to: &keyOutput)
        try self.write(entry.value, as: content, depth: depth + 1, to: &valueOutput)
      } catch {
        if error.isDropped { continue }
        throw error.inside("[\(index)]")
      }
      written.append(RecordPair(key: keyOutput.bytes, value: valueOutput.bytes))
    }
    try output.put(pairs: written)
  }

  private func write(
    _ values: [RecordValue.Field], _ names: [String], as fields: [RecordSchema.Field],
    of type: String, depth: Int, to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    for (field, match) in zip(fields, RecordSchema.match(fields.map(\.name), names)) {
      do throws(RecordDecodingError) {
        if let match, !(field.isConstant && values[match].value.isRedacted) {
          try self.write(values[match].value, as: field.type, depth: depth + 1, to: &output)
        } else {
          // A constant has no other value than its own.
          output.put(raw: try self.missing(field, of: type))
        }
      } catch {
        throw error.inside(".\(field.name)")
      }
    }
  }

  private func writeCase(
    _ label: String, of recorded: String, _ values: [RecordValue.Field],
    as cases: [RecordSchema.Case], of type: String, depth: Int, to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    let name = self.caseName(label, of: recorded)
    guard let item = cases.first(where: { $0.name == name })
    else {
      throw RecordDecodingError(
        "'\(type)' has no case '\(label)'. \(RecordResolution.advice(renaming: .enumerationCase))",
        offset: 0)
    }
    output.put(varint: item.index)
    let names = self.migrations.fields(values.map(\.name), of: recorded)
    do throws(RecordDecodingError) {
      try self.write(values, names, as: item.fields, of: type, depth: depth, to: &output)
    } catch {
      throw error.inside(".\(item.name)")
    }
  }

  /// The name that a recorded case has now.
  private func caseName(_ label: String, of type: String) -> String {
    guard !self.migrations.isEmpty else { return label }
    let recorded = self.written?.types.lazy.compactMap { definition -> [String]? in
      guard case .enumeration(type, let cases) = definition else { return nil }
      return cases.map(\.name)
    }.first
    guard let recorded, let index = recorded.firstIndex(of: label) else {
      return self.migrations.cases([label], of: type)[0]
    }
    return self.migrations.cases(recorded, of: type)[index]
  }

  /// A tree with the keys that the type's fields have now.
  private func tree(_ value: RecordValue, named name: String?) -> RecordValue {
    guard let name, case .structure(let own, let fields) = value,
      self.migrations.renamesFields(of: name)
    else { return value }
    let names = self.migrations.fields(fields.map(\.name), of: name)
    return .structure(name: own, fields: zip(names, fields).map { .init($0, $1.value) })
  }

  // MARK: - What is not there

  /// The bytes of a field that the recording does not have.
  func missing(
    _ field: RecordSchema.Field, of type: String
  ) throws(RecordDecodingError) -> [UInt8] {
    var output = RecordOutput()
    if let value = field.standard.value(as: field.type, of: self.schema) {
      try self.write(value, as: field.type, to: &output)
      return output.bytes
    }
    switch self.schema.types[field.type] {
    case .optional: return [0]
    case let definition where definition.isRedacted: return []
    case .opaque(let name, let reason):
      throw RecordDecodingError("A value of '\(name)' is not in the record: \(reason)", offset: 0)
    default:
      throw RecordDecodingError(
        RecordResolution.reasonForMissing(field, of: type, in: self.schema), offset: 0)
    }
  }

  private func writePlaceholder(
    _ type: RecordSchema.TypeIndex, to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    guard let bytes = RecordPlaceholders(self.schema).bytes(of: type) else {
      throw RecordDecodingError(
        "It is redacted, and no value of '\(self.schema.spelling(of: type))' can stand in for it.",
        offset: 0)
    }
    output.put(raw: bytes)
  }

  private func mismatch(
    _ value: RecordValue, _ type: RecordSchema.TypeIndex
  ) -> RecordDecodingError {
    RecordDecodingError(
      RecordResolution.reasonForMismatch(value, self.schema.spelling(of: type)), offset: 0)
  }
}

extension RecordValue {
  /// The bytes of the value as one of the schema's root type, matched by name.
  ///
  /// Throws ``RecordDecodingError``, with the path in the value, where it is none.
  package func bytes(as schema: RecordSchema) throws(RecordDecodingError) -> [UInt8] {
    var output = RecordOutput()
    do throws(RecordDecodingError) {
      try RecordValueWriter(schema).write(self, as: 0, to: &output)
    } catch {
      throw error.atRoot
    }
    return output.bytes
  }
}

// MARK: - Sorted collections

/// A key and a value as bytes.
struct RecordPair {
  var key: [UInt8]
  var value: [UInt8]
}

extension RecordOutput {
  /// Writes a dictionary: each key once, in the order of their bytes.
  mutating func put(pairs: [RecordPair]) throws(RecordDecodingError) {
    let sorted = pairs.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.key == second.key {
      throw RecordDecodingError("Two keys of a dictionary have become the same.", offset: 0)
    }
    // Padding makes up for elements without bytes, of which there can be one at most.
    self.put(elements: sorted.map { $0.key + $0.value })
  }
}

extension [[UInt8]] {
  /// Each once, in the order of their bytes.
  var sortedOnce: Self {
    self.sorted { $0.lexicographicallyPrecedes($1) }.reduce(into: []) { elements, next in
      if elements.last != next { elements.append(next) }
    }
  }
}

// MARK: - What a value is

extension RecordValue {
  /// The name of the type, of which the value knows.
  fileprivate var typeName: String? {
    switch self {
    case .structure(let name, _) where !name.isEmpty: name
    case .enumeration(let name, _, _): name
    default: nil
    }
  }

  fileprivate var isRedacted: Bool {
    if case .opaque(_, RecordSchema.redactedReason) = self { true } else { false }
  }

  /// A dictionary's keys and values, also as `Codable` code writes them.
  fileprivate var entries: [Entry]? {
    switch self {
    case .dictionary(let entries): entries
    case .structure("", let fields): fields.map { Entry(.string($0.name), $0.value) }
    case .array(let elements) where elements.count.isMultiple(of: 2):
      stride(from: 0, to: elements.count, by: 2).map { Entry(elements[$0], elements[$0 + 1]) }
    default: nil
    }
  }

  /// A case and what comes with it, also as `Codable` code writes it.
  fileprivate var caseContent: (label: String, type: String, fields: [Field])? {
    switch self {
    case .enumeration(let name, let label, let fields): return (label, name, fields)
    case .string(let label): return (label, "", [])
    case .structure("", let fields):
      guard fields.count == 1, let only = fields.first,
        case .structure(_, let values) = only.value
      else { return nil }
      return (only.name, "", values)
    default: return nil
    }
  }

  /// The error that the value is where errors of any type may be.
  fileprivate var describedTree: RecordValue {
    switch self {
    case .opaque: self
    case .structure: RecordedError(tree: self) == nil ? RecordedError(describing: self).tree : self
    default: RecordedError(describing: self).tree
    }
  }
}

extension RecordedError {
  /// What an error that had a type is without it.
  fileprivate init(describing value: RecordValue) {
    self.init(type: value.typeName ?? "", description: value.text(limit: 1_000))
  }
}

extension RecordSchema.Definition {
  /// Whether its bytes say what they are, and so may say that something is not there.
  fileprivate var isSelfDescribing: Bool {
    switch self {
    case .codable, .described, .opaque: true
    default: false
    }
  }
}
