internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// `log LOG [RANGE]`: actions, one a line.
enum LogVerb {
  static let range = Argument<AddressRange>(
    "range", .range, required: false, help: "The actions to print; all of them if left out.")
  static let cases = Option<String>(
    "case", value: "name", .text, repeats: true,
    help: "Only actions of this case, as edit, row.* or '*Response'.")
  static let origin = Option<OriginFilter>(
    "origin", value: "sender", .origin, repeats: true,
    help: "Only actions sent by these, or by effects of the action of this number.")
  static let text = Option<String>(
    "text", value: "text", .text, help: "Only actions whose line contains this text.")
  static let from = Option<Bound>(
    "from", value: "when", .bound, help: "Begin at this number or time.")
  static let to = Option<Bound>(
    "to", value: "when", .bound, help: "End at this number or time.")
  static let limit = Option<Int>(
    "limit", value: "count", .integer(in: 1...Int.max), help: "Print this many at most.")
  static let follow = Flag("follow", short: "f", help: "Wait for more, until the stream ends.")

  static let command = Command(
    "log", abstract: "Print actions, one a line.",
    discussion: """
      Each line has the number of an action, the time, who sent it and the action itself. Who sent \
      it is the user, or an effect or observer with the number of the action it belongs to.

      \(LogParameters.addresses) \(LogParameters.ranges)

      Times are as 2026-07-28T09:30:00Z or '2026-07-28 09:30' in your zone, or 09:30:15 on the day \
      on which the run began.
      """,
    parameters: [
      LogParameters.log, range, cases, origin, text, from, to, limit, follow, LogParameters.json,
      LogParameters.color,
    ],
    action: run)

  @MainActor private static func run(_ call: Invocation) async throws -> ExitCode {
    let log: OpenLog = try OpenLog(call)
    let range: AddressRange? = call.arguments[range]
    var stream: StreamInfo = try log.stream(range?.stream ?? StreamReference())
    let follows: Bool = call.arguments[follow]
    var window = try Window(call.arguments, range: range, stream: stream, log: log)
    let filter = ActionFilter(call.arguments)
    for name in call.arguments.all(cases) {
      if let note = CaseNames.note(name, in: stream.actionSchema) { call.console.warn(note) }
    }
    var left: Int = call.arguments[limit] ?? .max
    let isJSON: Bool = call.arguments[LogParameters.json]
    var losesActions = false
    while true {
      let last: Int = min(window.last ?? .max, stream.actionCount)
      let lines = ActionLines(last: last, console: call.console)
      var actions = ListedActions(log, stream: stream, from: window.first, through: last)
      while left > 0, let action = try actions.next() {
        window.first = action.number + 1
        if window.isPast(action) { return losesActions || actions.hasLost ? .failed : .done }
        guard window.contains(action), filter.matches(action) else { continue }
        left -= 1
        if isJSON {
          try call.console.output.json(ActionText.json(action, stream: stream))
        } else {
          try call.console.output.line(lines.line(action))
        }
      }
      losesActions = losesActions || actions.hasLost
      if left > 0 { window.first = max(window.first, last + 1) }
      guard follows, left > 0, window.first <= window.last ?? .max,
        let next = try await more(of: stream, beyond: last, log)
      else { return losesActions ? .failed : .done }
      stream = next
    }
  }

  /// Looks at the log again until the stream has more actions; nil when it has ended.
  @MainActor private static func more(
    of stream: StreamInfo, beyond number: Int, _ log: OpenLog
  ) async throws -> StreamInfo? {
    try log.console.output.flush()
    while true {
      try log.inspector.refresh()
      let run: RunInfo = try log.inspector.run(stream.run)
      let now: StreamInfo = try log.inspector.stream(
        run: stream.run, named: String(stream.number))
      if now.actionCount > number { return now }
      if now.isClosed || !run.summary.isBeingWritten { return nil }
      // Short enough to look live, long enough to cost nothing.
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}

/// The numbers and times between which actions are listed.
private struct Window {
  var first = 1
  var last: Int?
  private var earliest: LogTime?
  private var latest: LogTime?

  @MainActor init(
    _ arguments: ParsedArguments, range: AddressRange?, stream: StreamInfo, log: OpenLog
  ) throws {
    let span: StreamSpan = stream.span
    if let range {
      let numbers: ClosedRange<Int> = try span.actions(range)
      first = numbers.lowerBound
      // An open end stays open for actions that are still to come.
      last = range.upper == .end && !range.isSingle ? nil : numbers.upperBound
    }
    let start = LogTime(try log.inspector.run(stream.run).summary.firstTime)
    var lower: Int?
    if let from = arguments[LogVerb.from] {
      if case .position(let position) = from {
        lower = try span.action(position)
        first = max(first, lower ?? first)
      }
      earliest = from.time(runStart: start)
      if let earliest {
        first = max(first, Self.firstAction(since: earliest, of: stream, log.inspector.reader))
      }
    }
    if let to = arguments[LogVerb.to] {
      if case .position(let position) = to {
        let upper: Int = try span.action(position)
        if let lower, lower > upper {
          throw PositionError(
            description: "'--from \(lower) --to \(upper)' is the wrong way round; write "
              + "'--from \(upper) --to \(lower)'.",
            isWrongUse: true)
        }
        last = min(last ?? .max, upper)
      }
      latest = to.time(runStart: start)
      if let earliest, let latest, latest.microseconds < earliest.microseconds {
        throw PositionError(
          description: "The time of '--to' lies before that of '--from'.", isWrongUse: true)
      }
    }
  }

  /// The number of the first action in the first block that reaches into the time, so that the
  /// blocks before it need not be read.
  private static func firstAction(
    since time: LogTime, of stream: StreamInfo, _ reader: LogReader
  ) -> Int {
    var before = 0
    for block in reader.blocks where block.run == UInt32(stream.run) && !block.isPreamble {
      guard block.latest < time.microseconds else { break }
      before += Int(block.actions[UInt16(stream.number)] ?? 0)
    }
    return before + 1
  }

  func contains(_ action: LoggedAction) -> Bool {
    earliest.map { $0.microseconds <= action.time } ?? true
  }

  /// Whether the action and all after it lie behind the end.
  func isPast(_ action: LoggedAction) -> Bool {
    latest.map { action.time > $0.microseconds } ?? false
  }
}

/// Which actions of a window are listed.
private struct ActionFilter {
  private let cases: [CasePattern]
  private let origins: [OriginFilter]
  private let text: String?

  init(_ arguments: ParsedArguments) {
    cases = arguments.all(LogVerb.cases).map(CasePattern.init)
    origins = arguments.all(LogVerb.origin)
    text = arguments[LogVerb.text]
  }

  func matches(_ action: LoggedAction) -> Bool {
    if !origins.isEmpty, !origins.contains(where: { $0.matches(action.origin) }) { return false }
    if !cases.isEmpty {
      let names: [String] = ActionText.cases(action)
      guard cases.contains(where: { $0.matches(names) }) else { return false }
    }
    guard let text else { return true }
    return ActionText.value(action).contains(text)
  }
}
