import IssueReporting

/// Reports an issue where an operation does not change a value as told.
///
/// ```swift
/// expectDifference(counter) {
///   counter.increment()
/// } changes: {
///   $0.count = 1
/// }
/// ```
///
/// - Parameters:
///   - expression: Reads the value, before and after the operation.
///   - message: What to say before the difference.
///   - operation: What changes the value.
///   - updateExpectingResult: Makes the value before into the one that is expected after.
public func expectDifference<T: Equatable>(
  _ expression: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String? = nil,
  operation: () throws -> Void = {},
  changes updateExpectingResult: (inout T) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  do {
    var expected: T = try expression()
    try updateExpectingResult(&expected)
    try operation()
    let actual: T = try expression()
    guard let issue = differenceIssue(expected, actual, names: ("Expected", "Actual"), message())
    else { return }
    reportIssue(issue, fileID: fileID, filePath: filePath, line: line, column: column)
  } catch {
    reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Reports an issue where an asynchronous operation does not change a value as told.
///
/// - Parameters:
///   - expression: Reads the value, before and after the operation.
///   - message: What to say before the difference.
///   - operation: What changes the value.
///   - updateExpectingResult: Makes the value before into the one that is expected after.
public func expectDifference<T: Equatable>(
  _ expression: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String? = nil,
  operation: () async throws -> Void,
  changes updateExpectingResult: (inout T) throws -> Void,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async {
  do {
    var expected: T = try expression()
    try updateExpectingResult(&expected)
    try await operation()
    let actual: T = try expression()
    guard let issue = differenceIssue(expected, actual, names: ("Expected", "Actual"), message())
    else { return }
    reportIssue(issue, fileID: fileID, filePath: filePath, line: line, column: column)
  } catch {
    reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
