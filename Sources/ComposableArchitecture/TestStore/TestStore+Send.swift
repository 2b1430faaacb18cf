public import CasePaths
internal import ConcurrencyExtras
@_spi(SharedChangeTracking) internal import Sharing

extension TestStore {
  /// Sends an action and asserts how the state changes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - updateStateToExpectedResult: Changes the state from before the action into the one that is
  ///     expected after it. Leave it out where nothing changes.
  /// - Returns: The effects that the action started, to wait for or to cancel.
  @discardableResult
  public func send(
    _ action: Action,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await self.send(
      action, assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Sends an action that has no payload, by its case, and asserts how the state changes.
  @discardableResult
  public func send(
    _ action: CaseKeyPath<Action, Void>,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await self.send(
      action(), assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Sends an action by its case and its payload, and asserts how the state changes.
  @discardableResult
  public func send<Value>(
    _ action: CaseKeyPath<Action, Value>,
    _ value: Value,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await self.send(
      action(value), assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func send(
    _ action: Action, assert update: ((inout State) throws -> Void)?, at place: SourcePlace
  ) async -> TestStoreTask {
    guard !self.isDismissed else {
      place.report("Can't send action to dismissed test store.")
      return TestStoreTask(scope: nil, timeout: self.timeout)
    }
    self.reportActionsBeforeSending(at: place)
    switch self.exhaustivity {
    case .on: break
    case .off(showSkippedAssertions: true): await self.skipReceivedActions(strict: false, at: place)
    case .off(showSkippedAssertions: false): self.ledger.received = []
    }

    let before: State = self.state
    let stackElementID = self.dependencies.stackElementID.peek()
    let handled = self.ledger.received.count
    self.ledger.willSend(at: place)
    let scope = self.ledger.effectChanges.track {
      self.core.send(action, from: .outside(fileID: place.fileID, line: place.line))
    }
    self.ledger.didSend(scope)
    let arrived =
      scope?.isRunning == true
      ? await self.probe.actionsThatArriveAtOnce(in: self.ledger) : self.ledger.received.count

    // The closure finds the store's state as it was before, as it does where it receives.
    let after: State = self.state
    self.ledger.state = before
    self.assertStateChange(
      StateChange(
        before: before, after: after, stackElementID: stackElementID,
        shared: self.sharedStepOfSentAction(handled: handled, arrived: arrived)),
      update: update, at: place)
    self.ledger.state = after
    self.ledger.didAssert(at: place)
    // Effects get time to start here, so that a test need not give it to them.
    await self.ledger.letTasksRun()
    return TestStoreTask(scope: scope, timeout: self.timeout)
  }

  /// What the sent action changed in shared state, and what may be asserted with it.
  ///
  /// - Parameters:
  ///   - handled: How many received actions were there before it.
  ///   - arrived: How many were there when what its effects send at once had arrived.
  private func sharedStepOfSentAction(handled: Int, arrived: Int) -> SharedStep {
    let own = self.ledger.sentChanges
    let effects = self.ledger.effectChanges
    guard self.sharedChangesAssertion == .withNextAssertion else {
      return SharedStep(required: [own], optional: [effects])
    }
    let received = self.ledger.received.map(\.sharedChanges)
    return SharedStep(
      required: [own] + received[handled..<arrived],
      optional: received[..<handled] + received[arrived...] + [effects])
  }

  private func reportActionsBeforeSending(at place: SourcePlace) {
    let count = self.ledger.received.count
    guard count > 0 else { return }
    self.ledger.report(
      """
      Must handle \(count) received action\(count == 1 ? "" : "s") before sending an action. …

      Unhandled actions: \(dumped(self.ledger.received.map(\.action)))
      """, at: place)
  }
}
