/// A program or one of its verbs: its names, what it takes, and what it does.
package struct Command: Sendable {
  /// What a command does once its command line is understood.
  ///
  /// It runs on the main actor, since what it runs in turn may expect that.
  package typealias Action = @MainActor @Sendable (Invocation) async throws -> ExitCode

  package var name: String
  /// One sentence: the overview, and the line in the list of verbs.
  package var abstract: String
  /// Paragraphs below the overview; a line that starts with a space is kept as it is.
  package var discussion: String
  package var parameters: [any CommandParameter]
  package var subcommands: [Command]
  package var action: Action?

  package init(
    _ name: String, abstract: String, discussion: String = "",
    parameters: [any CommandParameter] = [], subcommands: [Command] = [],
    action: Action? = nil
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.parameters = parameters
    self.subcommands = subcommands
    self.action = action
  }

  /// Arguments, in the order in which they are given.
  var arguments: [Parameter] { parameters.map(\.parameter).filter(\.isArgument) }

  /// Flags and options, in the order in which they are defined.
  var options: [Parameter] { parameters.map(\.parameter).filter { !$0.isArgument } }

  func option(named name: String) -> Parameter? { options.first { $0.name == name } }

  func option(short: Character) -> Parameter? { options.first { $0.short == short } }

  func subcommand(named name: String) -> Command? { subcommands.first { $0.name == name } }
}

/// One call of a command: what was given, and where to print.
package struct Invocation: Sendable {
  package var arguments: ParsedArguments
  package var console: Console
  /// The names that led here: `["retrace", "log"]`.
  package var path: [String]
}

/// The flags that every program has.
package enum StandardParameters {
  package static let help = Flag("help", short: "h", help: "Show help information.")
  package static let version = Flag("version", help: "Show the version.")
  package static let color = Option<ColorChoice>(
    "color", value: "when", .choice, default: "auto",
    help: "Whether to print in colour; NO_COLOR is respected.")
}
