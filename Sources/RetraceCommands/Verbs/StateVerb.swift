internal import ActionCoding
internal import CommandLineKit
internal import Retrace

/// `state LOG [ADDRESS [PATH]]`: the state there, or a part of it.
enum StateVerb {
  static let address = Argument<Address>(
    "address", .address, required: false, default: "end",
    help: "After which action; 0 is the initial state.")
  static let path = Argument<RecordPath>(
    "path", .path, required: false, help: "A part of the state, as cart.items[3].name.")
  static let raw = Flag(
    "raw", help: "Print a text as it is, without quotes and line break.")

  static func command(_ source: @escaping HistorySource) -> Command {
    Command(
      "state", abstract: "Print the state after an action.",
      discussion: """
        Prints the state as JSON, or what is at a path in it.

        \(LogParameters.addresses)
        """,
      parameters: [
        LogParameters.log, address, path, raw, LogParameters.json, LogParameters.showOutput,
        LogParameters.color,
      ]
    ) { (call: Invocation) in
      try folding(call) { try run(call, source) }
    }
  }

  @MainActor private static func run(_ call: Invocation, _ source: HistorySource) throws
    -> ExitCode
  {
    let log: OpenLog = try OpenLog(call)
    let address: Address = try call.arguments.require(address)
    let path: RecordPath? = call.arguments[path]
    let stream: StreamInfo = try log.stream(address.stream)
    let number: Int = try stream.span.state(address.position)
    let history: any StateHistory = try log.history(of: stream, source)
    try history.move(to: number)
    let value: RecordValue =
      try path.map { try history.stateValue(at: $0) } ?? history.stateValue()
    let output: OutputChannel = call.console.output
    if call.arguments[LogParameters.json] {
      var line = JSONLine()
      line.field("run", stream.run)
      line.field("stream", stream.name)
      line.field("number", number)
      if let path { line.field("path", path.description) }
      line.json("value", value.json().utf8)
      try output.json(line)
    } else if call.arguments[raw] {
      try output.text(value.rawText ?? value.json() + "\n")
    } else {
      try output.line(value.json(pretty: true))
    }
    return .done
  }
}

extension RecordValue {
  /// The text that `--raw` prints: that of a string, or nil for anything that is none.
  var rawText: String? {
    switch self {
    case .string(let text): text
    case .some(let wrapped): wrapped.rawText
    default: nil
    }
  }
}

extension ValueParser where Value == RecordPath {
  static var path: ValueParser {
    ValueParser { (text: String) throws(ValueError) -> RecordPath in
      do {
        return try RecordPath(parsing: text)
      } catch { throw ValueError("\(error)") }
    }
  }
}
