internal import CustomDump
internal import IssueReporting

extension Shared {
  /// Says what a value that was changed while a tracker tracks should be by now.
  ///
  ///     $count.assert { $0 = 1 }
  ///
  /// - Parameter updateValueToExpectedResult: Turns the value from before the changes into what is
  ///   expected.
  public func assert(
    _ updateValueToExpectedResult: (inout Value) throws -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) rethrows where Value: Equatable {
    guard let (tracker, before, now) = trackedChange, before != now else {
      reportIssue(
        "Expected changes, but none occurred.", fileID: fileID, filePath: filePath, line: line,
        column: column)
      return
    }
    var expected: Value = before
    try updateValueToExpectedResult(&expected)
    settle(tracker, now)
    expectNoDifference(
      expected, now, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Ignores how the value was changed while a tracker tracks.
  public func skipChanges(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    guard let (tracker, _, now) = trackedChange else {
      reportIssue(
        "Expected changes to skip, but none occurred.", fileID: fileID, filePath: filePath,
        line: line, column: column)
      return
    }
    settle(tracker, now)
  }

  /// The innermost tracker that noted a change of the value, with the values before and now.
  private var trackedChange: (tracker: SharedChangeTracker, before: Value, now: Value)? {
    guard let root else { return nil }
    for tracker in SharedTrackers.tracking.reversed() where tracker.contains(root) {
      let before: Value = SharedTrackers.$side.withValue(.expected(tracker)) { wrappedValue }
      let now: Value = SharedTrackers.$side.withValue(.actual(tracker)) { wrappedValue }
      return (tracker, before, now)
    }
    return nil
  }

  /// Makes what is there what is expected.
  private func settle(_ tracker: SharedChangeTracker, _ now: Value) {
    SharedTrackers.$side.withValue(.expected(tracker)) { withLock { $0 = now } }
    if let root = box.rootReference { tracker.forget(root) }
  }
}
