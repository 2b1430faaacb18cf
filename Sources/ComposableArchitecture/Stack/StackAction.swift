public import ActionCoding
public import CasePaths

/// The actions of the features on a stack: their own, and those that change the stack.
///
/// ```swift
/// enum Action {
///   case path(StackActionOf<Path>)
/// }
/// ```
public indirect enum StackAction<State, Action> {
  /// An action of one element.
  case element(id: StackElementID, action: Action)

  /// Removes an element and all above it.
  case popFrom(id: StackElementID)

  /// Puts an element on the stack.
  case push(id: StackElementID, state: State)
}

/// The stack actions of a reducer.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>

extension StackAction: CasePathable {
  /// The cases of a stack's actions, and by an id those of an element.
  public struct AllCasePaths: CasePathReflectable, Sequence, Sendable {
    public subscript(root: StackAction) -> PartialCaseKeyPath<StackAction> {
      switch root {
      case .element: \.element
      case .popFrom: \.popFrom
      case .push: \.push
      }
    }

    /// An action of one element.
    public var element: AnyCasePath<StackAction, (id: StackElementID, action: Action)> {
      AnyCasePath<StackAction, (id: StackElementID, action: Action)>(
        embed: { .element(id: $0.id, action: $0.action) },
        extract: {
          guard case .element(let id, let action) = $0 else { return nil }
          return (id: id, action: action)
        })
    }

    /// The removal of an element and all above it.
    public var popFrom: AnyCasePath<StackAction, StackElementID> {
      AnyCasePath<StackAction, StackElementID>(
        embed: { .popFrom(id: $0) },
        extract: {
          guard case .popFrom(let id) = $0 else { return nil }
          return id
        })
    }

    /// The putting of an element on the stack.
    public var push: AnyCasePath<StackAction, (id: StackElementID, state: State)> {
      AnyCasePath<StackAction, (id: StackElementID, state: State)>(
        embed: { .push(id: $0.id, state: $0.state) },
        extract: {
          guard case .push(let id, let state) = $0 else { return nil }
          return (id: id, state: state)
        })
    }

    /// An action of the element with an id.
    public subscript(id id: StackElementID) -> AnyCasePath<StackAction, Action> {
      AnyCasePath<StackAction, Action>(
        embed: { .element(id: id, action: $0) },
        extract: {
          guard case .element(id, let action) = $0 else { return nil }
          return action
        })
    }

    public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<StackAction>]> {
      [\.element, \.popFrom, \.push].makeIterator()
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension StackAction: CasePathIterable {}
extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}

extension StackAction: Recordable where State: Recordable, Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .element(let id, let action):
      try writer.put(byte: 0)
      try writer.descend()
      try id.encode(to: &writer)
      try action.encode(to: &writer)
    case .popFrom(let id):
      try writer.put(byte: 1)
      try writer.descend()
      try id.encode(to: &writer)
    case .push(let id, let state):
      try writer.put(byte: 2)
      try writer.descend()
      try id.encode(to: &writer)
      try state.encode(to: &writer)
    }
    writer.ascend()
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getCase()
    guard number < 3 else { throw reader.unknownCase(number, of: "StackAction") }
    try reader.descend()
    let id = try StackElementID(from: &reader)
    switch number {
    case 0: self = .element(id: id, action: try Action(from: &reader))
    case 1: self = .popFrom(id: id)
    default: self = .push(id: id, state: try State(from: &reader))
    }
    reader.ascend()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    let id = RecordSchema.Field("id", schema.type(StackElementID.self))
    let action = RecordSchema.Field("action", schema.type(Action.self))
    let state = RecordSchema.Field("state", schema.type(State.self))
    return .enumeration(
      name: "StackAction",
      cases: [
        .init(index: 0, name: "element", fields: [id, action]),
        .init(index: 1, name: "popFrom", fields: [id]),
        .init(index: 2, name: "push", fields: [id, state]),
      ])
  }
}
