/// A shell that completions can be written for.
package enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}

extension Program {
  /// A script that teaches a shell this program's verbs, options and values.
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletions(self).script
    case .zsh: ZshCompletions(self).script
    case .fish: FishCompletions(self).script
    }
  }

  /// The program's name as part of a shell function's name.
  var identifier: String {
    String(
      root.name.map { (character: Character) -> Character in
        character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
      })
  }

  var verbs: [String] { root.subcommands.map(\.name) + ["help"] }
}

/// Words and descriptions inside a shell's single quotes.
enum ShellQuoting {
  /// For bash and zsh: a quote ends the string, is written escaped, and opens it again.
  static func posix(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// For fish, where a backslash escapes inside quotes.
  static func fish(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "'"
  }

  /// A description for zsh, where brackets and colons part the fields.
  static func zshDescription(_ text: String) -> String {
    var result = ""
    for character in text {
      if "[]:\\".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
