internal import ConcurrencyExtras
internal import Dependencies
internal import IssueReporting

/// The root of a store: it owns the state, runs the reducer and the effects.
@MainActor
final class RootCore<State, Action>: StoreCore<State, Action> {
  /// An action that waits for its turn.
  private final class Pending {
    let action: Action
    let origin: ActionOrigin
    let scope: EffectScope?
    var next: Pending?

    init(action: Action, origin: ActionOrigin, scope: EffectScope?) {
      self.action = action
      self.origin = origin
      self.scope = scope
    }
  }

  private let reducer: (inout State, Action) -> Effect<Action>
  private let dependencies: RootDependencies
  // The main actor alone touches these, and never one while it changes: nothing is to be checked.
  @exclusivity(unchecked) private var currentState: State
  private let hook: StoreHook<State, Action>?
  private let effects = EffectScope(parent: nil)

  private lazy var node = StoreNode(currentIdentity: currentIdentity(of: self))

  @exclusivity(unchecked) private var isSending = false
  @exclusivity(unchecked) private var firstPending: Pending?
  @exclusivity(unchecked) private var lastPending: Pending?
  @exclusivity(unchecked) private var number = 0
  @exclusivity(unchecked) private var observed: [StoreNode] = []

  init(
    initialState: State, reducer: @escaping (inout State, Action) -> Effect<Action>,
    dependencies: RootDependencies, hook: StoreHook<State, Action>?
  ) {
    self.currentState = initialState
    self.reducer = reducer
    self.dependencies = dependencies
    self.hook = hook
    super.init(isObservable: State.self is any ObservableState.Type)
    hook?.currentState = { [weak self] in self?.currentState }
    hook?.storeDidStart(initialState: initialState)
  }

  deinit {
    self.effects.cancel()
    self.hook?.storeDidEnd()
  }

  override var state: State { self.currentState }
  override func noteAccess() { self.node.access { self.observe($0) } }

  override func send(_ action: Action, from sender: ActionSender) -> EffectScope? {
    switch sender {
    case .outside(let fileID, let line):
      guard self.isSending else { return self.run(action, origin: .user, scope: nil) }
      self.reportReentrant(action, fileID: fileID, line: line)
      self.enqueue(action, origin: .observer(during: self.number), scope: nil)
      return nil
    case .effect(let number, let scope):
      guard self.isSending else {
        return self.run(action, origin: .effect(startedBy: number), scope: scope)
      }
      self.enqueue(action, origin: .effect(startedBy: number), scope: scope)
      return nil
    case .reducer(let number, let scope):
      self.enqueue(action, origin: .action(number), scope: scope)
      return nil
    }
  }

  /// Runs an action and all that wait after it, in a loop: chains of any length need no stack.
  private func run(
    _ action: Action, origin: ActionOrigin, scope: EffectScope?
  ) -> EffectScope? {
    var scope = scope
    self.isSending = true
    var state = self.currentState
    self.dependencies.install {
      self.reduce(action, origin: origin, ownScope: nil, into: &state, scope: &scope)
      if self.firstPending != nil { self.drain(into: &state, scope: &scope) }
    }
    self.commit(state)
    // An observer may have sent something while the state was written.
    while self.firstPending != nil {
      state = self.currentState
      self.dependencies.install { self.drain(into: &state, scope: &scope) }
      self.commit(state)
    }
    self.isSending = false
    return scope
  }

  private func drain(into state: inout State, scope: inout EffectScope?) {
    while let next = self.firstPending {
      self.firstPending = next.next
      if next.next == nil { self.lastPending = nil }
      self.reduce(
        next.action, origin: next.origin, ownScope: next.scope, into: &state, scope: &scope)
    }
  }

  private func reduce(
    _ action: Action, origin: ActionOrigin, ownScope: EffectScope?, into state: inout State,
    scope callScope: inout EffectScope?
  ) {
    self.number += 1
    let number = self.number
    // Not bound to a name, which would retain the hook: that is slow once something refers to it
    // weakly.
    if let wish = self.hook?.unretainedWish, StateWish.isRaised(wish) {
      self.hook?.stateWasWished(state)
    }
    self.hook?.actionWillReduce(action, number: number, origin: origin)
    let entered = ReducingThread.enter()
    let effect: Effect<Action>
    if let reads = self.hook?.unretainedReads {
      // Not in a closure, whose generic result would have its type looked up for each action.
      let run = ReducerReads.enter(reads)
      effect = self.reducer(&state, action)
      ReducerReads.leave(run)
    } else {
      effect = self.reducer(&state, action)
    }
    ReducingThread.leave(entered)
    self.hook?.actionDidReduce(number: number, state: state)
    switch effect.operation {
    case .none:
      break
    case .send(let action):
      self.enqueue(action, origin: .action(number), scope: ownScope)
    default:
      let scope: EffectScope
      if let own = ownScope ?? callScope {
        scope = own
      } else {
        scope = EffectScope(parent: self.effects)
        callScope = scope
      }
      EffectRunner(core: self, hook: self.hook, number: number, scope: scope)
        .start(effect.operation)
    }
  }

  private func enqueue(_ action: Action, origin: ActionOrigin, scope: EffectScope?) {
    let pending = Pending(action: action, origin: origin, scope: scope)
    if let last = self.lastPending { last.next = pending } else { self.firstPending = pending }
    self.lastPending = pending
  }

  // MARK: - Observation

  override func observe(_ node: StoreNode) {
    self.observed.append(node)
  }

  private func commit(_ state: State) {
    guard !self.observed.isEmpty else {
      self.currentState = state
      return
    }
    let observed = self.observed
    self.observed = []
    let previous = self.currentState
    self.currentState = state
    // Which parts have changed is told from the new state; whoever observes is told while the old
    // one is still there, as Observation does it everywhere.
    var changed: [StoreNode] = []
    for node in observed {
      if node.hasChanged() { changed.append(node) } else { self.observed.append(node) }
    }
    guard !changed.isEmpty else { return }
    self.currentState = previous
    for node in changed { node.willChange() }
    self.currentState = state
    for node in changed { node.didChange() }
  }

  private func reportReentrant(_ action: Action, fileID: StaticString, line: UInt) {
    reportIssue(
      """
      Sent '\(describeCase(action))' while an action was being processed. …

      It was sent from "\(fileID):\(line)", from inside of a reducer or of an observer of the \
      state. It waits until the running action is done; in which order such actions run, compared \
      with those of effects, is undefined. Return an effect from the reducer to send an action \
      after another one.
      """
    )
  }
}
