internal import ConcurrencyExtras

extension TestStore {
  /// Drops the actions that effects have sent and the test has not received, and goes on with the
  /// state after them.
  ///
  /// - Parameter strict: Whether it is a failure that there are none.
  public func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.skipReceivedActions(
      strict: strict,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  func skipReceivedActions(strict: Bool, at place: SourcePlace) async {
    await Task.megaYield()
    guard let last = self.ledger.received.last else {
      if strict { place.report("There were no received actions to skip.") }
      return
    }
    let actions: [Action] = self.ledger.received.map(\.action)
    self.ledger.report(
      """
      \(actions.count) received action\(actions.count == 1 ? " was" : "s were") skipped:

      \(actions.count == 1 ? dumped(actions[0]) : dumped(actions))
      """, at: place, exhaustivity: self.ledger.exhaustivityOfSkipping)
    self.ledger.state = last.state
    self.ledger.received = []
  }

  /// Cancels the effects that run.
  ///
  /// - Parameter strict: Whether it is a failure that there are none.
  public func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await Task.megaYield()
    let actions: [Action] = self.ledger.inFlight.map(\.action)
    guard !actions.isEmpty else {
      if strict { place.report("There were no in-flight effects to skip.") }
      return
    }
    self.ledger.report(
      """
      \(actions.count) in-flight effect\(actions.count == 1 ? " was" : "s were") cancelled, \
      originating from:

      \(actions.count == 1 ? dumped(actions[0]) : dumped(actions))
      """, at: place, exhaustivity: self.ledger.exhaustivityOfSkipping)
    self.ledger.cancelEffects()
  }
}
