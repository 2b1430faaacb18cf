/// Completions for bash.
struct BashCompletions {
  let program: Program

  init(_ program: Program) {
    self.program = program
  }

  var script: String {
    let name: String = program.root.name
    let function = "_\(program.identifier)_completions"
    let top: String = (program.verbs + ["--help", "--version"]).joined(separator: " ")
    var lines: [String] = [
      "# Completions of \(name) for bash.",
      "\(function)() {",
      "  local current previous verb= index",
      "  current=${COMP_WORDS[COMP_CWORD]}",
      "  previous=${COMP_WORDS[COMP_CWORD - 1]}",
      "  COMPREPLY=()",
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    case ${COMP_WORDS[index]} in",
      "    -*) ;;",
      "    *) verb=${COMP_WORDS[index]}; break ;;",
      "    esac",
      "  done",
      "  case $verb in",
      "  '') \(reply("-W \(ShellQuoting.posix(top))")) ;;",
      "  help) \(reply("-W \(ShellQuoting.posix(program.verbs.joined(separator: " ")))")) ;;",
    ]
    for command in program.root.subcommands { lines += branch(command) }
    lines += ["  esac", "}", "complete -F \(function) \(ShellQuoting.posix(name))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func reply(_ what: String) -> String {
    "mapfile -t COMPREPLY < <(compgen \(what) -- \"$current\")"
  }

  private func branch(_ command: Command) -> [String] {
    var lines: [String] = ["  \(command.name))", "    case $previous in"]
    for option in command.options where option.takesValue {
      var pattern = "--\(option.name)"
      if let short = option.short { pattern += " | -\(short)" }
      let offer: String = values(option).map { reply($0) + "; " } ?? ""
      lines.append("    \(pattern)) \(offer)return ;;")
    }
    let names: String = (command.options.map { "--\($0.name)" } + ["--help"])
      .joined(separator: " ")
    lines += [
      "    esac",
      "    if [[ $current == -* ]]; then",
      "      \(reply("-W \(ShellQuoting.posix(names))"))",
    ]
    let offers: [String] = command.arguments.compactMap(values)
    if !offers.isEmpty {
      lines += ["    else", "      \(reply(offers.joined(separator: " ")))"]
    }
    lines += ["    fi", "    ;;"]
    return lines
  }

  /// What `compgen` is to list for a value.
  private func values(_ parameter: Parameter) -> String? {
    if !parameter.choices.isEmpty {
      return "-W \(ShellQuoting.posix(parameter.choices.joined(separator: " ")))"
    }
    switch parameter.completion {
    case .none: return nil
    case .directory: return "-d"
    case .file: return "-f"
    }
  }
}
