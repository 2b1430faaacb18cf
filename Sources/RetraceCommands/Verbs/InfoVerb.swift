internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// `info LOG`: what a log holds.
enum InfoVerb {
  static let command = Command(
    "info", abstract: "Tell what a log holds.",
    discussion: """
      Prints the runs in the log, when they were, by which program and on what, how they ended, \
      their streams with the types of states and actions, and what is damaged as far as that is \
      seen without reading everything; 'verify' reads everything.
      """,
    parameters: [LogParameters.log, LogParameters.json, LogParameters.color],
    action: run)

  @MainActor private static func run(_ call: Invocation) throws -> ExitCode {
    let path: String = try call.arguments.require(LogParameters.log)
    let inspector = try LogInspector(at: path, mode: .salvage)
    if call.arguments[LogParameters.json] {
      try InfoLines(inspector).print(to: call.console.output)
    } else {
      try InfoText(inspector, call.console).print()
    }
    return .done
  }
}

/// What a log holds, for people.
private struct InfoText {
  private let inspector: LogInspector
  private let summary: LogSummary
  private let unreadable: [UnreadableDescription]
  private let output: OutputChannel
  private let palette: Palette

  init(_ inspector: LogInspector, _ console: Console) throws {
    self.inspector = inspector
    unreadable = try inspector.unreadableDescriptions()
    summary = inspector.reader.summary
    output = console.output
    palette = console.palette
  }

  func print() throws {
    let actions: Int = inspector.runs.reduce(0) { (sum: Int, run: RunInfo) -> Int in
      sum + run.streams.reduce(0) { $0 + $1.actionCount }
        + run.undescribedStreams.reduce(0) { $0 + Int($1.count) }
    }
    let size: String = Phrase.bytes(summary.segmentBytes + summary.tailBytes)
    try output.line(
      "\(palette.bold(inspector.path))  \(Phrase.count(UInt64(inspector.runs.count), "run")), "
        + "\(Phrase.count(UInt64(actions), "action")), \(size) on disk")
    for run in inspector.runs { try print(run) }
    if !summary.gaps.isEmpty {
      try output.line("")
      try output.line(palette.bold("gaps"))
      for gap in summary.gaps { try output.line("  \(palette.red("lost"))  \(gap)") }
    }
    guard !summary.damage.isEmpty || !unreadable.isEmpty else { return }
    try output.line("")
    try output.line(palette.bold("damage"))
    for damage in summary.damage { try output.line("  \(DamageText.line(damage, palette))") }
    for description in unreadable {
      try output.line("  \(palette.red("lost"))  \(inspector.path): \(description.message)")
    }
  }

  private func print(_ run: RunInfo) throws {
    let start = LogTime(run.summary.firstTime)
    let length: UInt64 = run.summary.lastTime - min(run.summary.firstTime, run.summary.lastTime)
    try output.line("")
    try output.line(
      "\(palette.bold("run \(run.number)"))  \(start.local) for "
        + "\(Phrase.duration(microseconds: length)), \(RunEnd.text(run, palette))")
    try entry("program", Self.program(run.facts))
    try entry("system", Self.system(run.facts))
    let isUnreadable: Bool = unreadable.contains { $0.run == run.number }
    if isUnreadable {
      try entry(
        "", palette.yellow("some of the records that describe the run can't be read, see damage"))
    }
    let undescribed: [(stream: UInt16, count: UInt64)] = run.undescribedStreams
    if run.streams.isEmpty, undescribed.isEmpty {
      try entry("streams", isUnreadable ? "unknown" : "none: no store was recorded")
    }
    for (number, count) in undescribed {
      try entry("stream", "of unknown name (\(number)), \(Phrase.count(count, "action"))")
    }
    for stream in run.streams {
      let count: String = Phrase.count(UInt64(stream.actionCount), "action")
      try entry("stream", "\(palette.cyan(stream.name)) (\(stream.number)), \(count)")
      try entry("states", SchemaText.line(stream.stateSchema))
      try entry("actions", SchemaText.line(stream.actionSchema))
      for gap in SchemaText.gaps(stream) { try entry("", palette.yellow(gap)) }
    }
  }

