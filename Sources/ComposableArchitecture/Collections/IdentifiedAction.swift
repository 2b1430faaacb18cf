public import ActionCoding
public import CasePaths

/// The actions of the features in an identified collection.
///
/// ```swift
/// enum Action {
///   case rows(IdentifiedActionOf<Row>)
/// }
/// ```
public enum IdentifiedAction<ID: Hashable & Sendable, Action> {
  /// An action of one element.
  case element(id: ID, action: Action)
}

/// The identified actions of a reducer whose state has an id.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable

extension IdentifiedAction: CasePathable {
  /// The case of an element's actions, and by an id those of one element.
  public struct AllCasePaths: CasePathReflectable, Sequence, Sendable {
    public subscript(root: IdentifiedAction) -> PartialCaseKeyPath<IdentifiedAction> {
      \.element
    }

    /// An action of one element.
    public var element: AnyCasePath<IdentifiedAction, (id: ID, action: Action)> {
      AnyCasePath<IdentifiedAction, (id: ID, action: Action)>(
        embed: { .element(id: $0.id, action: $0.action) },
        extract: {
          guard case .element(let id, let action) = $0 else { return nil }
          return (id: id, action: action)
        })
    }

    /// An action of the element with an id.
    public subscript(id id: ID) -> AnyCasePath<IdentifiedAction, Action> {
      AnyCasePath<IdentifiedAction, Action>(
        embed: { .element(id: id, action: $0) },
        extract: {
          guard case .element(id, let action) = $0 else { return nil }
          return action
        })
    }

    public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<IdentifiedAction>]> {
      [\.element].makeIterator()
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension IdentifiedAction: CasePathIterable {}
extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Sendable where Action: Sendable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}

extension IdentifiedAction: Recordable where ID: Recordable, Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    guard case .element(let id, let action) = self else { return }
    try writer.put(byte: 0)
    try id.encode(to: &writer)
    try action.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getCase()
    guard number == 0 else { throw reader.unknownCase(number, of: "IdentifiedAction") }
    let id = try ID(from: &reader)
    self = .element(id: id, action: try Action(from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .enumeration(
      name: "IdentifiedAction",
      cases: [
        .init(
          index: 0, name: "element",
          fields: [
            .init("id", schema.type(ID.self)), .init("action", schema.type(Action.self)),
          ])
      ])
  }
}
