/// The help of a command, in the shape that Swift's tools have.
package struct HelpText: Sendable {
  /// Where the right column of a list begins.
  static let column = 26
  /// Beyond this many options a usage line says `[<options>]`: nobody reads a longer one.
  static let longestUsage = 8

  let command: Command
  let path: [String]
  let hasVersion: Bool

  /// - Parameters:
  ///   - path: The names that lead to the command, as `["retrace", "log"]`.
  ///   - hasVersion: Whether `--version` is understood here; only the root does.
  package init(_ command: Command, path: [String], hasVersion: Bool = false) {
    self.command = command
    self.path = path
    self.hasVersion = hasVersion
  }

  private var name: String { path.joined(separator: " ") }

  /// What follows `USAGE: `.
  package var usage: String {
    var parts: [String] = [name]
    let options: [Parameter] = command.options
    if !command.subcommands.isEmpty { parts.append("<subcommand>") }
    parts += command.arguments.map(\.usage)
    if options.count > Self.longestUsage {
      parts.append("[<options>]")
    } else {
      parts += options.map(\.usage)
    }
    return parts.joined(separator: " ")
  }

  /// The whole help, ending in a line break.
  package func rendered(width: Int) -> String {
    var lines: [String] = []
    lines += Wrapping.lines("OVERVIEW: \(command.abstract)", width: width)
    if !command.discussion.isEmpty {
      lines.append("")
      lines += Wrapping.lines(command.discussion, width: width)
    }
    lines.append("")
    lines += hanging("USAGE: ", usage, width: width)
    section("ARGUMENTS", command.arguments.map { ($0.label, $0.fullHelp) }, width, &lines)
    section("OPTIONS", options, width, &lines)
    let subcommands: [(String, String)] = command.subcommands.map { ($0.name, $0.abstract) }
    section("SUBCOMMANDS", subcommands, width, &lines)
    if !command.subcommands.isEmpty {
      lines += ["", "  See '\(name) help <subcommand>' for detailed help."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var options: [(String, String)] {
    var parameters: [Parameter] = command.options
    if hasVersion { parameters.append(StandardParameters.version.parameter) }
    parameters.append(StandardParameters.help.parameter)
    return parameters.map { ($0.label, $0.fullHelp) }
  }

  private func section(
    _ title: String, _ entries: [(String, String)], _ width: Int, _ lines: inout [String]
  ) {
    guard !entries.isEmpty else { return }
    lines += ["", "\(title):"]
    for (label, help) in entries {
      lines += Wrapping.entry(label: label, help: help, column: Self.column, width: width)
    }
  }

  private func hanging(_ head: String, _ text: String, width: Int) -> [String] {
    let indent = String(repeating: " ", count: head.count)
    // A break inside `[--limit <count>]` would be hard to read, so its spaces hold together.
    var depth = 0
    let glued = String(
      text.map { (character: Character) -> Character in
        if character == "[" { depth += 1 }
        if character == "]" { depth -= 1 }
        return character == " " && depth > 0 ? "\u{A0}" : character
      })
    let wrapped: [String] = Wrapping.lines(glued, width: width - head.count)
    return wrapped.enumerated().map { (index: Int, line: String) -> String in
      let plain = String(line.map { $0 == "\u{A0}" ? " " : $0 })
      return (index == 0 ? head : indent) + plain
    }
  }
}

extension UsageError {
  /// The message as it is printed, with help, usage and where to read on; ends in a line break.
  package func rendered(root: Command) -> String {
    var command: Command = root
    for name in path.dropFirst() {
      guard let next = command.subcommand(named: name) else { break }
      command = next
    }
    let names: [String] = path.isEmpty ? [root.name] : path
    var text: String = "error: \(message)\n"
    if let help { text += "Help:  \(help)\n" }
    text += "Usage: \(HelpText(command, path: names).usage)\n"
    text += "  See '\(names.joined(separator: " ")) --help' for more information.\n"
    return text
  }
}
