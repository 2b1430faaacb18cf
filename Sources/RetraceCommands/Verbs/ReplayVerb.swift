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
    let verdict: RecordVerdict = try history.typeChanges()
    for finding in verdict.findings {
      call.console.note("note: The types have changed since the recording: \(finding)")
    }
    var progress = Progress(
      "replaying", total: UInt64(history.count), console: call.console)
    let report: ReplayReport = try history.replay { progress.update(UInt64($0)) }
    progress.finish()
    if let first = report.unreadableStates.first {
      let others = report.unreadableStates.count - 1
      call.console.note(
        "note: The log's state \(first)\(others > 0 ? " and \(others) more" : "") can't be read, and "
          + "was not compared.")
    }
    for name in report.liveDependencies {
      call.console.note(
        "note: Reducers were given '\(name)', whose answers no recording holds: what they read of it "
          + "is not what they read then.")
    }
    if call.arguments[LogParameters.json] {
      try call.console.output.json(json(report, stream))
    } else {
      try print(report, stream, try history.stateValue(), call)
    }
    return report.divergence == nil ? .done : .divergence
  }

  private static func rate(_ report: ReplayReport) -> Double {
    report.seconds > 0 ? Double(report.actionCount) / report.seconds : 0
  }

  private static func print(
    _ report: ReplayReport, _ stream: StreamInfo, _ state: RecordValue, _ call: Invocation
  ) throws {
    let console: Console = call.console
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
      if report.redactions.count > 0 {
        try output.line("What was redacted may be why: \(report.redactions)")
      }
      try output.line(
        "Look at what it did with: \(call.program) show "
          + "\(try call.arguments.require(LogParameters.log)) \(divergence.address)")
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
    line.array("unreadableStates", report.unreadableStates) {
      (object: inout JSONLine, number: Int) in object.field("number", number)
    }
    line.field("redacted", report.redactions.count)
    line.array("redactions", report.redactions.items) {
      (object: inout JSONLine, item: Redactions.Item) in
      object.field("action", item.action)
      object.field("path", item.path)
    }
    line.array("liveDependencies", report.liveDependencies) {
      (object: inout JSONLine, name: String) in object.field("name", name)
    }
    if let divergence = report.divergence {
      line.object("divergence") { (object: inout JSONLine) in
        object.field("kind", divergence.kind.rawValue)
        object.field("action", divergence.action)
        object.field("address", divergence.address)
        object.field("lastAgreement", divergence.lastAgreement)
        object.field("path", divergence.path)
        object.field("expected", divergence.expected)
        object.field("actual", divergence.actual)
        if let place = divergence.place { object.field("place", place) }
        if let hint = divergence.hint { object.field("hint", hint) }
      }
    } else {
      line.null("divergence")
    }
    return line
  }
}
