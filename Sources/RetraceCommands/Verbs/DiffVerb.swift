internal import ActionCoding
internal import CommandLineKit
internal import Retrace

/// `diff LOG ADDRESS [ADDRESS]`: what changed in the state.
enum DiffVerb {
  static let first = Argument<AddressRange>(
    "address", .range,
    help: "The action whose changes are wanted; or a range, for all it changed together.")
  static let second = Argument<Address>(
    "other", .address, required: false,
    help: "Another action: then the states after the two are compared.")

  static func command(_ source: @escaping HistorySource) -> Command {
    Command(
      "diff", abstract: "Print what changed in the state.",
      discussion: """
        With one address: what this action changed. With two: what is different between the \
        states after these actions.

        \(LogParameters.addresses) \(LogParameters.ranges)
        """,
      parameters: [
        LogParameters.log, first, second, LogParameters.json, LogParameters.showOutput,
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
    let range: AddressRange = try call.arguments.require(first)
    let stream: StreamInfo = try log.stream(range.stream)
    let span: StreamSpan = stream.span
    let from: Int
    let to: Int
    if let other = call.arguments[second] {
      guard range.isSingle else {
        throw UsageError("A range and another address can't be compared; give two addresses.")
      }
      guard other.stream == StreamReference() || other.stream == range.stream else {
        throw UsageError("Both addresses must be about one stream.")
      }
      from = try span.state(range.lower)
      to = try span.state(other.position)
    } else {
      let numbers: ClosedRange<Int> = try span.actions(range)
      from = numbers.lowerBound - 1
      to = numbers.upperBound
    }
    let history: any StateHistory = try log.history(of: stream, source)
    let changes: [ValueDifference] = try history.changes(from: from, to: to)
    if call.arguments[LogParameters.json] {
      var line = JSONLine()
      line.field("run", stream.run)
      line.field("stream", stream.name)
      line.field("from", from)
      line.field("to", to)
      line.differences(changes)
      try call.console.output.json(line)
    } else {
      let text = DifferenceText(palette: call.console.palette)
      for change in changes { try call.console.output.line(text.line(change)) }
      if changes.isEmpty { call.console.note("States \(from) and \(to) are equal.") }
    }
    return .done
  }
}

extension StateHistory {
  /// What differs between the states after two actions.
  func changes(from: Int, to: Int) throws -> [ValueDifference] {
    try move(to: from)
    let before: RecordValue = try stateValue()
    try move(to: to)
    return before.differences(from: try stateValue())
  }
}

extension DifferenceText {
  func line(_ change: ValueDifference) -> String {
    line(path: change.path, old: change.first, new: change.second)
  }
}

extension JSONLine {
  /// Adds changes as a list: each has a path, and what was there before and is there now.
  mutating func differences(_ changes: [ValueDifference]) {
    array("changes", changes) { (object: inout JSONLine, change: ValueDifference) in
      object.field("path", change.path)
      object.value("old", change.first)
      object.value("new", change.second)
    }
  }
}
