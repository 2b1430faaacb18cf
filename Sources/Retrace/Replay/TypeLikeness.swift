internal import ActionCoding

/// How much the types of a program are those of a recorded stream.
package enum TypeLikeness: Int, Comparable, Sendable {
  /// Other ones, which may be readable as these.
  case other
  /// They have the same names.
  case named
  /// The same bytes mean the same.
  case same

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Timeline {
  /// How much its types are those of a stream.
  package static func likeness(of stream: StreamInfo) -> TypeLikeness {
    let (state, action) = (ValueCoder<State>().schema, ValueCoder<Action>().schema)
    if state == stream.stateSchema, action == stream.actionSchema { return .same }
    let isNamed =
      state.rootName == stream.stateSchema.rootName
      && action.rootName == stream.actionSchema.rootName
    return isNamed ? .named : .other
  }
}

extension RecordSchema {
  /// The name of the type that the schema is of; empty for one that has none.
  fileprivate var rootName: String {
    switch self.types[0] {
    case .structure(let name, _), .enumeration(let name, _), .codable(let name),
      .described(let name, _), .opaque(let name, _):
      name
    case .primitive, .optional, .array, .set, .dictionary: ""
    }
  }
}
