/// Writes the values that controls are bound to into the state.
///
/// Put it first into the body of a feature whose action is a ``BindableAction``, so that the
/// reducers after it find the value written.
public struct BindingReducer<State, Action, ViewAction: BindableAction>: Reducer
where State == ViewAction.State {
  @usableFromInline let viewAction: (Action) -> ViewAction?

  @usableFromInline
  init(internal viewAction: @escaping (Action) -> ViewAction?) {
    self.viewAction = viewAction
  }

  /// Handles the bindings of the feature's own action.
  @inlinable
  public init() where Action == ViewAction {
    self.init(internal: { $0 })
  }

  /// Handles the bindings of one case of the feature's action.
  ///
  /// - Parameter action: The case that holds them, as `\.view`.
  @inlinable
  public init(action: CaseKeyPath<Action, ViewAction>) where Action: CasePathable {
    let path = AnyCasePath(action)
    self.init(internal: { path.extract(from: $0) })
  }

  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    if let binding = self.viewAction(action)?.binding { binding.run(on: &state) }
    return .none
  }
}
