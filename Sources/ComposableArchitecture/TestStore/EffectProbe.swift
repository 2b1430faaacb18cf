internal import ConcurrencyExtras

/// Tells when that has arrived which effects send as the first thing they do.
///
/// An effect of its own, started after those of the test, does just that: where tasks run one after
/// the other, what it sends arrives right after theirs.
@MainActor
final class EffectProbe {
  private enum Action { case start, arrive }

  private let arrival = Arrival()
  private lazy var store = Store<Void, Action>(initialState: ()) { [arrival] in
    Reduce<Void, Action> { _, action in
      switch action {
      case .start:
        return .run { send in await send(.arrive) }
      case .arrive:
        MainActor.assumeIsolated { arrival.arrive() }
        return .none
      }
    }
  }

  /// Waits until the probe's action has arrived.
  ///
  /// - Returns: How many actions a ledger had received by then.
  func actionsThatArriveAtOnce<State, Action>(in ledger: TestLedger<State, Action>) async -> Int {
    var count = ledger.received.count
    self.arrival.arrive = { count = ledger.received.count }
    let task = self.store.send(.start)
    await task.finish()
    self.arrival.arrive = {}
    return count
  }

  @MainActor
  private final class Arrival {
    var arrive: () -> Void = {}
  }
}
