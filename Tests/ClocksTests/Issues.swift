import ConcurrencyExtras
import IssueReporting

/// Keeps the texts of the issues that it is handed.
final class Issues: IssueReporter {
  private let all = LockIsolated<[String]>([])

  var texts: [String] { all.value }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text = message() ?? ""
    all.withValue { $0.append(text) }
  }
}
