import Synchronization

/// Counts the issues of an operation that expects some, where no test framework does.
final class ExpectedIssues: Sendable {
  @TaskLocal static var current: ExpectedIssues?
  private let seen = Mutex(0)

  func count() { seen.withLock { $0 += 1 } }
  var isEmpty: Bool { seen.withLock { $0 == 0 } }
}

/// Runs an operation that is known to report issues, or to throw, and takes them as expected.
///
/// That no issue comes is an issue itself, unless `isIntermittent`. In Swift Testing this is its
/// `withKnownIssue`, so that failed expectations count as well.
public func withExpectedIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: () throws -> Void
) {
  let place = IssueContext.current ?? IssueContext(fileID, filePath, line, column)
  if IssueReporters.explicit == nil, isTesting,
    TestFramework.withKnownIssue(message, isIntermittent: isIntermittent, at: place, body)
  {
    return
  }
  let expected = ExpectedIssues()
  ExpectedIssues.$current.withValue(expected) {
    do { try body() } catch {
      reportIssue(
        error, message, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    }
  }
  reportMissing(expected, message, isIntermittent: isIntermittent, at: place)
}

/// Runs an asynchronous operation that is known to report issues, or to throw.
///
/// That no issue comes is an issue itself, unless `isIntermittent`.
public func withExpectedIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: () async throws -> Void
) async {
  let place = IssueContext.current ?? IssueContext(fileID, filePath, line, column)
  if IssueReporters.explicit == nil, isTesting,
    await TestFramework.withKnownIssue(
      message, isIntermittent: isIntermittent, isolation: isolation, at: place, body)
  {
    return
  }
  let expected = ExpectedIssues()
  await ExpectedIssues.$current.withValue(
    expected,
    operation: {
      do { try await body() } catch {
        reportIssue(
          error, message, fileID: place.fileID, filePath: place.filePath, line: place.line,
          column: place.column)
      }
    }, isolation: isolation)
  reportMissing(expected, message, isIntermittent: isIntermittent, at: place)
}

private func reportMissing(
  _ expected: ExpectedIssues, _ message: String?, isIntermittent: Bool, at place: IssueContext
) {
  guard !isIntermittent, expected.isEmpty else { return }
  let text: String = "Known issue was not recorded" + (message.map { ": \($0)" } ?? "")
  reportIssue(
    text, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
}
