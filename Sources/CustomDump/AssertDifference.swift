// The names from before Swift Testing, of the same functions. Nothing of XCTest is needed for them.

/// Reports an issue, with the difference, where two values are not equal; see
/// ``expectNoDifference(_:_:_:fileID:filePath:line:column:)``.
public func XCTAssertNoDifference<T: Equatable>(
  _ expression1: @autoclosure () throws -> T,
  _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let message: String = message()
  expectNoDifference(
    try expression1(), try expression2(), message.isEmpty ? nil : message, fileID: fileID,
    filePath: filePath, line: line, column: column)
}

/// Reports an issue where an operation does not change a value as told; see
/// ``expectDifference(_:_:operation:changes:fileID:filePath:line:column:)``.
public func XCTAssertDifference<T: Equatable>(
  _ expression: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "",
  operation: () throws -> Void = {},
  changes updateExpectingResult: (inout T) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let message: String = message()
  expectDifference(
    try expression(), message.isEmpty ? nil : message, operation: operation,
    changes: updateExpectingResult, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Reports an issue where an asynchronous operation does not change a value as told.
public func XCTAssertDifference<T: Equatable>(
  _ expression: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "",
  operation: () async throws -> Void,
  changes updateExpectingResult: (inout T) throws -> Void,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async {
  let message: String = message()
  await expectDifference(
    try expression(), message.isEmpty ? nil : message, operation: operation,
    changes: updateExpectingResult, isolation: isolation, fileID: fileID, filePath: filePath,
    line: line, column: column)
}
