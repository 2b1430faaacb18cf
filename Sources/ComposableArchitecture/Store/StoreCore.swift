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

  /// The core at the root, for observation.
  var root: any RootCoreProtocol { preconditionOverridden() }

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
}

/// What stores need of their root whatever its types are.
@MainActor
protocol RootCoreProtocol: AnyObject {
  /// Asks to be told once when `node`'s part of the state has become another one.
  func observe(_ node: StoreNode)
}
