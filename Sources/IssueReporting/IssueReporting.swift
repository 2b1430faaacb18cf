/// How grave an issue is: a warning is shown, an error fails the test that meets it.
public enum IssueSeverity: Int, Sendable, Hashable {
  case warning
  case error
}

/// Reports a mistake that the program can go on after.
///
/// In a test it fails the test, at the place given; elsewhere it is handed to the current
/// reporters (a line on standard error by default). Reporters set by `withIssueReporters`
/// come first, in tests as well.
///
///     guard items.count == ids.count else {
///       reportIssue("Items and their ids are out of step.")
///       return
///     }
@_transparent
public func reportIssue(
  _ message: @autoclosure () -> String? = nil,
  severity: IssueSeverity = .error,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  _report(
    message, severity: severity, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Reports an error that nobody handles.
///
/// The text is "Caught error: …", after the message if there is one.
public func reportIssue(
  _ error: any Error,
  _ message: @autoclosure () -> String? = nil,
  severity: IssueSeverity = .error,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let place = IssueContext.current ?? IssueContext(fileID, filePath, line, column)
  deliver(
    place: place,
    toReporter: { reporter in
      reporter.reportIssue(
        error, message(), severity: severity, fileID: place.fileID, filePath: place.filePath,
        line: place.line, column: place.column)
    },
    expected: { reporter in
      reporter.expectIssue(
        error, message(), fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    },
    toTest: {
      TestFramework.record(caughtErrorText(error, message()), severity: severity, at: place)
    })
}

@inline(never)
public func _report(
  _ message: () -> String?,
  severity: IssueSeverity,
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt
) {
  let place = IssueContext.current ?? IssueContext(fileID, filePath, line, column)
  deliver(
    place: place,
    toReporter: { reporter in
      reporter.reportIssue(
        message(), severity: severity, fileID: place.fileID, filePath: place.filePath,
        line: place.line, column: place.column)
    },
    expected: { reporter in
      reporter.expectIssue(
        message(), fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    },
    toTest: {
      TestFramework.record(message() ?? "Issue recorded", severity: severity, at: place)
    })
}

/// Says what an error is, after what its reporter has to say about it.
func caughtErrorText(_ error: any Error, _ message: String?) -> String {
  let caught = "Caught error: \(error)"
  guard let message, !message.isEmpty else { return caught }
  return "\(message)\n\(caught)"
}

/// Hands an issue to explicit reporters, else to the test framework, else to the default ones.
private func deliver(
  place: IssueContext,
  toReporter report: (any IssueReporter) -> Void,
  expected: (any IssueReporter) -> Void,
  toTest: () -> Bool
) {
  let reporters = IssueReporters.explicit
  if let expectation = ExpectedIssues.current {
    expectation.count()
    for reporter in reporters ?? IssueReporters.defaults { expected(reporter) }
    return
  }
  if reporters == nil, isTesting, toTest() { return }
  for reporter in reporters ?? IssueReporters.defaults { report(reporter) }
}
