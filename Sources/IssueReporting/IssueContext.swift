/// A place in the source that issues are to be reported at, instead of where they were found.
public struct IssueContext: Sendable {
  @TaskLocal public static var current: IssueContext?

  public let fileID: StaticString
  public let filePath: StaticString
  public let line: UInt
  public let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

/// Reports every issue of an operation at the given place.
///
/// For helpers that assert something on behalf of their caller.
public func withIssueContext<R>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  operation: () throws -> R
) rethrows -> R {
  let place = IssueContext(fileID, filePath, line, column)
  return try IssueContext.$current.withValue(place, operation: operation)
}

/// Reports every issue of an asynchronous operation at the given place.
public func withIssueContext<R>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  let place = IssueContext(fileID, filePath, line, column)
  return try await IssueContext.$current.withValue(
    place, operation: operation, isolation: isolation)
}
