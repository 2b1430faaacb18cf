extension RecordSchema {
  /// The first place where values that were written under `written` can't be read under this schema
  /// as they are, in a sentence; nil where all can.
  ///
  /// The names of types don't matter, those of fields and cases do.
  public func firstDifference(from written: RecordSchema) -> String? {
    struct Pair: Hashable {
      var now: TypeIndex
      var then: TypeIndex
    }
    var seen: Set<Pair> = [Pair(now: 0, then: 0)]
    var next: [(pair: Pair, path: String)] = [(Pair(now: 0, then: 0), "")]
    while let (pair, path) = next.popLast() {
      func visit(_ now: TypeIndex, _ then: TypeIndex, _ step: String) {
        let pair = Pair(now: now, then: then)
        if seen.insert(pair).inserted { next.append((pair, path + step)) }
      }
      let place = path.isEmpty ? "The value" : "'\(path.drop { $0 == "." })'"
      switch (types[pair.now], written.types[pair.then]) {
      case (.primitive(let now), .primitive(let then)) where now == then: break
      case (.codable, .codable), (.opaque, .opaque), (.described, .described): break
      case (.optional(let now), .optional(let then)): visit(now, then, "")
      case (.array(let now), .array(let then)), (.set(let now), .set(let then)):
        visit(now, then, "[]")
      case (.dictionary(let nowKey, let now), .dictionary(let thenKey, let then)):
        visit(nowKey, thenKey, "[key]")
        visit(now, then, "[]")
      case (.structure(let name, let now), .structure(_, let then)):
        if let text = Self.difference(now, then) { return "\(place) ('\(name)') \(text)." }
        for (now, then) in zip(now, then) { visit(now.type, then.type, ".\(now.name)") }
      case (.enumeration(let name, let now), .enumeration(_, let then)):
        if let text = Self.difference(now, then) { return "\(place) ('\(name)') \(text)." }
        for (now, then) in zip(now, then) {
          if let text = Self.difference(now.fields, then.fields) {
            return "The case '\(now.name)' of '\(name)' \(text)."
          }
          for (field, old) in zip(now.fields, then.fields) {
            visit(field.type, old.type, ".\(now.name).\(field.name)")
          }
        }
      case (_, let then):
        return """
          \(place) is of type '\(spelling(of: pair.now))', and was '\(written.spelling(of: then))' \
          in the recording.
          """
      }
    }
    return nil
  }

  /// How a list of fields differs from the one of the recording, as the end of a sentence.
  private static func difference(_ now: [Field], _ then: [Field]) -> String? {
    difference("field", now.map(\.name), then.map(\.name))
  }

  private static func difference(_ now: [Case], _ then: [Case]) -> String? {
    if let text = difference("case", now.map(\.name), then.map(\.name)) { return text }
    guard now.map(\.index) == then.map(\.index) else { return "numbers its cases in another way" }
    return nil
  }

  private static func difference(_ kind: String, _ now: [String], _ then: [String]) -> String? {
    if let added = now.first(where: { !then.contains($0) }) {
      return "has the \(kind) '\(added)', which the recording lacks"
    }
    if let removed = then.first(where: { !now.contains($0) }) {
      return "lacks the \(kind) '\(removed)' of the recording"
    }
    return now == then ? nil : "has its \(kind)s in another order than in the recording"
  }

  /// A type as it would be spelled in the source.
  func spelling(of type: TypeIndex, depth: Int = 0) -> String {
    spelling(of: types[type], depth: depth)
  }

  private func spelling(of definition: Definition, depth: Int = 0) -> String {
    // A recursive type ends by its name, a damaged schema here.
    guard depth < 16 else { return "…" }
    func inner(_ type: TypeIndex) -> String { spelling(of: type, depth: depth + 1) }
    switch definition {
    case .primitive(let primitive): return primitive.spelling
    case .optional(let type): return "\(inner(type))?"
    case .array(let type): return "[\(inner(type))]"
    case .set(let type): return "Set<\(inner(type))>"
    case .dictionary(let key, let value): return "[\(inner(key)): \(inner(value))]"
    case .structure(let name, let fields) where name.isEmpty:
      return "(\(fields.map { inner($0.type) }.joined(separator: ", ")))"
    case .structure(let name, _), .enumeration(let name, _), .codable(let name),
      .described(let name, _), .opaque(let name, _):
      return name
    }
  }
}

extension RecordSchema.Primitive {
  /// The type's name in Swift.
  var spelling: String {
    switch self {
    case .bool: "Bool"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int64"
    case .int: "Int"
    case .int128: "Int128"
    case .uint8: "UInt8"
    case .uint16: "UInt16"
    case .uint32: "UInt32"
    case .uint64: "UInt64"
    case .uint: "UInt"
    case .uint128: "UInt128"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .url: "URL"
    case .decimal: "Decimal"
    case .duration: "Duration"
    }
  }
}
