internal import ConcurrencyExtras
internal import Observation

/// One iteration over the states of a store.
///
/// No state is left out, however slow the iteration is: it holds those that were not yet asked for.
@MainActor
final class StateChanges<State> {
  private let publisher: StorePublisher<State>
  // Without an identity, so that it hears of changes inside an observable state as well.
  private let node = StoreNode(currentIdentity: { nil })
  private var unread: [State] = []
  /// Whether the present state was not given out.
  private var isStale = true
  private var last: State?
  private let signal: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init(of publisher: StorePublisher<State>) {
    self.publisher = publisher
    (self.signal, self.continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.observe()
  }

  /// The next state; `nil` once the task that asks is cancelled.
  func next() async -> UncheckedSendable<State>? {
    while true {
      if let state = self.takeUnread() ?? self.takePresent() {
        self.last = state
        return UncheckedSendable(state)
      }
      var signal = self.signal.makeAsyncIterator()
      guard await signal.next(isolation: MainActor.shared) != nil else { return nil }
    }
  }

  private func takeUnread() -> State? {
    self.unread.isEmpty ? nil : self.unread.removeFirst()
  }

  private func takePresent() -> State? {
    guard self.isStale else { return nil }
    self.isStale = false
    let state = self.publisher.read()
    return self.isRepetition(state) ? nil : state
  }

  private func isRepetition(_ state: State) -> Bool {
    guard let previous = self.unread.last ?? self.last else { return false }
    return self.publisher.isRepetition(previous, state)
  }

  private func observe() {
    withObservationTracking {
      self.node.access(observing: self.publisher.observe)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.willChange() }
    }
  }

  /// Is called while the state is still the old one.
  private func willChange() {
    if self.isStale {
      let state = self.publisher.read()
      if !self.isRepetition(state) { self.unread.append(state) }
    }
    self.isStale = true
    self.observe()
    self.continuation.yield()
  }
}
