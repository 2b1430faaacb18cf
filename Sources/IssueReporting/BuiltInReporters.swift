#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes each issue as one line to standard error and goes on.
public struct RuntimeWarningReporter: IssueReporter {
  public func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    writeToStandardError(
      "🟣 \(issueText(message(), fileID: fileID, line: line, fallback: "Issue reported"))\n")
  }

  public func expectIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = issueText(message(), fileID: fileID, line: line, fallback: "Issue expected")
    writeToStandardError("Expected: \(text)\n")
  }
}

/// Ends the process at the first issue, with its text.
public struct FatalErrorReporter: IssueReporter {
  public func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    // Whoever installs this reporter asks for exactly this.
    Swift.fatalError(message() ?? "Issue reported", file: filePath, line: line)
  }
}

/// Stops in the debugger at each issue, after having written it to standard error.
public struct BreakpointReporter: IssueReporter {
  public func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    writeToStandardError(
      "🟣 \(issueText(message(), fileID: fileID, line: line, fallback: "Issue reported"))\n")
    raise(SIGTRAP)
  }
}

extension IssueReporter where Self == RuntimeWarningReporter {
  /// Writes each issue as one line to standard error and goes on.
  public static var `default`: Self { Self() }

  /// Writes each issue as one line to standard error and goes on.
  public static var runtimeWarning: Self { Self() }
}

extension IssueReporter where Self == FatalErrorReporter {
  /// Ends the process at the first issue, with its text.
  public static var fatalError: Self { Self() }
}

extension IssueReporter where Self == BreakpointReporter {
  /// Stops in the debugger at each issue.
  public static var breakpoint: Self { Self() }
}

private func issueText(
  _ message: String?, fileID: StaticString, line: UInt, fallback: String
) -> String {
  let text: String = message.flatMap { $0.isEmpty ? nil : $0 } ?? fallback
  return "\(fileID):\(line): \(text)"
}

/// Writes in one call, so that lines of several threads do not mix.
func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(STDERR_FILENO, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
