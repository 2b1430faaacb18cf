internal import ActionCoding
internal import CommandLineKit
internal import ComposableArchitecture
internal import Retrace

/// Actions as listings show them.
enum ActionText {
  /// Who sent an action: `user`, `effect 12`, `observer 12`.
  static func origin(_ origin: ActionOrigin) -> String {
    switch origin {
    case .user: "user"
    case .effect(let number), .action(let number): "effect \(number)"
    case .observer(let number): "observer \(number)"
    }
  }

  /// The action in one line, as it would be written in Swift.
  static func value(_ action: LoggedAction, limit: Int = .max) -> String {
    guard let value = action.value else {
      return "<not recorded: \(action.reasonForAbsence ?? "no reason was given")>"
    }
    return value.text(limit: limit)
  }

  /// The names of the nested cases, the outermost first: `["destination", "child", "tapped"]`.
  static func cases(_ action: LoggedAction) -> [String] {
    var names: [String] = []
    var next: RecordValue? = action.value
    while let value = next {
      switch value {
      case .some(let wrapped): next = wrapped
      case .enumeration(_, let name, let fields):
        names.append(name)
        // A case that holds more than an action is the end of the chain, unless the action is last,
        // as beside the id of a row.
        next = fields.last?.value
      default: next = nil
      }
    }
    return names
  }

  /// The fields that every JSON line about an action begins with.
  static func json(_ action: LoggedAction, stream: StreamInfo) -> JSONLine {
    var line = JSONLine()
    line.field("run", stream.run)
    line.field("stream", stream.name)
    line.field("number", action.number)
    line.field("time", LogTime(action.time).iso8601)
    line.object("origin") { (object: inout JSONLine) in
      switch action.origin {
      case .user: object.field("kind", "user")
      case .effect(let number), .action(let number):
        object.field("kind", "effect")
        object.field("action", number)
      case .observer(let number):
        object.field("kind", "observer")
        object.field("action", number)
      }
    }
    if let value = action.value {
      line.json("action", value.json().utf8)
    } else {
      line.null("action")
      line.field("absence", action.reasonForAbsence ?? "")
    }
    return line
  }
}

/// Sets actions in columns: number, time, origin, value.
struct ActionLines {
  private let numberWidth: Int
  private let originWidth: Int
  private let limit: Int?
  private let palette: Palette

  /// - Parameter last: The largest number that is to be set.
  init(last: Int, console: Console) {
    numberWidth = String(last).count
    // `effect` and a number is what is usual; `observer` is rare enough to stand out.
    originWidth = "effect ".count + numberWidth
    limit = console.lineLimit
    palette = console.palette
  }

  func line(_ action: LoggedAction) -> String {
    let number: String = Self.left(String(action.number), numberWidth)
    let time: String = LogTime(action.time).localClock
    let origin: String = Self.right(ActionText.origin(action.origin), originWidth)
    let before: Int = number.utf8.count + time.utf8.count + origin.utf8.count + 6
    let value: String = ActionText.value(action, limit: limit.map { max($0 - before, 10) } ?? .max)
    let styledOrigin: String =
      action.origin == .user ? palette.green(origin) : palette.dim(origin)
    return "\(palette.bold(number))  \(palette.dim(time))  \(styledOrigin)  \(value)"
  }

  private static func left(_ text: String, _ width: Int) -> String {
    let missing: Int = width - text.utf8.count
    return missing > 0 ? String(repeating: " ", count: missing) + text : text
  }

  private static func right(_ text: String, _ width: Int) -> String {
    let missing: Int = width - text.utf8.count
    return missing > 0 ? text + String(repeating: " ", count: missing) : text
  }
}
