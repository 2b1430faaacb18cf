/// What is behind a store: the state, and the way of an action to the reducer.
///
/// A base class rather than a protocol: a store calls it for every action, and a virtual call is
/// cheaper than one through an existential.
@MainActor
class StoreCore<State, Action> {
  /// The state as it is now. While an action runs it is the one from before.
  var state: State { preconditionOverridden() }

  /// Whether the state that this core shows has gone from its parent.
  var isInvalid: Bool { false }

  /// Runs an action, and returns the scope of the effects that followed, if any.
  func send(_ action: Action, from sender: ActionSender) -> EffectScope? {
    preconditionOverridden()
  }

  /// Whether who reads this state, or a part of it, reads a property of an observable state on the
  /// way, and so hears from that when the part becomes another one.
  let isObservable: Bool

  /// - Parameter isObservable: See ``isObservable``.
  init(isObservable: Bool) {
    self.isObservable = isObservable
  }

  /// Makes known to Observation that this state is read, as far as nothing on the way to it does.
  func noteAccess() { preconditionOverridden() }

  /// Asks the root to tell `node` once when its part of the state has become another one.
  func observe(_ node: StoreNode) { preconditionOverridden() }

  private func preconditionOverridden() -> Never {
    fatalError("A store's core overrides every member of 'StoreCore'.")
  }
}

/// Who calls `send`.
enum ActionSender {
  /// A call from outside.
  case outside(fileID: StaticString, line: UInt)
  /// A running effect of an action.
  case effect(startedBy: Int, scope: EffectScope)
  /// The reducer of an action that has just run, by an effect that has nothing to wait for.
  case reducer(number: Int, scope: EffectScope)
}

/// Reads the identity of a core's state as it is now; `nil` where it is not observable.
@MainActor
func currentIdentity<State, Action>(
  of core: StoreCore<State, Action>
) -> @MainActor () -> ObservableStateID? {
  guard let type = State.self as? any ObservableState.Type else { return { nil } }
  return currentIdentity(of: core, type)
}

@MainActor
private func currentIdentity<State, Action, Observable: ObservableState>(
  of core: StoreCore<State, Action>, _ type: Observable.Type
) -> @MainActor () -> ObservableStateID? {
  { [weak core] in (core?.state as? Observable)?._$id }
}
