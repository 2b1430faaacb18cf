/// The values that were given on a command line, asked for by the definition they belong to.
package struct ParsedArguments: Sendable {
  private var values: [String: [any Sendable]] = [:]

  package init() {}

  mutating func append(_ value: any Sendable, for parameter: Parameter) {
    values[Self.key(parameter), default: []].append(value)
  }

  func has(_ parameter: Parameter) -> Bool { values[Self.key(parameter)] != nil }

  // An argument and an option may share a name.
  private static func key(_ parameter: Parameter) -> String {
    parameter.isArgument ? "<\(parameter.name)>" : "--\(parameter.name)"
  }

  /// Whether the flag was given.
  package subscript(flag: Flag) -> Bool { has(flag.parameter) }

  /// The option's value: the last one given, else its default, else nil.
  package subscript<Value>(option: Option<Value>) -> Value? {
    values[Self.key(option.parameter)]?.last as? Value
  }

  /// The argument's value, or nil when it was left out and has no default.
  package subscript<Value>(argument: Argument<Value>) -> Value? {
    values[Self.key(argument.parameter)]?.last as? Value
  }

  /// All values of an option that may be given several times.
  package func all<Value>(_ option: Option<Value>) -> [Value] {
    (values[Self.key(option.parameter)] ?? []).compactMap { $0 as? Value }
  }

  /// The value of a required argument.
  package func require<Value>(_ argument: Argument<Value>) throws(UsageError) -> Value {
    guard let value = self[argument] else { throw .missing(argument.parameter) }
    return value
  }
}

extension UsageError {
  static func missing(_ parameter: Parameter) -> UsageError {
    UsageError(
      "Missing expected argument '\(parameter.display)'",
      help: "\(parameter.display)  \(parameter.fullHelp)")
  }
}
