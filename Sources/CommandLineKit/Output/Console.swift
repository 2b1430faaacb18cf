/// Where a command prints, and what is known about it.
package struct Console: Sendable {
  /// Data, and only data.
  package var output: OutputChannel
  /// All else: messages, progress, failures.
  package var errors: OutputChannel
  package var isOutputTerminal: Bool
  package var isErrorTerminal: Bool
  /// Columns to wrap help at.
  package var columns: Int
  /// How long a line of data may be to fit the terminal; nil where output is no terminal.
  package var lineLimit: Int?
  /// How to print data.
  package var palette: Palette
  /// How to print messages.
  package var errorPalette: Palette
  private var environment: @Sendable (String) -> String?

  /// What help is wrapped at where nothing says how wide the terminal is.
  package static let defaultColumns = 80
  /// Longer lines than these are hard to read.
  package static let widestColumns = 100

  package init(
    output: OutputChannel, errors: OutputChannel, isOutputTerminal: Bool = false,
    isErrorTerminal: Bool = false, columns: Int = Console.defaultColumns,
    lineLimit: Int? = nil, environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.output = output
    self.errors = errors
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.columns = columns
    self.lineLimit = lineLimit
    self.environment = environment
    palette = Palette(isOn: false)
    errorPalette = Palette(isOn: false)
    choose(.auto)
  }

  /// The process's own streams.
  package static func standard() -> Console {
    let known: Int? = System.environment("COLUMNS").flatMap(Int.init) ?? System.columns(of: 1)
    let isTerminal: Bool = System.isTerminal(1)
    return Console(
      output: .standardOutput(), errors: .standardError(),
      isOutputTerminal: isTerminal, isErrorTerminal: System.isTerminal(2),
      columns: min(max(known ?? defaultColumns, 40), widestColumns),
      lineLimit: isTerminal ? max(known ?? defaultColumns, 40) : nil,
      environment: { System.environment($0) })
  }

  /// Follows what `--color` says.
  package mutating func choose(_ choice: ColorChoice) {
    palette.isOn = choice.isOn(isTerminal: isOutputTerminal, environment: environment)
    errorPalette.isOn = choice.isOn(isTerminal: isErrorTerminal, environment: environment)
  }

  /// A value of the environment.
  package func variable(_ name: String) -> String? { environment(name) }

  /// Tells something that is not data, on standard error; what can't be told there is lost.
  package func note(_ text: String) {
    try? errors.line(text)
  }

  /// Warns, on standard error.
  package func warn(_ text: String) {
    note(errorPalette.yellow("warning:") + " " + text)
  }
}
