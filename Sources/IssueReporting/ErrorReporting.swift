/// Runs an operation, and reports the error that it throws.
///
///     withErrorReporting {
///       try database.save(draft)
///     }
///
/// - Parameters:
///   - message: What to say before the error.
///   - reporters: Who is told instead of the current reporters.
///   - body: The operation.
/// - Returns: What the operation returns; nil where it throws.
@discardableResult
public func withErrorReporting<R>(
  _ message: @autoclosure () -> String? = nil,
  to reporters: [any IssueReporter]? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: () throws -> R
) -> R? {
  do {
    return try body()
  } catch {
    report(
      error, message(), to: reporters, at: IssueContext(fileID, filePath, line, column))
    return nil
  }
}

/// Runs an operation that gives an optional, and reports the error that it throws.
///
/// - Returns: What the operation returns; nil where it throws.
@discardableResult
public func withErrorReporting<R>(
  _ message: @autoclosure () -> String? = nil,
  to reporters: [any IssueReporter]? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: () throws -> R?
) -> R? {
  do {
    return try body()
  } catch {
    report(
      error, message(), to: reporters, at: IssueContext(fileID, filePath, line, column))
    return nil
  }
}

/// Runs an asynchronous operation, and reports the error that it throws.
///
/// - Returns: What the operation returns; nil where it throws.
@discardableResult
public func withErrorReporting<R>(
  _ message: @autoclosure () -> String? = nil,
  to reporters: [any IssueReporter]? = nil,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: () async throws -> R
) async -> R? {
  do {
    return try await body()
  } catch {
    report(
      error, message(), to: reporters, at: IssueContext(fileID, filePath, line, column))
    return nil
  }
}

/// Runs an asynchronous operation that gives an optional, and reports the error that it throws.
///
/// - Returns: What the operation returns; nil where it throws.
@discardableResult
public func withErrorReporting<R>(
  _ message: @autoclosure () -> String? = nil,
  to reporters: [any IssueReporter]? = nil,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: () async throws -> R?
) async -> R? {
  do {
    return try await body()
  } catch {
    report(
      error, message(), to: reporters, at: IssueContext(fileID, filePath, line, column))
    return nil
  }
}

private func report(
  _ error: any Error, _ message: String?, to reporters: [any IssueReporter]?,
  at place: IssueContext
) {
  func report() {
    reportIssue(
      error, message, fileID: place.fileID, filePath: place.filePath, line: place.line,
      column: place.column)
  }
  guard let reporters else { return report() }
  withIssueReporters(reporters, operation: report)
}
