/// A command line program: its verbs, its version, and how outcomes become messages and statuses.
package struct Program: Sendable {
  package let root: Command
  package let version: String

  package init(_ root: Command, version: String) {
    self.root = root
    self.version = version
  }

  /// Whether a command line is for one of the program's verbs.
  package func handles(_ arguments: [String]) -> Bool {
    guard let first = arguments.first else { return false }
    return first == "help" || root.subcommand(named: first) != nil
  }

  /// Does what a command line asks for; the arguments come without the program's name.
  package func run(_ arguments: [String], console: Console = .standard()) async -> ExitCode {
    var console: Console = console
    let status: ExitCode
    do {
      status = try await perform(arguments, &console)
      try console.output.flush()
    } catch {
      // What is done already is shown before what went wrong.
      try? console.output.flush()
      return report(error, console)
    }
    return status
  }

  private func perform(
    _ arguments: [String], _ console: inout Console
  ) async throws -> ExitCode {
    switch try CommandParser(root, version: version).parse(arguments) {
    case .version:
      try console.output.line(version)
      return .done
    case .help(let command, let path):
      let help = HelpText(command, path: path, hasVersion: path.count == 1)
      try console.output.text(help.rendered(width: console.columns))
      return .done
    case .run(let command, let parsed, let path):
      if let choice = parsed[StandardParameters.color] { console.choose(choice) }
      guard let action = command.action else { return .done }
      do {
        return try await action(Invocation(arguments: parsed, console: console, path: path))
      } catch let error as UsageError where error.path.isEmpty {
        throw UsageError(error.message, help: error.help, path: path)
      }
    }
  }

  private func report(_ error: any Error, _ console: Console) -> ExitCode {
    let label: String = console.errorPalette.red("error:")
    switch error {
    case let error as OutputError where error.isClosedPipe:
      return .closedPipe
    case let error as UsageError:
      let text: String = error.rendered(root: root)
      try? console.errors.text(label + text.dropFirst("error:".count))
      return .wrongUse
    case let error as CommandError:
      console.note("\(label) \(error.message)")
      return error.status
    default:
      console.note("\(label) \(error)")
      return .failed
    }
  }
}
