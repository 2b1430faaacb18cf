public import Dependencies

/// The runtime of a feature: it holds the state, takes actions, and runs effects.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) {
///   Counter()
/// }
/// store.send(.increment)
/// ```
///
/// A store made like this is a *root*; ``scope(state:action:)`` makes stores for the parts of its
/// feature, which all share the root's state. Releasing the root cancels its effects.
@dynamicMemberLookup
@MainActor
public final class Store<State, Action> {
  let core: StoreCore<State, Action>
  var children = ScopedChildren()

  init(core: StoreCore<State, Action>) {
    self.core = core
  }

  /// Makes a root store.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - reducer: The reducer that runs the feature.
  ///   - prepareDependencies: Changes dependencies for this store. They also hold while the initial
  ///     state and the reducer are made.
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) {
    self.init(
      core: makeRootCore(
        initialState: initialState, reducer: reducer, prepareDependencies: prepareDependencies))
  }

  /// Sends an action, and runs it before this returns.
  ///
  /// - Returns: The effects that it started, to wait for or to cancel.
  @discardableResult
  public func send(
    _ action: Action,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> StoreTask {
    StoreTask(scope: self.core.send(action, from: .outside(fileID: fileID, line: line)))
  }

  /// Reads the state.
  public func withState<R>(_ body: (_ state: State) -> R) -> R {
    body(self.observedState)
  }

  /// The state, with the reading of it made known to Observation.
  var observedState: State {
    self.core.noteAccess()
    return self.core.state
  }
}

/// The store of a reducer.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

@MainActor
private func makeRootCore<R: Reducer>(
  initialState: () -> R.State, reducer: () -> R,
  prepareDependencies: ((inout DependencyValues) -> Void)?
) -> StoreCore<R.State, R.Action> {
  guard let prepareDependencies else {
    return makeRootCore(
      initialState: initialState(), reducer: reducer(), dependencies: RootDependencies(own: nil))
  }
  let (state, reducer, dependencies) = withDependencies(prepareDependencies) {
    (initialState(), reducer(), DependencyValues._current)
  }
  return makeRootCore(
    initialState: state, reducer: reducer, dependencies: RootDependencies(own: dependencies))
}

/// Takes the recorder off the reducer, so that the store runs what it records.
@MainActor
private func makeRootCore<R: Reducer>(
  initialState: R.State, reducer: R, dependencies: RootDependencies
) -> StoreCore<R.State, R.Action> {
  if let hooked = reducer as? any _HookedReducer<R.State, R.Action> {
    return makeHookedCore(initialState, hooked, dependencies)
  }
  return RootCore(
    initialState: initialState, reducer: reducer._reduce, dependencies: dependencies, hook: nil)
}

@MainActor
private func makeHookedCore<R: _HookedReducer>(
  _ initialState: R.State, _ reducer: R, _ dependencies: RootDependencies
) -> StoreCore<R.State, R.Action> {
  makeCore(initialState, reducer.base, dependencies, reducer.makeHook())
}

/// A function of its own, since what stands for the base's type is looked up once then, and not for
/// each action.
@MainActor
private func makeCore<R: Reducer>(
  _ initialState: R.State, _ base: R, _ dependencies: RootDependencies,
  _ hook: StoreHook<R.State, R.Action>?
) -> StoreCore<R.State, R.Action> {
  RootCore(
    initialState: initialState, reducer: base._reduce, dependencies: dependencies, hook: hook)
}
