/// The effects that an action started, and those that followed from them.
///
/// ```swift
/// let task = store.send(.refresh)
/// await task.finish()
/// ```
public struct StoreTask: Hashable, Sendable {
  let scope: EffectScope?

  init(scope: EffectScope?) {
    self.scope = scope
  }

  /// Cancels the effects.
  public func cancel() {
    self.scope?.cancel()
  }

  /// Waits until the effects have ended. Cancels them where the waiting task is cancelled.
  public func finish() async {
    guard let scope = self.scope else { return }
    await withTaskCancellationHandler {
      await scope.wait()
    } onCancel: {
      scope.cancel()
    }
  }

  /// Whether the effects were cancelled.
  public var isCancelled: Bool {
    self.scope?.isCancelled ?? true
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.scope === rhs.scope
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.scope.map(ObjectIdentifier.init))
  }
}
