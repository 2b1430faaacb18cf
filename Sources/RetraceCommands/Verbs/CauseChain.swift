internal import CommandLineKit
internal import ComposableArchitecture
internal import Retrace

/// How an action came about: itself, the action whose effect or observer sent it, and so on back to
/// what a user did.
struct CauseChain {
  /// Chains of effects can be as long as the log; more than this many links are not shown.
  static let limit = 20

  private(set) var links: [LoggedAction] = []
  /// Whether the chain goes on beyond the last link.
  private(set) var isCut = false

  /// Nothing but the action itself.
  init(_ action: LoggedAction) {
    links = [action]
  }

  init(of action: LoggedAction, in stream: StreamInfo, _ inspector: LogInspector) throws {
    links = [action]
    var next: Int? = Self.cause(of: action)
    while let number = next {
      guard links.count < Self.limit else {
        isCut = true
        return
      }
      var actions: LoggedActions = inspector.actions(of: stream, from: number, through: number)
      guard let action = try actions.next() else { return }
      links.append(action)
      next = Self.cause(of: action)
    }
  }

  private static func cause(of action: LoggedAction) -> Int? {
    // An origin that does not lie before its action would be a circle.
    action.origin.cause.flatMap { $0 < action.number ? $0 : nil }
  }

  /// Prints the chain below a heading.
  func print(to console: Console) throws {
    let lines = ActionLines(last: links[0].number, console: console)
    try console.output.line(console.palette.bold("cause"))
    for link in links { try console.output.line("  " + lines.line(link)) }
    if isCut { try console.output.line("  … and so on") }
  }

  /// Adds the chain, without the action itself, as a list of objects.
  func write(to line: inout JSONLine) {
    line.array("cause", links.dropFirst()) { (object: inout JSONLine, link: LoggedAction) in
      object.field("number", link.number)
      object.field("time", LogTime(link.time).iso8601)
      object.field("origin", ActionText.origin(link.origin))
      if let value = link.value {
        object.json("action", value.json().utf8)
      } else {
        object.null("action")
      }
    }
  }
}
