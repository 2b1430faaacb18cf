internal import ConcurrencyExtras

extension TestStore {
  /// Waits until every effect has ended, and asserts that no action is left to receive.
  ///
  /// - Parameter duration: How long at most.
  public func finish(
    timeout duration: Duration,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.finish(
      timeout: duration.testNanoseconds, fileID: fileID, file: filePath, line: line,
      column: column)
  }

  /// Waits until every effect has ended, and asserts that no action is left to receive.
  ///
  /// - Parameter nanoseconds: How long at most; ``timeout`` by default.
  public func finish(
    timeout nanoseconds: UInt64? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let timeout = TestTimeout(nanoseconds, usual: self.timeout)
    self.ledger.reportUnreceivedActions(at: place)
    await Task.megaYield()
    if self.ledger.hasEffectsInFlight,
      await !timeout.wait(until: { !self.ledger.hasEffectsInFlight })
    {
      self.ledger.report(
        """
        Expected effects to finish, but there are still effects in-flight\(timeout.description). …

        \(timeout.textOfEffectsInFlight)
        """, at: place)
    }
    self.ledger.reportSharedChanges(at: place)
  }
}

extension TestTimeout {
  /// What to do about effects that did not end, or send, in time.
  var textOfEffectsInFlight: String {
    """
    There are effects in-flight. If they wait for a clock, advance the test's clock far enough \
    before this, or give the feature an immediate one. Where there is no clock to move, \
    \(self.advice).
    """
  }
}
