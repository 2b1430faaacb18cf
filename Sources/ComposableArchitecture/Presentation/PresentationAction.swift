public import ActionCoding
public import CasePaths

/// The actions of a child feature that is presented: its own, and its dismissal.
///
/// ```swift
/// enum Action {
///   case destination(PresentationAction<Destination.Action>)
/// }
/// ```
public enum PresentationAction<Action> {
  /// Ends the presentation: `ifLet` makes the state `nil` after the parent's reducer ran.
  case dismiss

  /// An action of the child.
  indirect case presented(Action)
}

extension PresentationAction: CasePathable {
  /// The cases of a presentation's actions, and through them those of the child's.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sequence, Sendable {
    public subscript(root: PresentationAction) -> PartialCaseKeyPath<PresentationAction> {
      switch root {
      case .dismiss: \.dismiss
      case .presented: \.presented
      }
    }

    /// The dismissal.
    public var dismiss: AnyCasePath<PresentationAction, Void> {
      AnyCasePath(
        embed: { .dismiss },
        extract: {
          guard case .dismiss = $0 else { return nil }
          return ()
        })
    }

    /// An action of the child.
    public var presented: AnyCasePath<PresentationAction, Action> {
      AnyCasePath(
        embed: { .presented($0) },
        extract: {
          guard case .presented(let action) = $0 else { return nil }
          return action
        })
    }

    /// A case of the child's action.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, Member> where Action: CasePathable {
      self.presented.appending(Action.allCasePaths[keyPath: keyPath])
    }

    /// A case of the child's action, as a presentation of its own: the dismissal is in both.
    @_disfavoredOverload
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, PresentationAction<Member>>
    where Action: CasePathable {
      Self.narrowed(to: Action.allCasePaths[keyPath: keyPath])
    }

    private static func narrowed<Member>(
      to path: AnyCasePath<Action, Member>
    ) -> AnyCasePath<PresentationAction, PresentationAction<Member>> {
      AnyCasePath<PresentationAction, PresentationAction<Member>>(
        embed: {
          switch $0 {
          case .dismiss: .dismiss
          case .presented(let member): .presented(path.embed(member))
          }
        },
        extract: {
          switch $0 {
          case .dismiss: .dismiss
          case .presented(let action): path.extract(from: action).map { .presented($0) }
          }
        })
    }

    public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<PresentationAction>]> {
      [\.dismiss, \.presented].makeIterator()
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension PresentationAction: CasePathIterable {}
extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}
extension PresentationAction: Decodable where Action: Decodable {}
extension PresentationAction: Encodable where Action: Encodable {}

extension PresentationAction: Recordable where Action: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .dismiss: try writer.put(byte: 0)
    case .presented(let action):
      try writer.put(byte: 1)
      try writer.descend()
      try action.encode(to: &writer)
      writer.ascend()
    }
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getCase() {
    case 0: self = .dismiss
    case 1:
      try reader.descend()
      self = .presented(try Action(from: &reader))
      reader.ascend()
    case let other: throw reader.unknownCase(other, of: "PresentationAction")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .enumeration(
      name: "PresentationAction",
      cases: [
        .init(index: 0, name: "dismiss"),
        .init(index: 1, name: "presented", fields: [.init("_0", schema.type(Action.self))]),
      ])
  }
}
