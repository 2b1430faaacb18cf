internal import ConcurrencyExtras

/// The actions of an effect, as an asynchronous sequence.
///
/// The effect runs anew for each iteration, and is cancelled with it.
public struct _EffectPublisher<Action>: AsyncSequence, Sendable {
  public typealias Element = Action
  public typealias Failure = Never

  let effect: Effect<Action>

  /// The actions of `effect`.
  public init(_ effect: Effect<Action>) {
    self.effect = effect
  }

  public func makeAsyncIterator() -> AsyncIterator {
    let operation = self.effect.operation
    let stream = AsyncStream<UncheckedSendable<Action>> { continuation in
      let task = Task { @MainActor in
        _ = await operation.perform(
          Send { continuation.yield(UncheckedSendable($0)) })
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
    return AsyncIterator(base: stream.makeAsyncIterator())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<UncheckedSendable<Action>>.AsyncIterator

    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Action? {
      await self.base.next(isolation: actor)?.value
    }
  }
}
