internal import CasePaths

/// The core of a store that shows a part of another one's state.
@MainActor
final class ScopedCore<ParentState, ParentAction, State, Action>: StoreCore<State, Action> {
  private let base: StoreCore<ParentState, ParentAction>
  private let statePath: KeyPath<ParentState, State>
  private let actionPath: AnyCasePath<ParentAction, Action>
  private lazy var node = StoreNode(currentIdentity: currentIdentity(of: self))

  init(
    base: StoreCore<ParentState, ParentAction>, statePath: KeyPath<ParentState, State>,
    actionPath: AnyCasePath<ParentAction, Action>
  ) {
    self.base = base
    self.statePath = statePath
    self.actionPath = actionPath
  }

  override var state: State { self.base.state[keyPath: self.statePath] }
  override var isInvalid: Bool { self.base.isInvalid }
  override var isObservable: Bool {
    self.base.isObservable || State.self is any ObservableState.Type
  }
  override func observe(_ node: StoreNode) { self.base.observe(node) }

  override func noteAccess() {
    guard !self.base.isObservable else { return self.base.noteAccess() }
    self.node.access { self.observe($0) }
  }

  override func send(_ action: Action, from sender: ActionSender) -> EffectScope? {
    self.base.send(self.actionPath.embed(action), from: sender)
  }
}
