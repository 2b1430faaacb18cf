import ComposableArchitecture
import IssueReporting

/// Keeps the issues of a test instead of failing it.
final class Issues: IssueReporter {
  struct Issue: Sendable {
    var text: String
    var fileID: String
    var line: UInt
    var isExpected: Bool
  }

  private let kept = LockIsolated<[Issue]>([])

  var issues: [Issue] { self.kept.value }
  /// The texts of failures.
  var failures: [String] { self.issues.filter { !$0.isExpected }.map(\.text) }
  /// The texts of expected issues, which do not fail a test.
  var expected: [String] { self.issues.filter(\.isExpected).map(\.text) }
  var firstLines: [String] {
    self.failures.map { $0.split(separator: "\n").first.map(String.init) ?? "" }
  }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    self.keep(message(), fileID, line, isExpected: false)
  }

  func expectIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    self.keep(message(), fileID, line, isExpected: true)
  }

  private func keep(_ text: String?, _ fileID: StaticString, _ line: UInt, isExpected: Bool) {
    let issue = Issue(text: text ?? "", fileID: "\(fileID)", line: line, isExpected: isExpected)
    self.kept.withValue { $0.append(issue) }
  }
}

/// Runs an operation and returns the issues that it reported.
@MainActor
func issues(of operation: @MainActor () async throws -> Void) async rethrows -> Issues {
  let issues = Issues()
  try await withIssueReporters([issues]) { try await operation() }
  return issues
}
