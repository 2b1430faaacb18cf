/// What the cores of stores that show a part of another one's state have in common.
@MainActor
class ChildCore<ParentState, ParentAction, State, Action>: StoreCore<State, Action> {
  let base: StoreCore<ParentState, ParentAction>
  private lazy var node = StoreNode(currentIdentity: currentIdentity(of: self))

  /// - Parameter base: The core of the whole.
  init(base: StoreCore<ParentState, ParentAction>) {
    self.base = base
    super.init(isObservable: base.isObservable || State.self is any ObservableState.Type)
  }

  override func observe(_ node: StoreNode) { self.base.observe(node) }

  override func noteAccess() {
    if self.base.isObservable {
      self.base.noteAccess()
    } else {
      self.node.access { self.observe($0) }
    }
  }
}
