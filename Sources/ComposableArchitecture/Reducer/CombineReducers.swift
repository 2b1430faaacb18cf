/// Groups reducers, so that an operator can be applied to all of them.
///
/// ```swift
/// CombineReducers {
///   ReducerA()
///   ReducerB()
/// }
/// .ifLet(\.child, action: \.child) { Child() }
/// ```
public struct CombineReducers<State, Action, Reducers: Reducer<State, Action>>: Reducer {
  @usableFromInline let reducers: Reducers

  @inlinable
  init(internal reducers: Reducers) {
    self.reducers = reducers
  }

  /// Runs the reducers that `build` lists, in order.
  @inlinable
  public init(@ReducerBuilder<State, Action> _ build: () -> Reducers) {
    self.init(internal: build())
  }

  @inlinable
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    self.reducers._reduce(into: &state, action: action)
  }
}
