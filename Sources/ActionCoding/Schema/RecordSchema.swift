/// What the bytes of a value mean: enough to read them without the value's type.
///
/// A table of types, the first of which is that of the value. They refer to each other by their
/// place in the table, so that a type may contain itself. Names are those spelled in the source,
/// with their nesting; two schemas are equal when the same bytes mean the same under both.
public struct RecordSchema: Hashable, Sendable {
  /// A type's place in ``types``.
  public typealias TypeIndex = Int

  /// The types in use.
  ///
  /// The first is the root's; there is always one.
  public let types: [Definition]

  /// A schema of these types, of which there is at least one, and which refer to no other.
  package init(types: [Definition]) { self.types = types }

  /// How a value of a type is written.
  public enum Definition: Hashable, Sendable {
    /// A value of a type that this library knows.
    case primitive(Primitive)
    /// One byte, 0 or 1, and for 1 the value.
    case optional(TypeIndex)
    /// The count, and the elements.
    case array(TypeIndex)
    /// The count, and the elements in the order of their bytes.
    case set(TypeIndex)
    /// The count, and keys and values in turn, in the order of the keys' bytes.
    case dictionary(key: TypeIndex, value: TypeIndex)
    /// The fields, in their order.
    case structure(name: String, fields: [Field])
    /// The case's index, and the fields of the case.
    case enumeration(name: String, cases: [Case])
    /// A count of bytes, and these, which describe themselves.
    case codable(name: String)
    /// A count of bytes, and these, which say of what type the value was and how it describes itself:
    /// for this reason it is not in the record.
    case described(name: String, reason: String)
    /// Nothing: the value is not in the record, for this reason.
    case opaque(name: String, reason: String)
  }

  /// A stored property, or a value that comes with an enum's case.
  public struct Field: Hashable, Sendable {
    /// The property's name or the label; `_0`, `_1`, … where there is none.
    public var name: String
    public var type: TypeIndex
    /// Whether it is a `let` with a default value, which reading compares and can't change.
    public var isConstant: Bool
    /// What values take that were recorded before the field existed, where the source tells.
    ///
    /// Known to the program that has the type: it is not in the schema's bytes, and does not count
    /// when schemas are compared.
    public var standard: RecordLiteral

    public init(
      _ name: String, _ type: TypeIndex, isConstant: Bool = false,
      default standard: RecordLiteral = .absent
    ) {
      self.name = name
      self.type = type
      self.isConstant = isConstant
      self.standard = standard
    }

    public static func == (left: Self, right: Self) -> Bool {
      left.name == right.name && left.type == right.type && left.isConstant == right.isConstant
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(self.name)
      hasher.combine(self.type)
      hasher.combine(self.isConstant)
    }
  }

  /// A case of an enum.
  public struct Case: Hashable, Sendable {
    /// The number that stands for it in the bytes.
    public var index: UInt64
    public var name: String
    public var fields: [Field]

    public init(index: UInt64, name: String, fields: [Field] = []) {
      self.index = index
      self.name = name
      self.fields = fields
    }
  }

  /// The types that are written as a whole.
  ///
  /// The raw values are those of the schema's bytes.
  public enum Primitive: UInt8, Hashable, Sendable, CaseIterable {
    case bool = 0
    case int8, int16, int32, int64, int, int128
    case uint8, uint16, uint32, uint64, uint, uint128
    case float, double
    case string, data, date, uuid, url, decimal, duration
  }
}
