internal import ActionCoding
internal import CommandLineKit
internal import Retrace

/// `why LOG PATH [--at ADDRESS]`: which action made a value what it is.
enum WhyVerb {
  static let path = Argument<RecordPath>(
    "path", .path, help: "A part of the state, as cart.total or items[3].name.")
  static let at = Option<Address>(
    "at", value: "address", .address, default: "end", help: "As of which action.")

  static func command(_ source: @escaping HistorySource) -> Command {
    Command(
      "why", abstract: "Tell which action made a value what it is.",
      discussion: """
        Finds the action that last changed the value, shows it before and after, and what led to \
        that action.

        \(LogParameters.addresses)
        """,
      parameters: [
        LogParameters.log, path, at, LogParameters.json, LogParameters.showOutput,
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
    let path: RecordPath = try call.arguments.require(path)
    let at: Address = call.arguments[at] ?? Address(stream: StreamReference(), position: .end)
    let stream: StreamInfo = try log.stream(at.stream)
    let number: Int = try stream.span.state(at.position)
    let history: any StateHistory = try log.history(of: stream, source)
    if isUnknown(path, in: stream) {
      // No state ever had it: told at once, not after a search through all of them.
      try history.move(to: number)
      _ = try history.stateValue(at: path)
    }
    var progress = Progress("looking back", total: 0, console: call.console)
    let change: ValueChange? = try history.lastChange(of: path, upTo: number) {
      progress.update(UInt64($0))
    }
    progress.finish()
    guard let change else {
      // A path that is not there at all is a mistake, not a value that never changed.
      try history.move(to: number)
      try printUnchanged(path, try history.stateValue(at: path), number, stream, call)
      return .done
    }
    let action: LoggedAction = try call.action(change.action, of: stream, log.inspector)
    let chain: CauseChain =
      try call.unlessDamaged("All that led to action \(change.action)") {
        try CauseChain(of: action, in: stream, log.inspector)
      } ?? CauseChain(action)
    if call.arguments[LogParameters.json] {
      var line: JSONLine = ActionText.json(action, stream: stream)
      line.field("path", path.description)
      line.value("old", change.old)
      line.value("new", change.new)
      chain.write(to: &line)
      try call.console.output.json(line)
    } else {
      let output: OutputChannel = call.console.output
      let palette: Palette = call.console.palette
      let address: String = palette.bold(stream.span.address(change.action))
      try output.line("\(address) last changed it, \(LogTime(action.time).local)")
      let text = DifferenceText(palette: palette)
      try output.line("  " + text.line(path: path.description, old: change.old, new: change.new))
      try chain.print(to: call.console)
    }
    return .done
  }

  /// Whether the path begins with a name that the type of the states does not have.
  private static func isUnknown(_ path: RecordPath, in stream: StreamInfo) -> Bool {
    guard case .structure(_, let fields) = stream.stateSchema.types.first,
      case .name(let name) = path.components.first
    else { return false }
    return !fields.contains { $0.name == name }
  }

  private static func printUnchanged(
    _ path: RecordPath, _ value: RecordValue, _ number: Int, _ stream: StreamInfo,
    _ call: Invocation
  ) throws {
    guard !call.arguments[LogParameters.json] else {
      var line = JSONLine()
      line.field("run", stream.run)
      line.field("stream", stream.name)
      line.null("number")
      line.field("path", path.description)
      line.value("new", value)
      try call.console.output.json(line)
      return
    }
    let text: String = value.text(limit: DifferenceText.valueLimit)
    try call.console.output.line(
      "No action up to \(number) changed it: it is \(text) from the initial state on.")
  }
}
