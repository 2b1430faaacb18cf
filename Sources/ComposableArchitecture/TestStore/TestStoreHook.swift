/// Tells a test store's ledger what the store does, and the recorder as well, where there is one.
final class TestStoreHook<State: Equatable, Action>: StoreHook<State, Action> {
  private let ledger: TestLedger<State, Action>
  private let recorder: StoreHook<State, Action>?

  init(ledger: TestLedger<State, Action>, recorder: StoreHook<State, Action>?) {
    self.ledger = ledger
    self.recorder = recorder
    super.init()
    self.reads = recorder?.reads
    if let recorder { self.wish = recorder.wish }
  }

  override func storeDidStart(initialState: State) {
    self.recorder?.currentState = self.currentState
    self.recorder?.storeDidStart(initialState: initialState)
  }

  override func stateWasWished(_ state: State) {
    self.recorder?.stateWasWished(state)
  }

  override func actionWillReduce(_ action: Action, number: Int, origin: ActionOrigin) {
    self.ledger.actionWillReduce(action, number: number, origin: origin)
    self.recorder?.actionWillReduce(action, number: number, origin: origin)
  }

  override func actionDidReduce(number: Int, state: State) {
    self.recorder?.actionDidReduce(number: number, state: state)
    self.ledger.actionDidReduce(number: number, state: state)
  }

  override func effectDidStart(_ effect: EffectStart) {
    self.recorder?.effectDidStart(effect)
    self.ledger.effectDidStart(action: effect.action, index: effect.index)
  }

  override func effectHasTask(_ task: Task<Void, Never>, action: Int, index: Int) {
    self.recorder?.effectHasTask(task, action: action, index: index)
    self.ledger.effectHasTask(task, action: action, index: index)
  }

  override func actionWasNotSent(by action: Int, ordinal: Int) {
    self.recorder?.actionWasNotSent(by: action, ordinal: ordinal)
  }

  override func effectDidEnd(action: Int, index: Int, _ end: EffectEnd) {
    self.recorder?.effectDidEnd(action: action, index: index, end)
    self.ledger.effectDidEnd(action: action, index: index)
  }

  override func storeDidEnd() {
    self.recorder?.storeDidEnd()
  }
}
