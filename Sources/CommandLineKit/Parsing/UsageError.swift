/// A command line that can't be understood: printed with the usage of the command it was meant for.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a sentence that may end without a full stop.
  package var message: String
  /// The line of help of the parameter it is about.
  package var help: String?
  /// The names that led to the command, as `["retrace", "log"]`; filled by the parser.
  package var path: [String]

  package init(_ message: String, help: String? = nil, path: [String] = []) {
    self.message = message
    self.help = help
    self.path = path
  }

  package var description: String { message }
}

/// A failure that is told in one line, with the status that the program ends with.
package struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What, where, and what to do.
  package var message: String
  package var status: ExitCode

  package init(_ message: String, status: ExitCode = .failed) {
    self.message = message
    self.status = status
  }

  package var description: String { message }
}
