internal import ConcurrencyExtras

extension Store {
  /// The states of the store from now on, the present one first, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await count in store.publisher.count {
  ///   print(count)
  /// }
  /// ```
  public var publisher: StorePublisher<State> {
    let core = self.core
    return StorePublisher(
      observe: { core.observe($0) }, read: { core.state }, isRepetition: { _, _ in false })
  }
}

/// The states of a store, or a part of them, as an asynchronous sequence.
///
/// Each iteration begins with the state at that time, and goes on with the state after each action.
/// It keeps the store alive, and ends when its task is cancelled.
@dynamicMemberLookup
public struct StorePublisher<State>: AsyncSequence, Sendable {
  public typealias Element = State
  public typealias Failure = Never

  let observe: @MainActor @Sendable (StoreNode) -> Void
  let read: @MainActor @Sendable () -> State
  let isRepetition: @MainActor @Sendable (State, State) -> Bool

  /// A part of the states, each only when it differs from the one before.
  public subscript<Value: Equatable>(
    dynamicMember keyPath: KeyPath<State, Value>
  ) -> StorePublisher<Value> {
    let read = self.read
    let path = UncheckedSendable(keyPath)
    return StorePublisher<Value>(
      observe: self.observe, read: { read()[keyPath: path.value] },
      isRepetition: makeEquality(of: Value.self))
  }

  /// The same sequence, under the name that asynchronous iteration has elsewhere.
  public var values: Self { self }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(publisher: self)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let publisher: StorePublisher
    var changes: StateChanges<State>?

    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> State? {
      let changes: StateChanges<State>
      if let begun = self.changes {
        changes = begun
      } else {
        changes = await StateChanges(of: self.publisher)
        self.changes = changes
      }
      return await changes.next()?.value
    }
  }
}

/// Whether two values are equal, as a function that any thread may call.
private func makeEquality<Value: Equatable>(
  of type: Value.Type
) -> @MainActor @Sendable (Value, Value) -> Bool {
  let isEqual = UncheckedSendable<(Value, Value) -> Bool>(==)
  return { isEqual.value($0, $1) }
}
