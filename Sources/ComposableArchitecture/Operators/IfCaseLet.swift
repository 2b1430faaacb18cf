public import CasePaths
extension Reducer {
  /// Embeds a child whose state is one case of this reducer's state.
  ///
  /// The child runs before this reducer. Its effects are cancelled once the state is in another
  /// case or the child's is of another identity.
  ///
  /// - Parameters:
  ///   - state: The case that the child's state is in.
  ///   - action: The case of the child's actions.
  ///   - then: The child.
  @warn_unqualified_access
  public func ifCaseLet<CaseState, CaseAction, Case: Reducer>(
    _ state: CaseKeyPath<State, CaseState>,
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, CaseAction>>,
    @ReducerBuilder<CaseState, CaseAction> then case: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _IfCaseLetReducer<Self, Case>
  where
    Action: CasePathable, Case.State == CaseState, Case.Action == CaseAction, State: CasePathable
  {
    _IfCaseLetReducer(
      parent: self, stateKeyPath: state, statePath: AnyCasePath(state),
      actionPath: AnyCasePath(property: action), child: `case`(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Embeds a child whose state is one case of this reducer's state.
  ///
  /// The child runs before this reducer. Its effects are cancelled once the state is in another
  /// case or the child's is of another identity.
  ///
  /// - Parameters:
  ///   - state: The case that the child's state is in.
  ///   - action: The case of the child's actions.
  ///   - then: The child.
  @warn_unqualified_access
  @_disfavoredOverload
  public func ifCaseLet<CaseState, CaseAction, Case: Reducer>(
    _ state: CaseKeyPath<State, CaseState>,
    action: CaseKeyPath<Action, CaseAction>,
    @ReducerBuilder<CaseState, CaseAction> then case: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _IfCaseLetReducer<Self, Case>
  where Case.State == CaseState, Case.Action == CaseAction, State: CasePathable {
    _IfCaseLetReducer(
      parent: self, stateKeyPath: state, statePath: AnyCasePath(state),
      actionPath: AnyCasePath(action), child: `case`(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// A reducer with a child whose state is one case of its own.
public struct _IfCaseLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let stateKeyPath: AnyKeyPath
  let statePath: AnyCasePath<Parent.State, Child.State>
  let actionPath: AnyCasePath<Parent.Action, Child.Action>
  let child: Child
  let place: SourcePlace

  public func _reduce(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    let childAction = self.actionPath.extract(from: action)
    guard var childState = self.statePath.extract(from: state) else {
      if childAction != nil { self.reportOtherCase(state, action) }
      return self.parent._reduce(into: &state, action: action)
    }
    let identity = StateIdentity(childState, at: self.stateKeyPath)
    guard let childAction else {
      let effect = self.parent._reduce(into: &state, action: action)
      return effect.merge(with: self.tearDown(identity, in: state))
    }
    let path = PartPlace(identity, in: currentNavigationPath(), isPresented: false)
    let childEffect = reduceChild(
      self.child, at: path, into: &childState, action: childAction
    ).ofChild(at: path) { [actionPath = self.actionPath] in actionPath.embed($0) }
    state = self.statePath.embed(childState)
    let parentEffect = self.parent._reduce(into: &state, action: action)
    return childEffect.merge(with: parentEffect)
      .merge(with: self.tearDown(identity, in: state))
  }

  /// Cancels the effects of a child that is not there any more.
  private func tearDown(
    _ identity: StateIdentity, in state: Parent.State
  ) -> Effect<Parent.Action> {
    if let current = self.statePath.extract(from: state),
      StateIdentity(current, at: self.stateKeyPath) == identity
    {
      return .none
    }
    return .cancelChild(at: PartPlace(identity, in: currentNavigationPath(), isPresented: false))
  }

  private func reportOtherCase(_ state: Parent.State, _ action: Parent.Action) {
    self.place.report(
      """
      An "ifCaseLet" at "\(self.place.fileID):\(self.place.line)" received a child action when \
      child state was set to a different case. …

        Action:
          \(describeCase(action))
        State:
          \(describeCase(state))

      The child can't run on state that is not there. Either a reducer changed the case before \
      this one ran: let "ifCaseLet" come first; or an effect outlived the case: start it in the \
      child's reducer, so that it is cancelled with the child; or the action was sent while the \
      state was in another case.
      """
    )
  }
}
