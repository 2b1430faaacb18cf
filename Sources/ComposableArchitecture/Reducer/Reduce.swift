/// A reducer made of a closure.
public struct Reduce<State, Action>: Reducer {
  @usableFromInline let reduce: (inout State, Action) -> Effect<Action>

  /// Makes a reducer that runs `reduce` for each action.
  @inlinable
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.reduce = reduce
  }

  /// Hides the type of another reducer.
  @inlinable
  public init(_ reducer: some Reducer<State, Action>) {
    self.reduce = reducer._reduce
  }

  @inlinable
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    self.reduce(&state, action)
  }
}
