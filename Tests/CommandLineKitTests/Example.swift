@testable import CommandLineKit

/// A program with every kind of parameter, for the tests.
enum Example {
  static let log = Argument<String>(
    "log", .text(completion: .directory), help: "The log's directory.")
  static let address = Argument<String>(
    "address", .text, required: false, help: "Where to look.")
  static let limit = Option<Int>(
    "limit", short: "l", value: "count", .integer(in: 1...Int.max), help: "Print this many.")
  static let cases = Option<String>(
    "case", value: "name", .text, repeats: true, help: "Only actions of this case.")
  static let follow = Flag("follow", short: "f", help: "Wait for more.")
  static let json = Flag("json", short: "j", help: "Print JSON Lines.")

  static let program = Program(
    Command(
      "tool", abstract: "Shows things.", discussion: "It is an example.\n\n  tool log x",
      subcommands: [
        Command(
          "log", abstract: "Actions, one a line.",
          parameters: [log, address, limit, cases, follow, json, StandardParameters.color]
        ) { (call: Invocation) in
          let name: String = try call.arguments.require(log)
          try call.console.output.line("log \(name) \(call.arguments[address] ?? "-")")
          return .done
        },
        Command("info", abstract: "What it is.", parameters: [log]) { _ in
          throw CommandError("There is no log at x.")
        },
        Command("replay", abstract: "Fold all.", parameters: []) { _ in .divergence },
      ]),
    version: "1.2.3")

  static func parse(_ arguments: String...) throws -> ParsedArguments {
    let outcome: ParseOutcome = try CommandParser(program.root, version: "1.2.3").parse(arguments)
    guard case .run(_, let parsed, _) = outcome else { return ParsedArguments() }
    return parsed
  }

  /// Runs the program; gives what it printed and its status.
  static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async -> (output: String, errors: String, status: ExitCode) {
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let console = Console(output: output, errors: errors) { environment[$0] }
    let status: ExitCode = await program.run(arguments, console: console)
    return (output.contents, errors.contents, status)
  }
}
