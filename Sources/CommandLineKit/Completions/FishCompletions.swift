/// Completions for fish.
struct FishCompletions {
  let program: Program

  init(_ program: Program) {
    self.program = program
  }

  private var head: String { "complete -c \(ShellQuoting.fish(program.root.name))" }

  var script: String {
    var lines: [String] = [
      "# Completions of \(program.root.name) for fish.",
      "\(head) -f",
      "\(head) -l help -s h -d 'Show help information.'",
      "\(head) -n __fish_use_subcommand -l version -d 'Show the version.'",
    ]
    for command in program.root.subcommands {
      let description: String = ShellQuoting.fish(command.abstract)
      lines.append(
        "\(head) -n __fish_use_subcommand -a \(command.name) -d \(description)")
    }
    lines.append("\(head) -n __fish_use_subcommand -a help -d 'Show help information.'")
    let verbs: String = program.verbs.joined(separator: " ")
    lines.append(
      "\(head) -n '__fish_seen_subcommand_from help' -a \(ShellQuoting.fish(verbs))")
    for command in program.root.subcommands { lines += entries(command) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func entries(_ command: Command) -> [String] {
    let condition = "\(head) -n '__fish_seen_subcommand_from \(command.name)'"
    var lines: [String] = []
    for option in command.options {
      var line = "\(condition) -l \(option.name)"
      if let short = option.short { line += " -s \(short)" }
      // Only where a file is meant are files offered.
      if option.takesValue { line += option.completion == .file ? " -r -F" : " -x" }
      if let values = values(option) { line += " -a \(values)" }
      lines.append("\(line) -d \(ShellQuoting.fish(option.help))")
    }
    for argument in command.arguments {
      if let values = values(argument) { lines.append("\(condition) -a \(values)") }
    }
    return lines
  }

  private func values(_ parameter: Parameter) -> String? {
    if !parameter.choices.isEmpty {
      return ShellQuoting.fish(parameter.choices.joined(separator: " "))
    }
    switch parameter.completion {
    case .none: return nil
    case .directory: return "'(__fish_complete_directories)'"
    case .file: return "'(__fish_complete_path)'"
    }
  }
}
