public import CasePaths

extension Store where State: ObservableState {
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
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, ChildAction>>
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    self.optionalChild(at: ScopeID(state: state, action: action), state) {
      AnyCasePath(property: action)
    }
  }

  /// The store of a child feature whose state is optional, `nil` when there is none.
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    self.optionalChild(at: ScopeID(state: state, action: action), state) { AnyCasePath(action) }
  }

  /// The store of a child feature whose state is optional, `nil` when there is none.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, ChildAction>>
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    self.scope(state, action: action)
  }

  /// The store of a child feature whose state is optional, `nil` when there is none.
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    self.scope(state, action: action)
  }

  private func optionalChild<ChildState, ChildAction>(
    at id: ScopeID, _ state: KeyPath<State, ChildState?>,
    path: () -> AnyCasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    let parts = self.parts(for: id, PartStores<Bool, ChildState, ChildAction>.self)
    guard let childState = self.observedState[keyPath: state] else {
      parts.forget(true)
      return nil
    }
    return parts.store(for: true) {
      let path = path()
      return PartCore(
        base: self.core, last: childState, read: { $0[keyPath: state] },
        embed: { path.embed($0) })
    }
  }
}
