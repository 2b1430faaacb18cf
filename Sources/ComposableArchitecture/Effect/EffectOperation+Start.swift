/// What of an effect happens right after the action that returned it.
package enum EffectAtOnce<Action> {
  /// A piece of work starts.
  case run(EffectRun<Action>)
  /// An action is sent, unless what it belongs to is cancelled.
  case send(Action)
}

extension EffectOperation {
  /// Calls `body` with what starts right after the action, in its order: all but the parts that wait
  /// for another one.
  ///
  /// - Returns: Whether nothing in it takes time.
  @discardableResult
  package func forEachAtOnce(_ body: (EffectAtOnce<Action>) -> Void) -> Bool {
    switch self {
    case .none, .cancel:
      return true
    case .send(let action):
      body(.send(action))
      return true
    case .run(let run):
      body(.run(run))
      return false
    case .merge(let operations):
      var isOver = true
      for operation in operations where !operation.forEachAtOnce(body) { isOver = false }
      return isOver
    case .concatenate(let operations):
      return operations.allSatisfy { $0.forEachAtOnce(body) }
    case .cancellable(_, _, let operation):
      return operation.forEachAtOnce(body)
    }
  }
}
