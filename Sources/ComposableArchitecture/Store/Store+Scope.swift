public import CasePaths

/// What a child store is found again by.
struct ScopeID: Equatable {
  var state: AnyKeyPath
  var action: AnyKeyPath
}

/// The children of a store: few, and found by paths that mostly are the very same objects.
struct ScopedChildren {
  private var entries: [(id: ScopeID, child: AnyObject)] = []

  subscript(id: ScopeID) -> AnyObject? {
    for entry in self.entries where entry.id.state === id.state && entry.id.action === id.action {
      return entry.child
    }
    return self.entries.first { $0.id == id }?.child
  }

  mutating func append(_ child: AnyObject, for id: ScopeID) {
    self.entries.append((id, child))
  }
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
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, ChildAction>>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    self.child(at: ScopeID(state: state, action: action), state) { AnyCasePath(property: action) }
  }

  /// The store of a child feature.
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    self.child(at: ScopeID(state: state, action: action), state) { AnyCasePath(action) }
  }

  /// The store of a child feature.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, ChildAction>>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    self.scope(state, action: action)
  }

  /// The store of a child feature.
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    self.scope(state, action: action)
  }

  private func child<ChildState, ChildAction>(
    at id: ScopeID, _ state: KeyPath<State, ChildState>,
    path: () -> AnyCasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    if let child = self.children[id] as? Store<ChildState, ChildAction> { return child }
    let core = ScopedCore(base: self.core, statePath: state, actionPath: path())
    let child = Store<ChildState, ChildAction>(core: core)
    self.children.append(child, for: id)
    return child
  }
}
