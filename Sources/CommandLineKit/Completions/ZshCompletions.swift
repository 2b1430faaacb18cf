/// Completions for zsh.
struct ZshCompletions {
  let program: Program

  init(_ program: Program) {
    self.program = program
  }

  var script: String {
    let name: String = program.root.name
    let function = "_\(program.identifier)"
    var lines: [String] = [
      "#compdef \(name)",
      "# Completions of \(name) for zsh.",
      "\(function)() {",
      "  local -a verbs",
      "  verbs=(",
    ]
    for command in program.root.subcommands {
      let text = "\(command.name):\(ShellQuoting.zshDescription(command.abstract))"
      lines.append("    \(ShellQuoting.posix(text))")
    }
    lines += [
      "    'help:Show help information.'",
      "  )",
      "  if (( CURRENT == 2 )); then",
      "    _describe verb verbs",
      "    _arguments '--help[Show help information.]' '--version[Show the version.]'",
      "    return",
      "  fi",
      "  local verb=$words[2]",
      "  shift words",
      "  (( CURRENT-- ))",
      "  case $verb in",
      "  help) _describe verb verbs ;;",
    ]
    for command in program.root.subcommands { lines += branch(command) }
    // A file in fpath is the body of the function; one that is sourced defines it only.
    lines += [
      "  esac",
      "}",
      "if [[ ${funcstack[1]} == \(function) ]]; then",
      "  \(function) \"$@\"",
      "else",
      "  compdef \(function) \(name)",
      "fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func branch(_ command: Command) -> [String] {
    var specifications: [String] = command.options.map(specification)
    specifications.append("--help[Show help information.]")
    for (index, argument) in command.arguments.enumerated() {
      let colons: String = argument.kind == .argument(required: true) ? ":" : "::"
      specifications.append("\(index + 1)\(colons)\(argument.valueName):\(values(argument))")
    }
    let quoted: [String] = specifications.map { "      \(ShellQuoting.posix($0))" }
    return ["  \(command.name))", "    _arguments -s \\"]
      + [quoted.joined(separator: " \\\n")] + ["    ;;"]
  }

  private func specification(_ option: Parameter) -> String {
    let description: String = ShellQuoting.zshDescription(option.help)
    let star: String = option.kind == .option(repeats: true) ? "*" : ""
    guard option.takesValue else { return "\(star)--\(option.name)[\(description)]" }
    return "\(star)--\(option.name)=[\(description)]:\(option.valueName):\(values(option))"
  }

  private func values(_ parameter: Parameter) -> String {
    if !parameter.choices.isEmpty { return "(\(parameter.choices.joined(separator: " ")))" }
    switch parameter.completion {
    case .none: return ""
    case .directory: return "_files -/"
    case .file: return "_files"
    }
  }
}
