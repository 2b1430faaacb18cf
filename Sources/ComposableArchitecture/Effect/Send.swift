/// Sends actions back into the store from a running effect.
///
/// ```swift
/// return .run { send in
///   await send(.started)
///   let items = try await client.items()
///   await send(.finished(items))
/// }
/// ```
///
/// Nothing is sent any more once the effect's task is cancelled.
@MainActor
public struct Send<Action>: Sendable {
  let send: @MainActor @Sendable (Action) -> Void

  /// Makes a value that hands actions to `send`.
  public nonisolated init(send: @escaping @MainActor @Sendable (Action) -> Void) {
    self.send = send
  }

  /// Sends an action back into the store.
  public func callAsFunction(_ action: Action) {
    guard !Task.isCancelled else { return }
    self.send(action)
  }
}

/// The type that sends the actions of a reducer.
public typealias SendOf<R: Reducer> = Send<R.Action>
