/// A default value as it is spelled in the source, where that is a literal.
///
/// A value that was recorded before its field existed takes the field's default, which so has to be
/// the same in every process: what is computed, as `UUID()`, never is. ``Recordable()`` hands
/// literals over; written by hand, a literal of Swift is one of these.
public indirect enum RecordLiteral: Hashable, Sendable {
  /// There is no default, or one that is not a literal.
  case absent
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([RecordLiteral])
  case dictionary([[RecordLiteral]])
}

extension RecordLiteral: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .null }
}

extension RecordLiteral: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension RecordLiteral: ExpressibleByIntegerLiteral {
  /// A literal that 64 bits do not hold is left out.
  public init(integerLiteral value: StaticBigInt) {
    self = value.bitWidth <= 64 ? .integer(Int64(bitPattern: UInt64(value[0]))) : .absent
  }
}

extension RecordLiteral: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension RecordLiteral: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension RecordLiteral: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: RecordLiteral...) { self = .array(elements) }
}

extension RecordLiteral: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (RecordLiteral, RecordLiteral)...) {
    self = .dictionary(elements.map { [$0.0, $0.1] })
  }
}

extension RecordLiteral {
  /// The value that the literal gives for a type of the schema; nil where the type is none of those
  /// whose literals are known.
  func value(as type: RecordSchema.TypeIndex, of schema: RecordSchema) -> RecordValue? {
    switch (self, schema.types[type]) {
    case (.null, .optional): return .null
    case (_, .optional(let wrapped)):
      guard let value = self.value(as: wrapped, of: schema) else { return nil }
      if case .null = value { return .some(value) }
      return value
    case (.bool(let value), .primitive(.bool)): return .bool(value)
    case (.integer(let value), .primitive(let primitive)):
      return RecordValue.int(value).converted(to: primitive)
    case (.double(let value), .primitive(.double)): return .double(value)
    case (.double(let value), .primitive(.float)): return .float(Float(value))
    case (.string(let value), .primitive(.string)): return .string(value)
    case (.array(let elements), .array(let element)):
      return Self.values(of: elements, as: element, of: schema).map { .array($0) }
    case (.array(let elements), .set(let element)):
      return Self.values(of: elements, as: element, of: schema).map { .set($0) }
    case (.dictionary(let entries), .dictionary(let key, let value)):
      let keys = Self.values(of: entries.map { $0[0] }, as: key, of: schema)
      let values = Self.values(of: entries.map { $0[1] }, as: value, of: schema)
      guard let keys, let values else { return nil }
      return .dictionary(zip(keys, values).map { .init($0, $1) })
    // Without elements, a list and an object are read alike by `Codable` code.
    case (.array([]), .codable), (.dictionary([]), .codable):
      return .structure(name: "", fields: [])
    case (.null, .codable): return .null
    default: return nil
    }
  }

  private static func values(
    of literals: [RecordLiteral], as type: RecordSchema.TypeIndex, of schema: RecordSchema
  ) -> [RecordValue]? {
    let values = literals.compactMap { $0.value(as: type, of: schema) }
    return values.count == literals.count ? values : nil
  }
}
