internal import CasePaths
internal import Dependencies
internal import IssueReporting

/// The root of a store: it owns the state, runs the reducer and the effects.
@MainActor
final class RootCore<Root: Reducer>: StoreCore<Root.State, Root.Action>, RootCoreProtocol {
  typealias State = Root.State
  typealias Action = Root.Action

  /// An action that waits for its turn.
  private struct Pending {
    var action: Action
    var origin: ActionOrigin
    var scope: EffectScope?
  }

  private let reducer: Root
  private let dependencies: RootDependencies
  private var currentState: State
  private let hook: StoreHook<State, Action>?
  private let effects = EffectScope(parent: nil)

  private var isSending = false
  private var pending: [Pending?] = []
  private var nextPending = 0
  private var number = 0
  private var observed: [StoreNode] = []

  init(
    initialState: State, reducer: Root, dependencies: RootDependencies,
    hook: StoreHook<State, Action>?
  ) {
    self.currentState = initialState
    self.reducer = reducer
    self.dependencies = dependencies
    self.hook = hook
    super.init()
    hook?.currentState = { [weak self] in self?.currentState }
    hook?.storeDidStart(initialState: initialState)
  }

  deinit {
    self.effects.cancel()
    self.hook?.storeDidEnd()
  }

  override var state: State { self.currentState }
  override var root: any RootCoreProtocol { self }

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
    }
  }

  /// Runs an action and all that wait after it, in a loop: chains of any length need no stack.
  private func run(
    _ action: Action, origin: ActionOrigin, scope: EffectScope?
  ) -> EffectScope? {
    var scope = scope
    var next: Pending? = Pending(action: action, origin: origin, scope: nil)
    self.isSending = true
    repeat {
      var state = self.currentState
      self.dependencies.current.install {
        while let current = next {
          self.reduce(current, into: &state, scope: &scope)
          next = self.dequeue()
        }
      }
      self.commit(state)
      // An observer may have sent something while the state was written.
      next = self.dequeue()
    } while next != nil
    self.isSending = false
    return scope
  }

  private func reduce(
    _ current: Pending, into state: inout State, scope callScope: inout EffectScope?
  ) {
    self.number += 1
    let number = self.number
    self.hook?.actionWillReduce(current.action, number: number, origin: current.origin)
    let entered = ReducingThread.enter()
    let effect = self.reducer._reduce(into: &state, action: current.action)
    ReducingThread.leave(entered)
    self.hook?.actionDidReduce(number: number, state: state)
    switch effect.operation {
    case .none:
      break
    case .send(let action):
      self.enqueue(action, origin: .effect(startedBy: number), scope: current.scope)
    default:
      let scope: EffectScope
      if let own = current.scope ?? callScope {
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
    self.pending.append(Pending(action: action, origin: origin, scope: scope))
  }

  /// Takes the next action out of the queue.
  ///
  /// The element is moved out first and released by the caller, since the release of an action may
  /// itself send one.
  private func dequeue() -> Pending? {
    guard self.nextPending < self.pending.count else { return nil }
    var next: Pending?
    swap(&next, &self.pending[self.nextPending])
    self.nextPending += 1
    if self.nextPending == self.pending.count {
      self.pending.removeAll(keepingCapacity: self.pending.count <= 1_024)
      self.nextPending = 0
    } else if self.nextPending >= 1_024, self.nextPending * 2 >= self.pending.count {
      self.pending.removeFirst(self.nextPending)
      self.nextPending = 0
    }
    return next
  }

  // MARK: - Observation

  func observe(_ node: StoreNode) {
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
