internal import ActionCoding
internal import CommandLineKit
internal import Retrace

/// `replay LOG [STREAM]`: folds a whole stream and compares it with the recorded states.
enum ReplayVerb {
  static let stream = Argument<StreamReference>(
    "stream", .stream, required: false,
    help: "Which one, as 2:cart; the last run's only one if left out.")

  static func command(_ source: @escaping HistorySource) -> Command {
    Command(
      "replay", abstract: "Fold all actions and compare with the recording.",
      discussion: """
        Folds every action of a stream through the reducer, says how fast that was and what the \
        state is at the end. Each state that is in the log is compared on the way; where they \
        differ, the exit status is 2.
        """,
      parameters: [
        LogParameters.log, stream, LogParameters.json, LogParameters.showOutput,
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
    let stream: StreamInfo = try log.stream(call.arguments[stream] ?? StreamReference())
    let history: any StateHistory = try log.history(of: stream, source)
    var progress = Progress(
      "replaying", total: UInt64(history.count), console: call.console)
    let report: ReplayReport = try history.replay { progress.update(UInt64($0)) }
    progress.finish()
    if call.arguments[LogParameters.json] {
      try call.console.output.json(json(report, stream))
    } else {
      try print(report, stream, try history.stateValue(), call.console)
    }
    return report.divergence == nil ? .done : .divergence
  }

  private static func rate(_ report: ReplayReport) -> Double {
    report.seconds > 0 ? Double(report.actionCount) / report.seconds : 0
  }

  private static func print(
    _ report: ReplayReport, _ stream: StreamInfo, _ state: RecordValue, _ console: Console
  ) throws {
    let output: OutputChannel = console.output
    let palette: Palette = console.palette
    let actions: String = Phrase.count(UInt64(report.actionCount), "action")
    let seconds: String = Phrase.duration(microseconds: UInt64(max(report.seconds, 0) * 1e6))
    let speed: String = Phrase.grouped(UInt64(rate(report)))
    try output.line(
      "\(palette.bold("\(stream.run):\(stream.name)"))  \(actions) in \(seconds), "
        + "\(speed) a second")
    if let divergence = report.divergence {
      try output.line(palette.red("diverged") + "  \(divergence)")
      try output.line(
        "Look at what it did with: show \(stream.run):\(stream.name)/\(divergence.action)")
      return
    }
    let compared: String = Phrase.count(UInt64(report.statesCompared), "recorded state")
    try output.line(
      report.statesCompared == 0
        ? "The log has no later state to compare with."
        : "\(palette.green("agrees")) with \(compared) on the way")
    try output.line(palette.bold("state \(stream.actionCount)"))
    guard case .structure(_, let fields) = state else {
      try output.line("  \(state.text(limit: DifferenceText.valueLimit))")
      return
    }
    for field in fields {
      let text: String = field.value.text(limit: DifferenceText.valueLimit)
      try output.line("  \(palette.cyan(field.name))  \(text)")
    }
  }

  private static func json(_ report: ReplayReport, _ stream: StreamInfo) -> JSONLine {
    var line = JSONLine()
    line.field("run", stream.run)
    line.field("stream", stream.name)
    line.field("actions", report.actionCount)
    line.field("seconds", report.seconds)
    line.field("actionsPerSecond", rate(report))
    line.field("statesCompared", report.statesCompared)
    if let divergence = report.divergence {
      line.object("divergence") { (object: inout JSONLine) in
        object.field("action", divergence.action)
        object.field("lastAgreement", divergence.lastAgreement)
        object.field("path", divergence.path)
        object.field("expected", divergence.expected)
        object.field("actual", divergence.actual)
      }
    } else {
      line.null("divergence")
    }
    return line
  }
}
