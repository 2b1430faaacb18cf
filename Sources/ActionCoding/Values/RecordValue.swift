public import FoundationEssentials

/// A value without its type: what a record's bytes say, read by the schema alone.
///
/// ```swift
/// let value = try RecordValue(bytes, schema: schema)
/// print(value)                      // itemRenamed(id: 1, name: "x")
/// print(value.json())               // {"itemRenamed":{"id":1,"name":"x"}}
/// ```
public enum RecordValue: Sendable {
  /// An absent optional.
  case null
  /// A present optional whose content may itself be absent; any other is its content alone.
  indirect case some(RecordValue)
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case int128(Int128)
  case uint128(UInt128)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case url(URL)
  case decimal(Decimal)
  case duration(Duration)
  case array([RecordValue])
  /// Each element once, in the order of their bytes.
  case set([RecordValue])
  /// In the order of the keys' bytes.
  case dictionary([Entry])
  /// A struct, or what a `Codable` type wrote under keys; then the name is empty.
  case structure(name: String, fields: [Field])
  case enumeration(name: String, case: String, fields: [Field])
  /// A value that is not in the record, for this reason.
  case opaque(name: String, reason: String)

  /// A named value in a structure or beside an enum's case.
  ///
  /// A label that is absent is `_0`, `_1`, ….
  public struct Field: Equatable, Sendable {
    public var name: String
    public var value: RecordValue

    public init(_ name: String, _ value: RecordValue) {
      self.name = name
      self.value = value
    }
  }

  /// A key of a dictionary and what is stored under it.
  public struct Entry: Equatable, Sendable {
    public var key: RecordValue
    public var value: RecordValue

    public init(_ key: RecordValue, _ value: RecordValue) {
      self.key = key
      self.value = value
    }
  }
}

/// Equal when their bytes are: numbers by their bits, strings by their UTF-8.
extension RecordValue: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.some(let left), .some(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.int128(let left), .int128(let right)): left == right
    case (.uint128(let left), .uint128(let right)): left == right
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern
        == right.timeIntervalSinceReferenceDate.bitPattern
    case (.uuid(let left), .uuid(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.set(let left), .set(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.structure(let leftName, let left), .structure(let rightName, let right)):
      leftName == rightName && left == right
    case (
      .enumeration(let leftName, let leftCase, let left),
      .enumeration(let rightName, let rightCase, let right)
    ):
      leftName == rightName && leftCase == rightCase && left == right
    case (.opaque(let leftName, let left), .opaque(let rightName, let right)):
      leftName == rightName && left == right
    default: false
    }
  }
}
