internal import ActionCoding
internal import CommandLineKit
internal import ComposableArchitecture
internal import Retrace

/// `show LOG ADDRESS`: one action whole.
enum ShowVerb {
  static let address = LogParameters.action(required: true, help: "The action to show.")

  /// How far behind an action its answers are looked for.
  static let answerWindow = 100_000

  static func command(_ source: HistorySource?) -> Command {
    Command(
      "show", abstract: "Show one action whole.",
      discussion: """
        Prints the action as JSON, who sent it, what led to it, the effects that it started and \
        the actions they sent\(source == nil ? "" : ", and what it changed in the state").

        \(LogParameters.addresses)
        """,
      parameters: [LogParameters.log, address, LogParameters.json]
        + (source == nil ? [] : [LogParameters.showOutput]) + [LogParameters.color]
    ) { (call: Invocation) in
      try folding(call) { try run(call, source) }
    }
  }

  @MainActor private static func run(_ call: Invocation, _ source: HistorySource?) throws
    -> ExitCode
  {
    let log: OpenLog = try OpenLog(call)
    let address: Address = try call.arguments.require(address)
    let stream: StreamInfo = try log.stream(address.stream)
    let number: Int = try stream.span.action(address.position)
    let action: LoggedAction = try call.action(number, of: stream, log.inspector)
    let chain: CauseChain =
      try call.unlessDamaged("All that led to action \(number)") {
        try CauseChain(of: action, in: stream, log.inspector)
      } ?? CauseChain(action)
    let answers: [LoggedAction] =
      try call.unlessDamaged("Which actions its effects sent") {
        try Self.answers(to: action, in: stream, log.inspector)
      } ?? []
    var changes: [ValueDifference]?
    if let source {
      let what = "What action \(number) changed"
      changes = try call.unlessNotReplayable(what) {
        try call.unlessDamaged(what) {
          try log.history(of: stream, source).changes(from: number - 1, to: number)
        }
      }
    }
    if call.arguments[LogParameters.json] {
      var line: JSONLine = ActionText.json(action, stream: stream)
      chain.write(to: &line)
      write(action.texts, to: &line)
      write(action.reads, to: &line)
      write(action.effects, to: &line)
      line.array("answers", answers) { (object: inout JSONLine, answer: LoggedAction) in
        object.field("number", answer.number)
        object.value("action", answer.value)
      }
      if let changes { line.differences(changes) }
      try call.console.output.json(line)
    } else {
      try print(action, stream, chain, answers, changes, call.console)
    }
    return .done
  }

  private static func print(
    _ action: LoggedAction, _ stream: StreamInfo, _ chain: CauseChain, _ answers: [LoggedAction],
    _ changes: [ValueDifference]?, _ console: Console
  ) throws {
    let output: OutputChannel = console.output
    let palette: Palette = console.palette
    try output.line(
      "\(palette.bold(stream.span.address(action.number)))  \(LogTime(action.time).local)  "
        + "sent by \(sender(action.origin))")
    try output.line(action.value?.json(pretty: true) ?? ActionText.value(action))
    if !action.texts.isEmpty {
      try output.line(palette.bold("not recorded"))
      for text in action.texts { try output.line("  \(line(text))") }
    }
    if chain.links.count > 1 { try chain.print(to: console) }
    if !action.reads.isEmpty {
      try output.line(palette.bold("reads"))
      for read in action.reads {
        try output.line("  \(line(read))")
        for text in read.texts { try output.line("    \(line(text))") }
      }
    }
    if !action.effects.isEmpty {
      try output.line(palette.bold("effects"))
      for effect in action.effects { try output.line("  \(line(effect))") }
    }
    if let last = answers.last {
      try output.line(palette.bold("answers"))
      let lines = ActionLines(last: last.number, console: console)
      for answer in answers { try output.line("  \(lines.line(answer))") }
    }
    guard let changes else { return }
    try output.line(palette.bold("changes"))
    if changes.isEmpty { try output.line("  none") }
    let text = DifferenceText(palette: palette)
    for change in changes { try output.line("  \(text.line(change))") }
  }

  private static func sender(_ origin: ActionOrigin) -> String {
    switch origin {
    case .user: "the user"
    case .effect(let number): "an effect of action \(number)"
    case .action(let number): "the reducer of action \(number)"
    case .observer(let number): "an observer during action \(number)"
    }
  }

