internal import CommandLineKit

/// `completions SHELL`: a script that teaches a shell the program's verbs and options.
enum CompletionsVerb {
  static let shell = Argument<Shell>("shell", .choice, help: "The shell to write for.")

  /// - Parameter program: The program that the verb belongs to, which has the verb in turn.
  static func command(of program: @escaping @Sendable () -> Program) -> Command {
    Command(
      "completions", abstract: "Print completions for a shell.",
      discussion: """
        Load them once with one of these, or put the line where the shell reads it at its start.

          bash:  source <(PROGRAM completions bash)
          zsh:   source <(PROGRAM completions zsh)
          fish:  PROGRAM completions fish | source
        """,
      parameters: [shell]
    ) { (call: Invocation) in
      let shell: Shell = try call.arguments.require(shell)
      try call.console.output.text(program().completions(for: shell))
      return .done
    }
  }
}

/// `manual`: the manual page.
enum ManualVerb {
  static func command(of program: @escaping @Sendable () -> Program) -> Command {
    Command(
      "manual", abstract: "Print the manual page, for man.",
      discussion: """
        To read it: PROGRAM manual | man -l -
        """
    ) { (call: Invocation) in
      try call.console.output.text(ManualPage(program()).roff)
      return .done
    }
  }
}
