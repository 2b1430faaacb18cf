public import CasePaths

/// What a child store is found again by.
struct ScopeID: Hashable {
  var state: AnyKeyPath
  var action: AnyKeyPath
}

extension Store {
  /// The store of a child feature.
  ///
  /// The same paths give the same store each time.
  ///
  /// - Parameters:
  ///   - state: The way to the child's state.
  ///   - action: The case of the actions that belong to the child.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    let id = ScopeID(state: state, action: action)
    if let child = self.child(for: id) as? Store<ChildState, ChildAction> { return child }
    let core = ScopedCore(base: self.core, statePath: state, actionPath: AnyCasePath(action))
    let child = Store<ChildState, ChildAction>(core: core)
    self.setChild(child, for: id)
    return child
  }

  /// The store of a child feature.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    self.scope(state, action: action)
  }
}
