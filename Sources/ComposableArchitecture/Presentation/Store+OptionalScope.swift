extension Store {
  /// The store of a child feature whose state is optional, `nil` when there is none.
  ///
  /// Reading it is observed: who reads hears when the child comes or goes. As long as it is held,
  /// the same paths give the same store; once the child has gone it keeps the last state that
  /// was read.
  ///
  /// - Parameters:
  ///   - state: The way to the child's state.
  ///   - action: The case of the actions that belong to the child, for a presented one
  ///     `\.child.presented`.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? where State: ObservableState {
    let parts = self.parts(
      for: ScopeID(state: state, action: action),
      PartStores<Bool, ChildState, ChildAction>.self)
    guard let childState = self.observedState[keyPath: state] else {
      parts.forget(true)
      return nil
    }
    return parts.store(for: true) {
      let path = AnyCasePath(action)
      return PartCore(
        base: self.core, last: childState, read: { $0[keyPath: state] },
        embed: { path.embed($0) })
    }
  }

  /// The store of a child feature whose state is optional, `nil` when there is none.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? where State: ObservableState {
    self.scope(state, action: action)
  }
}
