import IssueReporting

/// Reports an issue, with the difference, where two values are not equal.
///
/// ```swift
/// expectNoDifference(model.rows, [Row(id: 1, isOn: true)])
/// ```
///
/// - Parameters:
///   - expression1: A value.
///   - expression2: Another value.
///   - message: What to say before the difference.
public func expectNoDifference<T: Equatable>(
  _ expression1: @autoclosure () throws -> T,
  _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  do {
    let (first, second) = (try expression1(), try expression2())
    guard let issue = differenceIssue(first, second, names: ("First", "Second"), message()) else {
      return
    }
    reportIssue(issue, fileID: fileID, filePath: filePath, line: line, column: column)
  } catch {
    reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// The text of the issue that two values are not equal, or nil where they are.
func differenceIssue<T: Equatable>(
  _ first: T, _ second: T, names: (first: String, second: String), _ message: String?
) -> String? {
  guard first != second else { return nil }
  let format = DiffFormat.proportional
  let prefix: String = message.map { "\($0) - " } ?? ""
  guard let difference = diff(first, second, format: format) else {
    return "\(prefix)\"\(first)\" is not equal to \"\(second)\", but no difference was detected."
  }
  let lines: String = difference.dumpLines.map { "  \($0)" }.joined(separator: "\n")
  return """
    \(prefix)Difference: …

    \(lines)

    (\(names.first): \(format.first), \(names.second): \(format.second))
    """
}