  private func entry(_ name: String, _ text: String) throws {
    guard !text.isEmpty else { return }
    let gap = String(repeating: " ", count: max(0, 8 - name.count))
    try output.line("  \(palette.dim(name))\(gap) \(text)")
  }

  private static func program(_ facts: [String: String]) -> String {
    var parts: [String] = []
    if let program = facts["program"] { parts.append(program) }
    if let build = facts["build"] { parts.append("build \(BuildNote.short(build))") }
    if let pid = facts["pid"] { parts.append("process \(pid)") }
    return parts.joined(separator: ", ")
  }

  private static func system(_ facts: [String: String]) -> String {
    // What the line of the program has, and what is only of use to programs, is left out.
    let shown: Set<String> = ["program", "build", "pid"]
    return facts.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}

extension RunInfo {
  /// The streams that have actions, while the records that describe them are lost.
  var undescribedStreams: [(stream: UInt16, count: UInt64)] {
    summary.actions.filter { (entry: (stream: UInt16, count: UInt64)) -> Bool in
      entry.count > 0 && !streams.contains { $0.number == Int(entry.stream) }
    }
  }
}

/// What a log holds, for programs: a line for the log, one for each run, gap and damage.
private struct InfoLines {
  let inspector: LogInspector

  init(_ inspector: LogInspector) {
    self.inspector = inspector
  }

  func print(to output: OutputChannel) throws {
    let summary: LogSummary = inspector.reader.summary
    var line = JSONLine()
    line.field("kind", "log")
    line.field("path", inspector.path)
    line.field("runs", inspector.runs.count)
    line.field("records", summary.records)
    line.field("firstSequence", summary.firstSequence)
    line.field("segments", summary.segments.count)
    line.field("segmentBytes", summary.segmentBytes)
    line.field("tailBytes", summary.tailBytes)
    try output.json(line)
    for run in inspector.runs { try output.json(Self.line(run)) }
    for gap in summary.gaps {
      var line = JSONLine()
      line.field("kind", "gap")
      if let sequences = gap.sequences {
        line.field("firstSequence", sequences.lowerBound)
        line.field("lastSequence", sequences.upperBound)
      }
      line.field("notTaken", gap.dropped)
      line.field("message", gap.description)
      try output.json(line)
    }
    for damage in summary.damage {
      var line = JSONLine()
      line.field("kind", "damage")
      DamageText.write(damage, to: &line)
      try output.json(line)
    }
    for description in try inspector.unreadableDescriptions() {
      var line = JSONLine()
      line.field("kind", "damage")
      line.field("effect", "loss")
      line.field("path", inspector.path)
      line.field("firstSequence", description.sequences.lowerBound)
      line.field("lastSequence", description.sequences.upperBound)
      line.field("message", description.message)
      try output.json(line)
    }
  }

  private static func line(_ run: RunInfo) -> JSONLine {
    var line = JSONLine()
    line.field("kind", "run")
    line.field("run", run.number)
    line.field("firstTime", LogTime(run.summary.firstTime).iso8601)
    line.field("lastTime", LogTime(run.summary.lastTime).iso8601)
    line.field("end", RunEnd.word(run))
    if let inFlight = run.summary.inFlight.first {
      line.object("inFlight") { (object: inout JSONLine) in
        object.field("stream", inFlight.stream)
        object.field("action", inFlight.action)
      }
    }
    line.object("facts") { (object: inout JSONLine) in
      for (name, value) in run.facts.sorted(by: { $0.key < $1.key }) { object.field(name, value) }
    }
    line.array("streams", run.streams) { (object: inout JSONLine, stream: StreamInfo) in
      object.field("number", stream.number)
      object.field("name", stream.name)
      object.field("actions", stream.actionCount)
      object.field("state", SchemaText.name(stream.stateSchema))
      object.field("action", SchemaText.name(stream.actionSchema))
      object.strings("notReplayable", SchemaText.gaps(stream))
    }
    return line
  }
}
