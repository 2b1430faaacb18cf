/// The error of a throwing closure that was called though nobody gave it a body.
public struct UnimplementedFailure: Error, Equatable, CustomStringConvertible {
  public let description: String

  public init(description: String) {
    self.description = description
  }
}

// An issue is reported where the closure was made: the place of its call is seldom known to the
// one who has to give it a body.

/// A closure that reports an issue and gives a placeholder.
///
///     var fetch: @Sendable (Int) -> String = unimplemented("fetch", placeholder: "")
public func unimplemented<each Argument, Result>(
  _ description: @autoclosure @escaping @Sendable () -> String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
  { (argument: repeat each Argument) in
    report(description(), (repeat each argument), fileID, filePath, line, column)
    return placeholder()
  }
}

/// An asynchronous closure that reports an issue and gives a placeholder.
public func unimplemented<each Argument, Result>(
  _ description: @autoclosure @escaping @Sendable () -> String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) async -> Result {
  { (argument: repeat each Argument) in
    report(description(), (repeat each argument), fileID, filePath, line, column)
    return placeholder()
  }
}

/// A closure that reports an issue and throws ``UnimplementedFailure``.
public func unimplemented<each Argument, Result>(
  _ description: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) throws -> Result {
  { (argument: repeat each Argument) in
    let description: String = description()
    report(description, (repeat each argument), fileID, filePath, line, column)
    throw UnimplementedFailure(description: description)
  }
}

/// An asynchronous closure that reports an issue and throws ``UnimplementedFailure``.
public func unimplemented<each Argument, Result>(
  _ description: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) async throws -> Result {
  { (argument: repeat each Argument) in
    let description: String = description()
    report(description, (repeat each argument), fileID, filePath, line, column)
    throw UnimplementedFailure(description: description)
  }
}

/// Reports an issue at once and gives a placeholder.
@_disfavoredOverload
public func unimplemented<Result>(
  _ description: @autoclosure @escaping @Sendable () -> String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> Result {
  report(description(), nil, fileID, filePath, line, column)
  return placeholder()
}

/// Reports the call of a closure that nobody gave a body; `arguments` is nil where there is no call.
private func report(
  _ description: String, _ arguments: Any?, _ fileID: StaticString, _ filePath: StaticString,
  _ line: UInt, _ column: UInt
) {
  var text: String = description.isEmpty ? "Unimplemented" : "Unimplemented: \(description)"
  text += " …\n\n  Defined at:\n    \(fileID):\(line)"
  if let arguments, !(arguments is Void) {
    text += "\n\n  Invoked with:\n    \(String(reflecting: arguments))"
  }
  reportIssue(text, fileID: fileID, filePath: filePath, line: line, column: column)
}
