import IssueReporting

/// An endpoint of a client was called that nobody gave a body.
public struct Unimplemented: Error, CustomStringConvertible {
  let endpoint: String

  public init(_ endpoint: String) {
    self.endpoint = endpoint
  }

  public var description: String { "Unimplemented: '\(endpoint)'" }
}

// The macros write these names unqualified: a program may well have a type called `Dependencies`.

/// Reports the call of an endpoint that has no body; written by `@DependencyEndpoint`.
public func _reportUnimplementedEndpoint(
  _ client: Any.Type,
  _ endpoint: String,
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt
) {
  // There it stands in for the program's own, which is no fault of anybody.
  if let reads = ReducerReads.current, reads.isReplay { return }
  reportIssue(
    "Unimplemented: '\(client).\(endpoint)'", fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// The error of an endpoint that has no body; written by `@DependencyEndpoint`.
public func _unimplementedEndpoint(_ endpoint: String) -> any Error {
  Unimplemented(endpoint)
}

/// `DependencyKey`, as `@DependencyEntry` writes it.
public typealias _DependencyEntryKey = DependencyKey

/// `TestDependencyKey`, as `@DependencyEntry` writes it.
public typealias _DependencyEntryTestKey = TestDependencyKey
