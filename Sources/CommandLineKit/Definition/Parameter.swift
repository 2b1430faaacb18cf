/// What a command takes: a flag, an option or an argument, each defined in one place only.
///
/// Parsing, help, completions and the manual page are all rendered from it.
package protocol CommandParameter: Sendable {
  var parameter: Parameter { get }
}

/// A flag, option or argument without the type of its value.
package struct Parameter: Sendable {
  package enum Kind: Hashable, Sendable {
    /// `--json`: there or not there.
    case flag
    /// `--limit <count>`.
    case option(repeats: Bool)
    /// `<log>`: told by its place.
    case argument(required: Bool)
  }

  package var kind: Kind
  /// The long name without its dashes, or the name of the argument.
  package var name: String
  package var short: Character?
  /// What stands in for the value in help.
  package var valueName: String
  package var help: String
  /// The value that is taken when none is given, as a user would type it.
  package var defaultText: String?
  package var choices: [String]
  package var completion: ValueCompletion
  let parse: @Sendable (String) throws(ValueError) -> any Sendable

  /// Names as they are listed in help: `-h, --help`, `--limit <count>`, `<log>`.
  package var label: String {
    switch kind {
    case .argument: return "<\(valueName)>"
    case .flag, .option:
      var label: String = short.map { "-\($0), --\(name)" } ?? "--\(name)"
      if takesValue { label += " <\(valueName)>" }
      return label
    }
  }

  /// The one name that messages use: `--limit <count>`, `<log>`.
  package var display: String {
    switch kind {
    case .flag: "--\(name)"
    case .option: "--\(name) <\(valueName)>"
    case .argument: "<\(valueName)>"
    }
  }

  /// The form in a usage line: `[--json]`, `[--case <name> ...]`, `<log>`, `[<address>]`.
  package var usage: String {
    switch kind {
    case .argument(let required): required ? display : "[\(display)]"
    case .option(let repeats): repeats ? "[\(display) ...]" : "[\(display)]"
    case .flag: "[\(display)]"
    }
  }

  package var takesValue: Bool {
    if case .option = kind { return true }
    return false
  }

  package var isArgument: Bool {
    if case .argument = kind { return true }
    return false
  }

  /// Help with the default and the choices appended, as it is shown in lists.
  package var fullHelp: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("values: \(choices.joined(separator: ", "))") }
    if let defaultText { notes.append("default: \(defaultText)") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}

/// Something that is either given or not: `--json`.
package struct Flag: CommandParameter {
  package let parameter: Parameter

  package init(_ name: String, short: Character? = nil, help: String) {
    parameter = Parameter(
      kind: .flag, name: name, short: short, valueName: "", help: help, defaultText: nil,
      choices: [], completion: .none,
      parse: { (_: String) throws(ValueError) -> any Sendable in true })
  }
}

/// A named value: `--limit 20` or `--limit=20`.
package struct Option<Value: Sendable>: CommandParameter {
  package let parameter: Parameter

  /// - Parameters:
  ///   - value: What stands in for the value in help, as `count`.
  ///   - repeats: Whether it may be given several times; otherwise the last one counts.
  ///   - defaultText: What is taken when it is not given, written as a user would.
  package init(
    _ name: String, short: Character? = nil, value: String, _ parser: ValueParser<Value>,
    repeats: Bool = false, default defaultText: String? = nil, help: String
  ) {
    parameter = Parameter(
      kind: .option(repeats: repeats), name: name, short: short, valueName: value, help: help,
      defaultText: defaultText, choices: parser.choices, completion: parser.completion,
      parse: { (text: String) throws(ValueError) -> any Sendable in try parser.parse(text) })
  }
}

/// A value that is told by its place.
package struct Argument<Value: Sendable>: CommandParameter {
  package let parameter: Parameter

  package init(
    _ name: String, _ parser: ValueParser<Value>, required: Bool = true,
    default defaultText: String? = nil, help: String
  ) {
    parameter = Parameter(
      kind: .argument(required: required), name: name, short: nil, valueName: name, help: help,
      defaultText: defaultText, choices: parser.choices, completion: parser.completion,
      parse: { (text: String) throws(ValueError) -> any Sendable in try parser.parse(text) })
  }
}
