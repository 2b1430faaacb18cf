public import CasePaths
internal import ConcurrencyExtras
internal import IssueReporting

extension Reducer {
  /// Embeds a feature that is presented while its state is not `nil`.
  ///
  /// The child runs before this reducer. It is left alone once its state is `nil`, of another
  /// identity or in another case: its effects are cancelled then. `PresentationAction.dismiss`
  /// makes the state `nil` after this reducer has run.
  ///
  /// - Parameters:
  ///   - presentation: The way to the child's state, as `\.$destination`.
  ///   - action: The case of the child's actions.
  ///   - destination: The child.
  @warn_unqualified_access
  public func ifLet<DestinationState, DestinationAction, Destination: Reducer>(
    _ presentation: WritableKeyPath<State, PresentationState<DestinationState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, PresentationAction<DestinationAction>>
    >,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _PresentationReducer<Self, Destination>
  where
    Action: CasePathable, Destination.State == DestinationState,
    Destination.Action == DestinationAction
  {
    _PresentationReducer(
      base: self, presentationPath: presentation, actionPath: AnyCasePath(property: action),
      destination: destination(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Embeds a feature that is presented while its state is not `nil`.
  ///
  /// The child runs before this reducer. It is left alone once its state is `nil`, of another
  /// identity or in another case: its effects are cancelled then. `PresentationAction.dismiss`
  /// makes the state `nil` after this reducer has run.
  ///
  /// - Parameters:
  ///   - presentation: The way to the child's state, as `\.$destination`.
  ///   - action: The case of the child's actions.
  ///   - destination: The child.
  @warn_unqualified_access
  @_disfavoredOverload
  public func ifLet<DestinationState, DestinationAction, Destination: Reducer>(
    _ presentation: WritableKeyPath<State, PresentationState<DestinationState>>,
    action: CaseKeyPath<Action, PresentationAction<DestinationAction>>,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _PresentationReducer<Self, Destination>
  where Destination.State == DestinationState, Destination.Action == DestinationAction {
    _PresentationReducer(
      base: self, presentationPath: presentation, actionPath: AnyCasePath(action),
      destination: destination(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Handles a state that ends with the first action it sends, as that of an alert.
  @warn_unqualified_access
  public func ifLet<DestinationState: _EphemeralState, DestinationAction>(
    _ presentation: WritableKeyPath<State, PresentationState<DestinationState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, PresentationAction<DestinationAction>>
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _PresentationReducer<Self, EmptyReducer<DestinationState, DestinationAction>>
  where Action: CasePathable {
    _PresentationReducer(
      base: self, presentationPath: presentation, actionPath: AnyCasePath(property: action),
      destination: EmptyReducer(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Handles a state that ends with the first action it sends, as that of an alert.
  @warn_unqualified_access
  @_disfavoredOverload
  public func ifLet<DestinationState: _EphemeralState, DestinationAction>(
    _ presentation: WritableKeyPath<State, PresentationState<DestinationState>>,
    action: CaseKeyPath<Action, PresentationAction<DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _PresentationReducer<Self, EmptyReducer<DestinationState, DestinationAction>> {
    _PresentationReducer(
      base: self, presentationPath: presentation, actionPath: AnyCasePath(action),
      destination: EmptyReducer(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// A reducer with a feature that it presents.
public struct _PresentationReducer<Base: Reducer, Destination: Reducer>: Reducer {
  let base: Base
  let presentationPath: WritableKeyPath<Base.State, PresentationState<Destination.State>>
  let actionPath: AnyCasePath<Base.Action, PresentationAction<Destination.Action>>
  let destination: Destination
  let place: SourcePlace

  public func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let entered = ReducingThread.enter()
    defer { ReducingThread.leave(entered) }
    let before = state[keyPath: self.presentationPath]
    guard let presentationAction = self.actionPath.extract(from: action) else {
      guard let running = before.running else {
        return self.base._reduce(into: &state, action: action)
      }
      let effect = self.base._reduce(into: &state, action: action)
      return effect.merge(with: self.tearDown(running, in: &state))
    }
    guard let destinationState = before.wrappedValue else {
      self.reportAbsentState(action)
      let effect = self.base._reduce(into: &state, action: action)
      guard let running = before.running else { return effect }
      return effect.merge(with: self.tearDown(running, in: &state))
    }
    let identity = StateIdentity(destinationState, at: self.presentationPath)
    switch presentationAction {
    case .dismiss:
      let effect = self.base._reduce(into: &state, action: action)
      if self.isPresented(identity, in: state) {
        state[keyPath: self.presentationPath].wrappedValue = nil
      }
      guard let running = before.running else { return effect }
      return effect.merge(with: self.tearDown(running, in: &state))
    case .presented(let childAction):
      return self.reduce(
        into: &state, action: action, childAction: childAction, before: before,
        identity: identity)
    }
  }

  private func reduce(
    into state: inout Base.State, action: Base.Action, childAction: Destination.Action,
    before: PresentationState<Destination.State>, identity: StateIdentity
  ) -> Effect<Base.Action> {
    let path = PartPlace(identity, in: currentNavigationPath(), isPresented: true)
    // Told before the child runs: it may go on to another case.
    let isEphemeral =
      before.wrappedValue.flatMap(ephemeralType)?.canSend(childAction) ?? false
    let (childEffect, running) = self.reduceChild(
      &state[keyPath: self.presentationPath], at: path, action: childAction)
    let baseEffect = self.base._reduce(into: &state, action: action)
    if isEphemeral, self.isPresented(identity, in: state) {
      state[keyPath: self.presentationPath].wrappedValue = nil
    }
    var effect = childEffect.merge(with: baseEffect)
    if let running { effect = effect.merge(with: self.tearDown(running, in: &state)) }
    if let old = before.running, old != running {
      effect = effect.merge(with: self.cancel(old))
    }
    return effect
  }

  private func reduceChild(
    _ presentation: inout PresentationState<Destination.State>, at path: NavigationPath,
    action: Destination.Action
  ) -> (effect: Effect<Base.Action>, running: NavigationPath?) {
    let effect = presentation.withPresented { state in
      ComposableArchitecture.reduceChild(
        self.destination, at: path, into: &state, action: action)
    }
    guard let effect else { return (.none, presentation.running) }
    if effect.needsCancellation { presentation.running = path }
    let parentEffect = effect.ofChild(
      at: path,
      dismiss: { [actionPath = self.actionPath] in actionPath.embed(.dismiss) },
      embed: { [actionPath = self.actionPath] in actionPath.embed(.presented($0)) })
    return (parentEffect, presentation.running)
  }

  /// Cancels the effects of a child that is not there any more.
  private func tearDown(
    _ running: NavigationPath, in state: inout Base.State
  ) -> Effect<Base.Action> {
    let presentation = state[keyPath: self.presentationPath]
    if let current = presentation.wrappedValue,
      (running as? PartPlace)?.identity == StateIdentity(current, at: self.presentationPath)
    {
      return .none
    }
    if presentation.running == running {
      state[keyPath: self.presentationPath].running = nil
    }
    return self.cancel(running)
  }

  private func cancel(_ running: NavigationPath) -> Effect<Base.Action> {
    // A copy of a state that was presented in another place or store has nothing to cancel there.
    guard running.parent == currentNavigationPath() else { return .none }
    return .cancelChild(at: running)
  }

  private func isPresented(_ identity: StateIdentity, in state: Base.State) -> Bool {
    guard let current = state[keyPath: self.presentationPath].wrappedValue else { return false }
    return StateIdentity(current, at: self.presentationPath) == identity
  }

  private func reportAbsentState(_ action: Base.Action) {
    self.place.report(
      """
      An "ifLet" at "\(self.place.fileID):\(self.place.line)" received a presentation action when \
      destination state was absent. …

        Action:
          \(describeCase(action))

      The child can't run on state that is not there. Either a reducer made the state "nil" before \
      this one ran: let "ifLet" come first; or an effect outlived the presentation: start it in the \
      child's reducer, so that it is cancelled with the child; or the action was sent while nothing \
      was presented.
      """
    )
  }
}

extension PresentationState {
  /// Changes the presented state in place; does nothing when there is none.
  mutating func withPresented<R>(_ body: (inout State) -> R) -> R? {
    guard self.box?.state != nil else { return nil }
    return body(&self.wrappedValue!)
  }
}
