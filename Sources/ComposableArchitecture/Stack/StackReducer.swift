public import CasePaths
internal import ConcurrencyExtras
internal import Dependencies

extension Reducer {
  /// Embeds the features on a stack.
  ///
  /// An element runs before this reducer. Its effects are cancelled once it is not on the stack any
  /// more. `StackAction.push` puts an element on the stack before this reducer runs,
  /// `StackAction.popFrom` removes elements after it.
  ///
  /// - Parameters:
  ///   - stack: The way to the stack.
  ///   - action: The case of the stack's actions.
  ///   - destination: The feature of an element.
  @warn_unqualified_access
  public func forEach<DestinationState, DestinationAction, Destination: Reducer>(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, StackAction<DestinationState, DestinationAction>>
    >,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _StackReducer<Self, Destination>
  where
    Action: CasePathable, Destination.State == DestinationState,
    Destination.Action == DestinationAction
  {
    _StackReducer(
      base: self, stackPath: stack, actionPath: AnyCasePath(property: action),
      destination: destination(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Embeds the features on a stack.
  ///
  /// An element runs before this reducer. Its effects are cancelled once it is not on the stack any
  /// more. `StackAction.push` puts an element on the stack before this reducer runs,
  /// `StackAction.popFrom` removes elements after it.
  ///
  /// - Parameters:
  ///   - stack: The way to the stack.
  ///   - action: The case of the stack's actions.
  ///   - destination: The feature of an element.
  @warn_unqualified_access
  @_disfavoredOverload
  public func forEach<DestinationState, DestinationAction, Destination: Reducer>(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: CaseKeyPath<Action, StackAction<DestinationState, DestinationAction>>,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _StackReducer<Self, Destination>
  where Destination.State == DestinationState, Destination.Action == DestinationAction {
    _StackReducer(
      base: self, stackPath: stack, actionPath: AnyCasePath(action), destination: destination(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// A reducer with a stack of features.
public struct _StackReducer<Base: Reducer, Destination: Reducer>: Reducer {
  let base: Base
  let stackPath: WritableKeyPath<Base.State, StackState<Destination.State>>
  let actionPath: AnyCasePath<Base.Action, StackAction<Destination.State, Destination.Action>>
  let destination: Destination
  let place: SourcePlace

  public func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let entered = ReducingThread.enter()
    defer { ReducingThread.leave(entered) }
    guard let stackAction = self.actionPath.extract(from: action) else {
      let running = state[keyPath: self.stackPath].running
      let effect = self.base._reduce(into: &state, action: action)
      guard !running.isEmpty else { return effect }
      return effect.merge(with: self.tearDown(running, in: &state))
    }
    var running = state[keyPath: self.stackPath].running
    var effect: Effect<Base.Action>
    switch stackAction {
    case .element(let id, let elementAction):
      effect = self.reduce(
        into: &state, action: action, id: id, elementAction: elementAction, running: &running)
    case .popFrom(let id):
      let canPop = state[keyPath: self.stackPath].index(of: id) != nil
      effect = self.base._reduce(into: &state, action: action)
      if canPop {
        state[keyPath: self.stackPath].pop(from: id)
      } else {
        self.report(
          "received a \"popFrom\" action for a missing element.", action, id, state,
          """
          An element can be popped only while it is on the stack. It may have been removed \
          before, or the id belongs to another stack.
          """)
      }
    case .push(let id, let element):
      self.push(element, id: id, onto: &state, action: action)
      effect = self.base._reduce(into: &state, action: action)
    }
    guard !running.isEmpty else { return effect }
    return effect.merge(with: self.tearDown(running, in: &state))
  }

  private func reduce(
    into state: inout Base.State, action: Base.Action, id: StackElementID,
    elementAction: Destination.Action, running: inout [StackState<Destination.State>.RunningElement]
  ) -> Effect<Base.Action> {
    guard let index = state[keyPath: self.stackPath].index(of: id) else {
      self.report(
        "received an action for a missing element.", action, id, state,
        """
        An element can't run once it is not on the stack. Either a reducer removed it before this \
        one ran: let "forEach" come first; or an effect outlived the element: start it in the \
        element's reducer, so that it is cancelled with the element; or the action was sent after \
        the element had gone.
        """)
      return self.base._reduce(into: &state, action: action)
    }
    let path = ElementPlace(
      id, of: self.stackPath, in: currentNavigationPath(), isPresented: true)
    let isEphemeral =
      state[keyPath: self.stackPath].slots[index].flatMap(ephemeralType)?.canSend(elementAction)
      ?? false
    let elementEffect = modifyValue(of: &state, at: self.stackPath) {
      self.reduceElement(&$0, at: index, path: path, action: elementAction)
    }
    running = state[keyPath: self.stackPath].running
    let baseEffect = self.base._reduce(into: &state, action: action)
    if isEphemeral { state[keyPath: self.stackPath].pop(from: id) }
    return elementEffect.merge(with: baseEffect)
  }

  private func reduceElement(
    _ stack: inout StackState<Destination.State>, at index: Int, path: NavigationPath,
    action: Destination.Action
  ) -> Effect<Base.Action> {
    let id = stack.ids[index]
    let effect = reduceChild(
      self.destination, at: path, into: &stack.slots[index]!, action: action)
    if effect.needsCancellation, !stack.running.contains(where: { $0.id == id }) {
      stack.running.append(.init(id: id, path: path))
    }
    return effect.ofChild(
      at: path,
      dismiss: { [actionPath = self.actionPath] in actionPath.embed(.popFrom(id: id)) },
      embed: { [actionPath = self.actionPath] in actionPath.embed(.element(id: id, action: $0)) })
  }

  private func push(
    _ element: Destination.State, id: StackElementID, onto state: inout Base.State,
    action: Base.Action
  ) {
    guard state[keyPath: self.stackPath].index(of: id) == nil else {
      self.report(
        "received a \"push\" action for an element it already contains.", action, id, state,
        """
        Each element that is pushed has an id of its own.
        """)
      return
    }
    // The element has its id: what is checked here and counted on changes no state, so that a replay
    // need not be given it.
    ReducerReads.without {
      let generator = DependencyValues._current.stackElementID
      let next = generator.peek()
      if DependencyValues._current.context == .test, id.generation > next.generation {
        self.report(
          "received a \"push\" action with an unexpected generational ID.", action, id, state,
          """
          The next id is \(next): ids count up by one for each element that is put on a stack.
          """)
      } else if id == next {
        _ = generator.next()
      }
    }
    state[keyPath: self.stackPath].push(element, id: id)
  }

  /// Cancels the effects of elements that are not on the stack any more.
  private func tearDown(
    _ running: [StackState<Destination.State>.RunningElement], in state: inout Base.State
  ) -> Effect<Base.Action> {
    let ids = state[keyPath: self.stackPath].ids
    let gone = running.filter { !ids.contains($0.id) }
    guard !gone.isEmpty else { return .none }
    state[keyPath: self.stackPath].running.removeAll { element in
      gone.contains { $0.id == element.id }
    }
    let here = currentNavigationPath()
    // A copy of a stack from another place or store has nothing to cancel there.
    return .merge(
      gone.filter { $0.path.parent == here }
        .map { .cancelChild(at: $0.path) })
  }

  private func report(
    _ what: String, _ action: Base.Action, _ id: StackElementID, _ state: Base.State,
    _ advice: String
  ) {
    let ids = state[keyPath: self.stackPath].ids
    self.place.report(
      """
      A "forEach" at "\(self.place.fileID):\(self.place.line)" \(what) …

        Action:
          \(describeCase(action))
        ID:
          \(id)
        Path IDs:
          \(ids)

      \(advice)
      """
    )
  }
}
