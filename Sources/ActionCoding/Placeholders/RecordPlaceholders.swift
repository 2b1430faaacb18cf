import FoundationEssentials

/// The bytes of values that stand for what is not known: of each type of a schema the one that needs
/// the least.
///
/// Zeros, empty texts and collections, nil, and of an enum the first of the cases that need the least.
struct RecordPlaceholders {
  /// What the strings are: some types are read from a text of one character only.
  enum Text: CaseIterable { case empty, character }

  private let schema: RecordSchema
  private let text: Text
  /// How many types each value is made of; nil where no value can be made.
  private let costs: [Int?]

  init(_ schema: RecordSchema, text: Text = .empty) {
    self.schema = schema
    self.text = text
    self.costs = Self.costs(schema)
  }

  /// The bytes of a value of the type; nil where it has none that can be read.
  func bytes(of type: RecordSchema.TypeIndex) -> [UInt8]? {
    guard self.costs[type] != nil else { return nil }
    var output = RecordOutput()
    guard (try? self.write(type, to: &output)) != nil else { return nil }
    return output.bytes
  }

  /// The cases of an enum, those that need the least first.
  func cases(of type: RecordSchema.TypeIndex) -> [RecordSchema.Case] {
    guard case .enumeration(_, let cases) = self.schema.types[type] else { return [] }
    let known = cases.enumerated().compactMap { offset, item in
      Self.cost(item.fields, self.costs).map { (cost: $0, offset: offset, item: item) }
    }
    return known.sorted { ($0.cost, $0.offset) < ($1.cost, $1.offset) }.map(\.item)
  }

  /// The bytes of a case of an enum.
  func bytes(of item: RecordSchema.Case) -> [UInt8]? {
    var output = RecordOutput()
    output.put(varint: item.index)
    for field in item.fields {
      guard (try? self.write(field.type, to: &output)) != nil else { return nil }
    }
    return output.bytes
  }

  // MARK: - What a value needs

  /// More than this many types no placeholder may be made of: that of a damaged schema could be
  /// larger than memory.
  private static let costLimit = 65_536

  private static func costs(_ schema: RecordSchema) -> [Int?] {
    var costs: [Int?] = Array(repeating: nil, count: schema.types.count)
    // A type may need another that stands anywhere: as long as something becomes known or less.
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for (index, type) in schema.types.enumerated().reversed() {
        guard let cost = Self.cost(type, costs), cost < costs[index] ?? .max else { continue }
        costs[index] = cost
        hasChanged = true
      }
    }
    return costs
  }

  private static func cost(_ type: RecordSchema.Definition, _ costs: [Int?]) -> Int? {
    switch type {
    case .primitive, .optional, .array, .set, .dictionary, .codable, .described: 1
    case .structure(_, let fields): self.cost(fields, costs).map { $0 + 1 }
    case .enumeration(_, let cases):
      cases.compactMap { self.cost($0.fields, costs) }.min().map { $0 + 1 }
    case .opaque: type.isRedacted ? 1 : nil
    }
  }

  private static func cost(_ fields: [RecordSchema.Field], _ costs: [Int?]) -> Int? {
    var sum = 0
    for field in fields {
      guard let cost = costs[field.type] else { return nil }
      sum += cost
      guard sum < self.costLimit else { return nil }
    }
    return sum
  }

  // MARK: - Bytes

  private func write(
    _ type: RecordSchema.TypeIndex, to output: inout RecordOutput
  ) throws(RecordDecodingError) {
    switch self.schema.types[type] {
    case .primitive(let primitive):
      guard try output.put(primitive.placeholder(self.text), as: primitive) else {
        throw RecordDecodingError("", offset: 0)
      }
    case .optional, .array, .set, .dictionary: output.put(byte: 0)
    case .structure(_, let fields):
      for field in fields {
        // A constant has the value that the source gives it.
        if field.isConstant, let value = field.standard.value(as: field.type, of: self.schema) {
          try RecordValueWriter(self.schema).write(value, as: field.type, to: &output)
        } else {
          try self.write(field.type, to: &output)
        }
      }
    case .enumeration:
      guard let item = self.cases(of: type).first, let bytes = self.bytes(of: item) else {
        throw RecordDecodingError("", offset: 0)
      }
      output.put(raw: bytes)
    case .codable(let name), .described(let name, _):
      try output.put(tree: .opaque(name: name, reason: RecordSchema.redactedReason))
    case .opaque: break
    }
  }
}

extension RecordSchema.Primitive {
  fileprivate func placeholder(_ text: RecordPlaceholders.Text) -> RecordValue {
    switch self {
    case .bool: .bool(false)
    case .string: .string(text == .empty ? "" : " ")
    case .data: .data(.init())
    case .date: .date(.init(timeIntervalSinceReferenceDate: 0))
    case .uuid: .uuid(.placeholder)
    case .url: .url(.placeholder)
    case .decimal: .decimal(0)
    case .duration: .duration(.zero)
    default: .int(0)
    }
  }
}
