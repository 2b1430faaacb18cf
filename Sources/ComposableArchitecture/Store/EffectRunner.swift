internal import Dependencies
internal import IssueReporting
internal import Sharing

/// Runs the effects that one action returned.
@MainActor
final class EffectRunner<State, Action> {
  private weak var core: StoreCore<State, Action>?
  private let hook: StoreHook<State, Action>?
  private let number: Int
  private let scope: EffectScope
  private var started = 0
  /// How many actions there were to be sent at once so far.
  private var sends = 0
  /// Whether the action has just run, so that nothing here had to wait.
  private var isAtOnce = false

  /// - Parameters:
  ///   - core: Where actions go. Not kept alive: effects end with their store.
  ///   - hook: The recorder, if any.
  ///   - number: The number of the action that returned the effects.
  ///   - scope: What the effects belong to, and those of the actions that they send.
  init(
    core: StoreCore<State, Action>, hook: StoreHook<State, Action>?, number: Int,
    scope: EffectScope
  ) {
    self.core = core
    self.hook = hook
    self.number = number
    self.scope = scope
  }

  func start(_ operation: EffectOperation<Action>) {
    self.isAtOnce = true
    self.start(operation, in: self.scope, done: nil)
    self.isAtOnce = false
  }

  /// Starts `operation` in `scope`. `done` is called once it has ended, at once where nothing in
  /// it takes time.
  private func start(
    _ operation: EffectOperation<Action>, in scope: EffectScope, done: (@MainActor () -> Void)?
  ) {
    switch operation {
    case .none:
      done?()

    case .send(let action):
      let ordinal = self.sends
      if self.isAtOnce { self.sends += 1 }
      if scope.isCancelled {
        if self.isAtOnce { self.hook?.actionWasNotSent(by: self.number, ordinal: ordinal) }
      } else {
        let sender: ActionSender =
          self.isAtOnce
          ? .reducer(number: self.number, scope: self.scope)
          : .effect(startedBy: self.number, scope: self.scope)
        _ = self.core?.send(action, from: sender)
      }
      done?()

    case .run(let run):
      self.start(run, in: scope, done: done)

    case .merge(let operations):
      let remaining = Box(operations.count)
      for operation in operations {
        self.start(operation, in: scope) {
          remaining.value -= 1
          if remaining.value == 0 { done?() }
        }
      }

    case .concatenate(let operations):
      self.start(operations, from: 0, in: scope, done: done)

    case .cancellable(let id, let cancelInFlight, let operation):
      let registry = CancellationRegistry.shared
      if cancelInFlight { registry.cancel(id) }
      let inner = EffectScope(parent: scope)
      registry.insert(inner, for: id)
      self.start(operation, in: inner) {
        registry.remove(inner, for: id)
        done?()
      }

    case .cancel(let id):
      CancellationRegistry.shared.cancel(id)
      done?()
    }
  }

  /// Starts the operations from `first` on, each when the one before has ended.
  ///
  /// A loop over those that end at once, so that a long list needs no stack.
  private func start(
    _ operations: [EffectOperation<Action>], from first: Int, in scope: EffectScope,
    done: (@MainActor () -> Void)?
  ) {
    for index in first..<operations.count {
      let hasReturned = Box(false)
      let hasEnded = Box(false)
      self.start(operations[index], in: scope) {
        hasEnded.value = true
        guard hasReturned.value else { return }
        self.start(operations, from: index + 1, in: scope, done: done)
      }
      hasReturned.value = true
      if !hasEnded.value { return }
    }
    done?()
  }

  private func start(
    _ run: EffectRun<Action>, in scope: EffectScope, done: (@MainActor () -> Void)?
  ) {
    let index = self.started
    self.started += 1
    self.hook?.effectDidStart(
      EffectStart(
        action: self.number, index: index, name: run.name, fileID: "\(run.fileID)",
        line: run.line, isDelayed: !self.isAtOnce))

    let number = self.number
    let isCompleted = Box(false)
    let send: Send<Action> = withEscapedDependencies { escaped in
      Send { [weak core = self.core, group = self.scope] action in
        if isCompleted.value { Self.reportLateSend(action, run) }
        escaped.yield {
          _ = core?.send(action, from: .effect(startedBy: number, scope: group))
        }
      }
    }

    scope.enter()
    run.willStart?()
    let key = Box(0)
    let origin = SharedEffectOrigin(self.hook?.reads?.part, action: number)
    let task = Task(name: run.name, priority: run.priority) { @MainActor [weak hook] in
      let error: (any Error)?
      if let origin {
        error = await SharedEffectOrigin.$current.withValue(origin) { await run.body(send) }
      } else {
        error = await run.body(send)
      }
      isCompleted.value = true
      let end: EffectEnd
      if let error {
        end = .failed(String(describing: error))
      } else {
        end = Task.isCancelled ? .cancelled : .finished
      }
      hook?.effectDidEnd(action: number, index: index, end)
      done?()
      scope.remove(key.value)
      scope.leave()
    }
    // The task can't have run yet: it waits for the main actor, which is here.
    key.value = scope.add { task.cancel() }
    self.hook?.effectHasTask(task, action: number, index: index)
  }

  private static func reportLateSend(_ action: Action, _ run: EffectRun<Action>) {
    reportIssue(
      """
      An action was sent from a completed effect. …

        Action:
          \(describeCase(action))

        Effect returned from:
          "\(run.fileID):\(run.line)"

      The closure of "Effect.run" had returned when it was sent. Do not let "send" escape from \
      it, for instance into a "Task": await there whatever still has to send.
      """
    )
  }
}

/// A value shared by closures of the main actor.
@MainActor
final class Box<Value> {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