  private static func line(_ read: LoggedRead) -> String {
    let arguments: String = read.arguments?.text(limit: DifferenceText.valueLimit) ?? ""
    let value: String =
      read.value?.text(limit: DifferenceText.valueLimit)
      ?? "<\(read.reasonForAbsence ?? "not recorded")>"
    return "\(read.name)\(arguments)  \(value)"
  }

  private static func line(_ text: LoggedText) -> String {
    text.path.isEmpty ? text.text : "\(text.path)  \(text.text)"
  }

  /// - Note: Nothing where there are none, as in nearly all logs.
  private static func write(_ texts: [LoggedText], to line: inout JSONLine) {
    guard !texts.isEmpty else { return }
    line.array("texts", texts) { (object: inout JSONLine, text: LoggedText) in
      object.field("path", text.path)
      object.field("text", text.text)
    }
  }

  private static func write(_ reads: [LoggedRead], to line: inout JSONLine) {
    line.array("reads", reads) { (object: inout JSONLine, read: LoggedRead) in
      object.field("name", read.name)
      if let arguments = read.arguments { object.value("arguments", arguments) }
      if let value = read.value { object.value("value", value) }
      if let reason = read.reasonForAbsence { object.field("absence", reason) }
      write(read.texts, to: &object)
    }
  }

  private static func line(_ effect: LoggedEffect) -> String {
    let name: String = effect.start.name.map { "\($0) " } ?? ""
    let place = "\(effect.start.index)  \(name)\(effect.start.fileID):\(effect.start.line)"
    let after: String = effect.endedAfter.map { " after action \($0)" } ?? ""
    return switch effect.end {
    case .finished: "\(place)  finished\(after)"
    case .cancelled: "\(place)  cancelled\(after)"
    case .failed(let text): "\(place)  failed\(after): \(text)"
    case nil: "\(place)  not ended"
    }
  }

  private static func write(_ effects: [LoggedEffect], to line: inout JSONLine) {
    line.array("effects", effects) { (object: inout JSONLine, effect: LoggedEffect) in
      object.field("index", effect.start.index)
      if let name = effect.start.name { object.field("name", name) }
      object.field("file", effect.start.fileID)
      object.field("line", effect.start.line)
      switch effect.end {
      case .finished: object.field("end", "finished")
      case .cancelled: object.field("end", "cancelled")
      case .failed(let text):
        object.field("end", "failed")
        object.field("error", text)
      case nil: object.null("end")
      }
      if let after = effect.endedAfter { object.field("endedAfter", after) }
      if let time = effect.endTime { object.field("endTime", LogTime(time).iso8601) }
    }
  }

  /// The actions that an action's effects sent, as far as the first of them lie near.
  private static func answers(
    to action: LoggedAction, in stream: StreamInfo, _ inspector: LogInspector
  ) throws -> [LoggedAction] {
    guard !action.effects.isEmpty else { return [] }
    let ends: [Int?] = action.effects.map(\.endedAfter)
    // An effect's last action may be counted right after its end.
    let last: Int = ends.contains(nil) ? .max : (ends.compactMap(\.self).max() ?? 0) + 1
    var actions: LoggedActions = inspector.actions(
      of: stream, from: action.number + 1,
      through: min(last, action.number + answerWindow, stream.actionCount))
    var answers: [LoggedAction] = []
    while let next = try actions.next(), answers.count < 20 {
      if next.origin.isEffect, next.origin.cause == action.number { answers.append(next) }
    }
    return answers
  }
}

extension Invocation {
  /// One action, with its effects where these can be read.
  func action(
    _ number: Int, of stream: StreamInfo, _ inspector: LogInspector
  ) throws -> LoggedAction {
    let whole: LoggedAction? =
      try unlessDamaged("The effects of action \(number)") {
        () throws -> LoggedAction? in
        var actions: LoggedActions = inspector.actions(of: stream, from: number, through: number)
        // An action that can't be read at all is told by `action`.
        guard try !isLost(&actions) else { return nil }
        return try inspector.action(number, of: stream)
      } ?? nil
    if let whole { return whole }
    var actions: LoggedActions = inspector.actions(of: stream, from: number, through: number)
    if let action = try actions.next() { return action }
    return try inspector.action(number, of: stream)
  }

  private func isLost(_ actions: inout LoggedActions) throws -> Bool {
    do {
      return try actions.next() == nil
    } catch  where DamageAdvice.isAboutDamage(error) {
      return true
    }
  }
}
