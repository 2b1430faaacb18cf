/// Prints a value with all that it holds, one field a line, to standard output.
///
/// ```swift
/// customDump(user)
/// // User(
/// //   favoriteNumbers: [
/// //     [0]: 42,
/// //     [1]: 1729
/// //   ],
/// //   id: 2,
/// //   name: "Blob"
/// // )
/// ```
///
/// - Parameters:
///   - value: What to dump.
///   - name: A name to put before it.
///   - indent: The number of spaces before each line.
///   - maxDepth: How many levels are shown; what lies deeper is shown as `…`.
/// - Returns: The value.
@discardableResult
public func customDump<T>(
  _ value: T, name: String? = nil, indent: Int = 0, maxDepth: Int = .max
) -> T {
  print(dumpText(value, name: name, indent: indent, maxDepth: maxDepth))
  return value
}

/// Writes a value with all that it holds, one field a line, to a stream.
///
/// No line end follows the last line.
///
/// - Parameters:
///   - value: What to dump.
///   - target: The stream.
///   - name: A name to put before it.
///   - indent: The number of spaces before each line.
///   - maxDepth: How many levels are shown; what lies deeper is shown as `…`.
/// - Returns: The value.
@discardableResult
public func customDump<T>(
  _ value: T, to target: inout some TextOutputStream, name: String? = nil, indent: Int = 0,
  maxDepth: Int = .max
) -> T {
  target.write(dumpText(value, name: name, indent: indent, maxDepth: maxDepth))
  return value
}

extension String {
  /// The text that ``customDump(_:to:name:indent:maxDepth:)`` writes of a value.
  public init(customDumping subject: some Any) {
    self = dumpText(subject, name: nil, indent: 0, maxDepth: .max)
  }
}

private func dumpText(_ value: Any, name: String?, indent: Int, maxDepth: Int) -> String {
  var dumper = Dumper(tracker: ObjectTracker())
  dumper.text = String(repeating: " ", count: max(0, indent))
  dumper.dump(value, label: DumpLabel(name: name), indent: max(0, indent), maxDepth: maxDepth)
  return dumper.text
}
