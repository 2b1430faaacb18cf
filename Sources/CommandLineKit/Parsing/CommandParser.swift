/// What a command line asks for.
package enum ParseOutcome: Sendable {
  case run(Command, ParsedArguments, path: [String])
  case help(Command, path: [String])
  case version
}

/// Reads a command line against the definition of a program, and never traps on any.
package struct CommandParser: Sendable {
  package let root: Command
  package let version: String?

  package init(_ root: Command, version: String? = nil) {
    self.root = root
    self.version = version
  }

  /// Reads a command line, without the program's name.
  ///
  /// Help that is asked for anywhere before `--` wins over every mistake.
  package func parse(_ arguments: [String]) throws(UsageError) -> ParseOutcome {
    var command: Command = root
    var path: [String] = [root.name]
    var rest: ArraySlice<String> = arguments[...]
    if let first = rest.first, first == "help", !root.subcommands.isEmpty {
      return try help(for: rest.dropFirst())
    }
    while let first = rest.first, !command.subcommands.isEmpty {
      if let next = command.subcommand(named: first) {
        command = next
        path.append(first)
        rest = rest.dropFirst()
      } else if first.hasPrefix("-") {
        break
      } else {
        throw unknownSubcommand(first, of: command, path: path)
      }
    }
    if Self.asksForHelp(rest) { return .help(command, path: path) }
    if version != nil, path.count == 1, rest.first == "--version" { return .version }
    var reading = Reading(command: command)
    do {
      try reading.read(rest)
    } catch {
      throw UsageError(error.message, help: error.help, path: path)
    }
    guard command.action != nil else { return .help(command, path: path) }
    return .run(command, reading.parsed, path: path)
  }

  private static func asksForHelp(_ arguments: ArraySlice<String>) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private func help(for names: ArraySlice<String>) throws(UsageError) -> ParseOutcome {
    var command: Command = root
    var path: [String] = [root.name]
    for name in names where !name.hasPrefix("-") {
      guard let next = command.subcommand(named: name) else {
        if name == "help", command.name == root.name, path.count == 1 { continue }
        throw unknownSubcommand(name, of: command, path: path)
      }
      command = next
      path.append(name)
    }
    return .help(command, path: path)
  }

  private func unknownSubcommand(
    _ name: String, of command: Command, path: [String]
  ) -> UsageError {
    let names: [String] = command.subcommands.map(\.name) + ["help"]
    return UsageError(
      "Unknown subcommand '\(name)'." + Suggestions.sentence(for: name, among: names),
      path: path)
  }
}

/// One pass over the arguments of one command.
private struct Reading {
  let command: Command
  var parsed = ParsedArguments()
  private var positionals: [String] = []

  init(command: Command) {
    self.command = command
  }

  mutating func read(_ arguments: ArraySlice<String>) throws(UsageError) {
    var rest: ArraySlice<String> = arguments
    var onlyPositionals = false
    while let argument = rest.popFirst() {
      if onlyPositionals || !Self.looksLikeOption(argument) {
        positionals.append(argument)
      } else if argument == "--" {
        onlyPositionals = true
      } else if argument.hasPrefix("--") {
        try readLong(argument, &rest)
      } else {
        try readShort(argument, &rest)
      }
    }
    try assignPositionals()
    try fillDefaults()
  }

  /// `-5` is a number counted from the end, `-` is a file by custom; neither is an option.
  static func looksLikeOption(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument != "-" else { return false }
    let second: Character = argument[argument.index(after: argument.startIndex)]
    return !("0"..."9").contains(second)
  }

  private mutating func readLong(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let body: Substring = argument.dropFirst(2)
    let equals: Substring.Index? = body.firstIndex(of: "=")
    let name = String(body[..<(equals ?? body.endIndex)])
    guard let parameter = command.option(named: name) else {
      let names: [String] = command.options.map { "--\($0.name)" } + ["--help"]
      throw UsageError(
        "Unknown option '--\(name)'." + Suggestions.sentence(for: "--\(name)", among: names))
    }
    let attached: String? = equals.map { String(body[body.index(after: $0)...]) }
    try take(parameter, attached: attached, &rest)
  }

  private mutating func readShort(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var body: Substring = argument.dropFirst()
    while let letter = body.popFirst() {
      guard let parameter = command.option(short: letter) else {
        throw UsageError("Unknown option '-\(letter)'.")
      }
      if parameter.takesValue {
        if body.first == "=" { body.removeFirst() }
        try take(parameter, attached: body.isEmpty ? nil : String(body), &rest)
        return
      }
      if body.first == "=" {
        try take(parameter, attached: String(body.dropFirst()), &rest)
      }
      try take(parameter, attached: nil, &rest)
    }
  }

  private mutating func take(
    _ parameter: Parameter, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard parameter.takesValue else {
      if let attached {
        throw UsageError("The flag '\(parameter.display)' takes no value, but got '\(attached)'.")
      }
      parsed.append(true, for: parameter)
      return
    }
    if let attached {
      try store(attached, for: parameter)
      return
    }
    guard let next = rest.first, !Self.looksLikeOption(next) else {
      throw UsageError(
        "Missing value for '\(parameter.display)'",
        help: "\(parameter.display)  \(parameter.fullHelp)")
    }
    rest.removeFirst()
    try store(next, for: parameter)
  }

  private mutating func store(_ text: String, for parameter: Parameter) throws(UsageError) {
    do {
      parsed.append(try parameter.parse(text), for: parameter)
    } catch {
      let reason: String = error.message.hasSuffix(".") ? error.message : "\(error.message)."
      throw UsageError(
        "The value '\(text)' is invalid for '\(parameter.display)': \(reason)",
        help: "\(parameter.display)  \(parameter.fullHelp)")
    }
  }

  private mutating func assignPositionals() throws(UsageError) {
    let arguments: [Parameter] = command.arguments
    for (argument, text) in zip(arguments, positionals) {
      try store(text, for: argument)
    }
    if positionals.count > arguments.count {
      let extra: [String] = positionals[arguments.count...].map { "'\($0)'" }
      let noun: String = extra.count == 1 ? "argument" : "arguments"
      throw UsageError("Unexpected \(noun) \(extra.joined(separator: ", "))")
    }
    for argument in arguments.dropFirst(positionals.count) {
      if argument.kind == .argument(required: true) { throw .missing(argument) }
    }
  }

  private mutating func fillDefaults() throws(UsageError) {
    for parameter in command.parameters.map(\.parameter) {
      guard let text = parameter.defaultText, !parsed.has(parameter) else { continue }
      try store(text, for: parameter)
    }
  }
}
