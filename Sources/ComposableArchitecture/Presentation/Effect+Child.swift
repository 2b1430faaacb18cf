internal import CasePaths
internal import Dependencies

/// Names the effects of a child feature as a whole, at the child's place.
struct ChildEffects: Hashable, Sendable {}

extension CancelID {
  /// The effects of the child at `path`, and of all that is presented below it.
  static func child(at path: NavigationPath) -> Self {
    Self(id: ChildEffects(), path: path)
  }
}

extension Effect {
  /// Cancels the effects of the child at `path`.
  static func cancelChild(at path: NavigationPath) -> Self {
    Self(operation: .cancel(.child(at: path)))
  }

  /// Makes the effects of a child those of its parent, to be cancelled with the child.
  ///
  /// - Parameters:
  ///   - path: The child's place.
  ///   - dismiss: Makes the action that dismisses the child, where it can be.
  ///   - embed: Makes the child's actions the parent's.
  func ofChild<Parent>(
    at path: NavigationPath, dismiss: (@Sendable () -> Parent)? = nil,
    embed: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    switch self.operation {
    case .none: return .none
    case .send(let action): return .send(embed(action))
    default: break
    }
    var operation = self.operation.map(embed)
    if let dismiss { operation = operation.dismissing(path, by: dismiss) }
    return Effect<Parent>(
      operation: .cancellable(.child(at: path), cancelInFlight: false, operation))
  }

  /// Whether something of this runs on after the action, so that it may have to be cancelled.
  var needsCancellation: Bool {
    switch self.operation {
    case .none, .send, .cancel: false
    default: true
    }
  }
}

extension EffectOperation {
  /// Lets every piece of work in it dismiss the feature at `path`.
  fileprivate func dismissing(
    _ path: NavigationPath, by dismiss: @escaping @Sendable () -> Action
  ) -> Self {
    switch self {
    case .run(var run):
      let body = run.body
      run.body = { send in
        let dismissal = Dismissals(path: path) { send(dismiss()) }
        return await Dismissals.$current.withValue(Dismissals.adding(dismissal)) {
          await body(send)
        }
      }
      return .run(run)
    case .merge(let operations):
      return .merge(operations.map { $0.dismissing(path, by: dismiss) })
    case .concatenate(let operations):
      return .concatenate(operations.map { $0.dismissing(path, by: dismiss) })
    case .cancellable(let id, let cancelInFlight, let operation):
      return .cancellable(
        id, cancelInFlight: cancelInFlight, operation.dismissing(path, by: dismiss))
    case .none, .send, .cancel:
      return self
    }
  }
}

/// Runs a child's reducer at a place of its own.
func reduceChild<Child: Reducer>(
  _ child: Child, at path: NavigationPath, into state: inout Child.State, action: Child.Action
) -> Effect<Child.Action> {
  ReducerPlace.with(path) { child._reduce(into: &state, action: action) }
}
