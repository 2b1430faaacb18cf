public import CasePaths
internal import ConcurrencyExtras
extension Reducer {
  /// Embeds a child whose state is optional.
  ///
  /// The child runs before this reducer. Its effects are cancelled once its state is `nil` or of
  /// another identity.
  ///
  /// - Parameters:
  ///   - state: The way to the child's state.
  ///   - action: The case of the child's actions.
  ///   - wrapped: The child.
  @warn_unqualified_access
  public func ifLet<WrappedState, WrappedAction, Wrapped: Reducer>(
    _ state: WritableKeyPath<State, WrappedState?>,
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, WrappedAction>>,
    @ReducerBuilder<WrappedState, WrappedAction> then wrapped: () -> Wrapped,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _IfLetReducer<Self, Wrapped>
  where Action: CasePathable, Wrapped.State == WrappedState, Wrapped.Action == WrappedAction {
    _IfLetReducer(
      parent: self, statePath: state, actionPath: AnyCasePath(property: action), child: wrapped(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Embeds a child whose state is optional.
  ///
  /// The child runs before this reducer. Its effects are cancelled once its state is `nil` or of
  /// another identity.
  ///
  /// - Parameters:
  ///   - state: The way to the child's state.
  ///   - action: The case of the child's actions.
  ///   - wrapped: The child.
  @warn_unqualified_access
  @_disfavoredOverload
  public func ifLet<WrappedState, WrappedAction, Wrapped: Reducer>(
    _ state: WritableKeyPath<State, WrappedState?>,
    action: CaseKeyPath<Action, WrappedAction>,
    @ReducerBuilder<WrappedState, WrappedAction> then wrapped: () -> Wrapped,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _IfLetReducer<Self, Wrapped>
  where Wrapped.State == WrappedState, Wrapped.Action == WrappedAction {
    _IfLetReducer(
      parent: self, statePath: state, actionPath: AnyCasePath(action), child: wrapped(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Handles an optional state that ends with the first action it sends.
  @warn_unqualified_access
  public func ifLet<WrappedState: _EphemeralState, WrappedAction>(
    _ state: WritableKeyPath<State, WrappedState?>,
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, WrappedAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _IfLetReducer<Self, EmptyReducer<WrappedState, WrappedAction>> where Action: CasePathable {
    _IfLetReducer(
      parent: self, statePath: state, actionPath: AnyCasePath(property: action),
      child: EmptyReducer(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Handles an optional state that ends with the first action it sends.
  @warn_unqualified_access
  @_disfavoredOverload
  public func ifLet<WrappedState: _EphemeralState, WrappedAction>(
    _ state: WritableKeyPath<State, WrappedState?>,
    action: CaseKeyPath<Action, WrappedAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _IfLetReducer<Self, EmptyReducer<WrappedState, WrappedAction>> {
    _IfLetReducer(
      parent: self, statePath: state, actionPath: AnyCasePath(action), child: EmptyReducer(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// A reducer with a child whose state is optional.
public struct _IfLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let statePath: WritableKeyPath<Parent.State, Child.State?>
  let actionPath: AnyCasePath<Parent.Action, Child.Action>
  let child: Child
  let place: SourcePlace

  public func _reduce(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    let entered = ReducingThread.enter()
    defer { ReducingThread.leave(entered) }
    let childAction = self.actionPath.extract(from: action)
    guard let before = state[keyPath: self.statePath] else {
      if childAction != nil { self.reportAbsentState(action) }
      return self.parent._reduce(into: &state, action: action)
    }
    let identity = StateIdentity(before, at: self.statePath)
    guard let childAction else {
      let effect = self.parent._reduce(into: &state, action: action)
      return effect.merge(with: self.tearDown(identity, in: state))
    }
    let path = PartPlace(identity, in: currentNavigationPath(), isPresented: false)
    let isEphemeral = ephemeralType(of: before)?.canSend(childAction) ?? false
    let childEffect = modifyValue(of: &state, at: self.statePath) {
      reduceChild(self.child, at: path, into: &$0!, action: childAction)
    }.ofChild(at: path) { [actionPath = self.actionPath] in actionPath.embed($0) }
    let parentEffect = self.parent._reduce(into: &state, action: action)
    if isEphemeral, let current = state[keyPath: self.statePath],
      StateIdentity(current, at: self.statePath) == identity
    {
      state[keyPath: self.statePath] = nil
    }
    return childEffect.merge(with: parentEffect)
      .merge(with: self.tearDown(identity, in: state))
  }

  /// Cancels the effects of a child that is not there any more.
  private func tearDown(
    _ identity: StateIdentity, in state: Parent.State
  ) -> Effect<Parent.Action> {
    if let current = state[keyPath: self.statePath],
      StateIdentity(current, at: self.statePath) == identity
    {
      return .none
    }
    return .cancelChild(at: PartPlace(identity, in: currentNavigationPath(), isPresented: false))
  }

  private func reportAbsentState(_ action: Parent.Action) {
    self.place.report(
      """
      An "ifLet" at "\(self.place.fileID):\(self.place.line)" received a child action when child \
      state was "nil". …

        Action:
          \(describeCase(action))

      The child can't run on state that is not there. Either a reducer made the state "nil" before \
      this one ran: let "ifLet" come first; or an effect outlived the child: start it in the \
      child's reducer, so that it is cancelled with the child; or the action was sent while the \
      state was "nil".
      """
    )
  }
}
