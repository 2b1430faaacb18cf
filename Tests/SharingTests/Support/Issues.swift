import ConcurrencyExtras
import IssueReporting

/// Keeps the issues it is handed, with their places.
final class Issues: IssueReporter {
  private let all = LockIsolated<[(text: String, fileID: String, line: UInt)]>([])

  var texts: [String] { all.withValue { $0.map(\.text) } }
  var places: [String] { all.withValue { $0.map { "\($0.fileID):\($0.line)" } } }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text = message() ?? ""
    all.withValue { $0.append((text, fileID.description, line)) }
  }
}

/// Runs an operation and gives its issues.
func issues(of operation: () throws -> Void) rethrows -> Issues {
  let issues = Issues()
  try withIssueReporters([issues], operation: operation)
  return issues
}
