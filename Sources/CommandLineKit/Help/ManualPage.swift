/// The manual page of a program, for `man`, from the same definitions as its help.
package struct ManualPage: Sendable {
  let program: Program

  package init(_ program: Program) {
    self.program = program
  }

  /// The page in the `man` macros of roff.
  package var roff: String {
    let root: Command = program.root
    let title: String = Self.escaped(root.name.uppercased())
    var lines: [String] = [
      ".TH \"\(title)\" 1 \"\" \"\(Self.escaped("\(root.name) \(program.version)"))\"",
      ".nh", ".ad l",
      ".SH NAME", Self.escaped("\(root.name) - \(root.abstract)"),
      ".SH SYNOPSIS", synopsis(root, [root.name]),
      ".SH DESCRIPTION",
    ]
    lines += paragraphs(root.discussion.isEmpty ? root.abstract : root.discussion)
    if !root.subcommands.isEmpty { lines.append(".SH SUBCOMMANDS") }
    for command in root.subcommands {
      lines += [
        ".SS \"\(Self.escaped(command.name))\"", synopsis(command, [root.name, command.name]),
      ]
      lines += [".PP"] + paragraphs(command.abstract)
      if !command.discussion.isEmpty { lines += [".PP"] + paragraphs(command.discussion) }
      for parameter in command.arguments + command.options {
        lines += entry(parameter.label, parameter.fullHelp)
      }
    }
    lines.append(".SH OPTIONS")
    let common: [Parameter] =
      root.options + [StandardParameters.version.parameter, StandardParameters.help.parameter]
    for parameter in common { lines += entry(parameter.label, parameter.fullHelp) }
    lines.append(".SH EXIT STATUS")
    for status in ExitCode.allCases { lines += entry("\(status.rawValue)", status.meaning) }
    lines.append(".SH ENVIRONMENT")
    lines += entry("NO_COLOR", "When set and not empty, no colour is used.")
    lines += entry("COLUMNS", "How wide help is set.")
    return lines.joined(separator: "\n") + "\n"
  }

  private func synopsis(_ command: Command, _ path: [String]) -> String {
    let usage: String = HelpText(command, path: path).usage
    let name: String = path.joined(separator: " ")
    return "\\fB\(Self.escaped(name))\\fR" + Self.escaped(String(usage.dropFirst(name.count)))
  }

  private func entry(_ label: String, _ help: String) -> [String] {
    [".TP", "\\fB\(Self.escaped(label))\\fR"] + paragraphs(help)
  }

  private func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let startsExample: Bool = line.hasPrefix(" ")
      if startsExample != isExample {
        lines.append(startsExample ? ".nf" : ".fi")
        isExample = startsExample
      }
      lines.append(line.isEmpty ? ".PP" : Self.escaped(String(line)))
    }
    if isExample { lines.append(".fi") }
    return lines
  }

  /// Text that roff takes for nothing but text.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }
}
