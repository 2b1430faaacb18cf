/// A reducer that does nothing.
public struct EmptyReducer<State, Action>: Reducer {
  /// Makes a reducer that changes nothing and starts no effect.
  @inlinable
  public init() {}

  @inlinable
  public func _reduce(into _: inout State, action _: Action) -> Effect<Action> {
    .none
  }
}
