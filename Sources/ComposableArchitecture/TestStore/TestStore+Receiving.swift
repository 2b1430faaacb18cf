internal import ConcurrencyExtras
@_spi(SharedChangeTracking) internal import Sharing

/// What a test expects to receive.
struct ActionExpectation<Action> {
  let matches: (Action) -> Bool
  /// What to say when no such action is there.
  let missingText: () -> String
  /// What to say of another action in its place.
  let differenceText: (Action) -> String
}

extension TestStore {
  /// Waits for an action, and asserts it and how it changed the state.
  func receive(
    _ expectation: ActionExpectation<Action>, timeout: TestTimeout,
    assert update: ((inout State) throws -> Void)?, at place: SourcePlace
  ) async {
    guard self.ledger.hasEffectsInFlight else {
      self.receiveNow(expectation, assert: update, at: place)
      return
    }
    await Task.megaYield()
    if !(await timeout.wait(until: { self.hasReceived(expectation) })) {
      self.reportNothingReceived(timeout, at: place)
    }
    self.receiveNow(expectation, assert: update, at: place)
    await Task.megaYield()
  }

  /// Whether the wait is over: an exhaustive test takes whatever comes first.
  private func hasReceived(_ expectation: ActionExpectation<Action>) -> Bool {
    self.exhaustivity == .on
      ? !self.ledger.received.isEmpty
      : self.ledger.received.contains { expectation.matches($0.action) }
  }

  private func reportNothingReceived(_ timeout: TestTimeout, at place: SourcePlace) {
    let action: String = self.exhaustivity == .on ? "an action" : "a matching action"
    let advice: String =
      self.ledger.hasEffectsInFlight
      ? timeout.textOfEffectsInFlight
      : """
      There are no in-flight effects that could deliver this action. Was the effect that should \
      have sent it cancelled?
      """
    place.report(
      """
      Expected to receive \(action), but received none\(timeout.description). …

      \(advice)
      """)
  }

  private func receiveNow(
    _ expectation: ActionExpectation<Action>, assert update: ((inout State) throws -> Void)?,
    at place: SourcePlace
  ) {
    if self.exhaustivity != .on { self.skipActions(before: expectation, at: place) }
    guard
      let received = self.ledger.received.first,
      self.exhaustivity == .on || expectation.matches(received.action)
    else {
      place.report(expectation.missingText())
      return
    }
    self.ledger.received.removeFirst()
    let before: State = self.state
    if expectation.matches(received.action) {
      self.assertStateChange(
        StateChange(
          before: before, after: received.state, stackElementID: received.stackElementID,
          shared: self.sharedStep(of: received)),
        update: update, at: place)
    } else {
      let comesLater = self.ledger.received.contains { expectation.matches($0.action) }
      self.ledger.report(
        """
        Received unexpected action\(comesLater ? " before this one" : ""): …

        \(expectation.differenceText(received.action))
        """, at: place)
    }
    self.ledger.state = received.state
    self.ledger.didAssert(at: place)
  }

  /// A test that is not exhaustive passes over what it does not ask for; nothing is passed over
  /// where what it asks for is not there.
  private func skipActions(
    before expectation: ActionExpectation<Action>, at place: SourcePlace
  ) {
    guard
      let index = self.ledger.received.firstIndex(where: { expectation.matches($0.action) }),
      index > 0
    else { return }
    let skipped = self.ledger.received[..<index]
    self.ledger.report(
      """
      \(index) received action\(index == 1 ? " was" : "s were") skipped:

      \(dumped(skipped.map(\.action)))
      """, at: place)
    self.ledger.state = self.ledger.received[index - 1].state
    self.ledger.received.removeFirst(index)
  }

  /// What a received action changed in shared state, and what may be asserted with it.
  private func sharedStep(of received: TestLedger<State, Action>.Received) -> SharedStep {
    let isAtItsAction = self.sharedChangesAssertion == .atTheirAction
    let others = isAtItsAction ? [] : self.ledger.received.map(\.sharedChanges)
    return SharedStep(
      required: [received.sharedChanges], optional: others + [self.ledger.effectChanges])
  }
}
