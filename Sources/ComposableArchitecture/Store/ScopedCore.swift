internal import CasePaths

/// The core of a store that shows a part of another one's state.
@MainActor
final class ScopedCore<ParentState, ParentAction, State, Action>:
  ChildCore<ParentState, ParentAction, State, Action>
{
  private let statePath: KeyPath<ParentState, State>
  private let actionPath: AnyCasePath<ParentAction, Action>

  init(
    base: StoreCore<ParentState, ParentAction>, statePath: KeyPath<ParentState, State>,
    actionPath: AnyCasePath<ParentAction, Action>
  ) {
    self.statePath = statePath
    self.actionPath = actionPath
    super.init(base: base)
  }

  override var state: State { self.base.state[keyPath: self.statePath] }
  override var isInvalid: Bool { self.base.isInvalid }

  override func send(_ action: Action, from sender: ActionSender) -> EffectScope? {
    self.base.send(self.actionPath.embed(action), from: sender)
  }
}
