internal import IssueReporting
@_spi(SharedChangeTracking) internal import Sharing

/// A failure of a test, and where it is shown.
struct TestIssue: Sendable {
  let message: String
  let place: SourcePlace

  /// Reports the issue as strictly as the test store is: a failure, an expected issue, or nothing.
  func report(_ exhaustivity: Exhaustivity) {
    switch exhaustivity {
    case .on:
      self.place.report(self.message)
    case .off(showSkippedAssertions: true):
      withExpectedIssue(
        fileID: self.place.fileID, filePath: self.place.filePath, line: self.place.line,
        column: self.place.column
      ) {
        self.place.report("Skipped assertions. …\n\n\(self.message)")
      }
    case .off(showSkippedAssertions: false):
      break
    }
  }
}

/// What a test has left open.
struct LeftOver: Sendable {
  var issues: [TestIssue] = []
  let exhaustivity: Exhaustivity
  let place: SourcePlace
  let sharedChanges: SharedChangeTracker

  init(exhaustivity: Exhaustivity, place: SourcePlace, sharedChanges: SharedChangeTracker) {
    self.exhaustivity = exhaustivity
    self.place = place
    self.sharedChanges = sharedChanges
  }

  func report() {
    for issue in self.issues { issue.report(self.exhaustivity) }
    if self.sharedChanges.hasChanges { self.reportSharedChanges() }
  }

  /// Reports changes where the test is, rather than where the shared value is declared.
  private func reportSharedChanges() {
    func report() {
      withIssueContext(
        fileID: self.place.fileID, filePath: self.place.filePath, line: self.place.line,
        column: self.place.column
      ) {
        self.sharedChanges.reportUnassertedChangesNow()
      }
    }
    switch self.exhaustivity {
    case .on: report()
    case .off(showSkippedAssertions: true):
      withExpectedIssue(
        isIntermittent: true, fileID: self.place.fileID, filePath: self.place.filePath,
        line: self.place.line, column: self.place.column, report)
    case .off(showSkippedAssertions: false): self.sharedChanges.reset()
    }
  }
}

extension TestLedger {
  /// Reports something that an exhaustive test has to assert.
  ///
  /// - Parameter exhaustivity: Which to follow instead of the store's.
  func report(
    _ message: String, at place: SourcePlace, exhaustivity: Exhaustivity? = nil
  ) {
    TestIssue(message: message, place: place).report(exhaustivity ?? self.exhaustivity)
  }

  /// How to report what is skipped at the test's own wish: it is shown, unless that is turned off.
  var exhaustivityOfSkipping: Exhaustivity {
    self.exhaustivity == .on ? .off(showSkippedAssertions: true) : self.exhaustivity
  }

  /// Reports the actions that were not received.
  func reportUnreceivedActions(at place: SourcePlace) {
    guard let issue = self.unreceivedActionsIssue(at: place) else { return }
    issue.report(self.exhaustivity)
  }

  /// Reports the changes of shared state that were not asserted, and forgets them.
  func reportSharedChanges(at place: SourcePlace) {
    LeftOver(
      exhaustivity: self.exhaustivity, place: place,
      sharedChanges: self.effectChanges
    ).report()
  }

  /// What a test has left open at its end.
  func whatIsLeft() -> LeftOver {
    var left = LeftOver(
      exhaustivity: self.exhaustivity, place: self.place,
      sharedChanges: self.effectChanges)
    if let issue = self.unreceivedActionsIssue(at: self.place) { left.issues.append(issue) }
    for running in self.inFlight {
      left.issues.append(TestIssue(message: Self.runningEffectText, place: running.place))
    }
    return left
  }

  private func unreceivedActionsIssue(at place: SourcePlace) -> TestIssue? {
    guard !self.received.isEmpty else { return nil }
    let count = self.received.count
    let actions: String = self.received
      .map { "    • \(shortCase($0.action))" }
      .joined(separator: "\n")
    return TestIssue(
      message: """
        The store received \(count) unexpected action\(count == 1 ? "" : "s"). …

          Unhandled actions:
        \(actions)

        Assert them with "store.receive", skip them with "await store.skipReceivedActions()", or \
        let the test store not be exhaustive: "store.exhaustivity = .off".
        """,
      place: place)
  }

  private static var runningEffectText: String {
    """
    An effect returned for this action is still running. It must complete before the end of the \
    test. …

    Why an effect may not have ended, and what to do:

    • It needs a little time yet: wait for it with "await store.finish()" at the end of the test.

    • It waits for a clock: advance the test's clock far enough, or give the feature an immediate \
    one.

    • It goes on until it is stopped, as a timer or a subscription does: mark it with \
    "cancellable(id:)" and send the action whose reducer returns "Effect.cancel(id:)".

    • The test is not about it: perform "await store.skipInFlightEffects()", or let the test store \
    not be exhaustive: "store.exhaustivity = .off".
    """
  }
}

extension String {
  /// The text with each of its lines moved to the right; empty lines stay empty.
  func indented(by count: Int) -> String {
    let space = String(repeating: " ", count: count)
    return self.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : space + $0 }
      .joined(separator: "\n")
  }
}

/// The case of an action and of the enums in it, without its type or other payload:
/// `.path(.element(id:, action: .tap))`.
func shortCase(_ value: Any) -> String {
  if let value = value as? any CustomDebugStringConvertible { return value.debugDescription }
  let text = caseText(value)
  return text.isEmpty ? dumped(value) : text
}
