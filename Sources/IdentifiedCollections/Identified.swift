/// A value with an id of its own choosing, so that values that have none can be told apart.
///
/// ```swift
/// let names = IdentifiedArray(uniqueElements: ["Ada", "Alan"].map { Identified($0, id: \.self) })
/// ```
///
/// The value's properties are reached through it.
@dynamicMemberLookup
public struct Identified<ID: Hashable, Value>: Identifiable {
  /// What tells the value apart.
  public let id: ID

  /// The value.
  public var value: Value

  /// Gives a value an id.
  public init(_ value: Value, id: ID) {
    self.id = id
    self.value = value
  }

  /// Gives a value the id that is computed from it now; later changes do not alter it.
  public init(_ value: Value, id: (Value) -> ID) {
    self.init(value, id: id(value))
  }

  /// Gives a value the id that a key path reads from it now; later changes do not alter it.
  public init(_ value: Value, id: KeyPath<Value, ID>) {
    self.init(value, id: value[keyPath: id])
  }

  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }

  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }
}

extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
extension Identified: Encodable where ID: Encodable, Value: Encodable {}
extension Identified: Decodable where ID: Decodable, Value: Decodable {}
extension Identified: Sendable where ID: Sendable, Value: Sendable {}
