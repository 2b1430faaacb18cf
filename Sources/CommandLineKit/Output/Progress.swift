/// A line on a terminal that says how far a long piece of work is, and how long it may still take.
///
/// It prints nothing where standard error is no terminal, and nothing for work that is soon done.
package struct Progress: Sendable {
  /// Work shorter than this needs no line; a line that changes faster can't be read.
  static let interval: Duration = .milliseconds(200)

  private let label: String
  private let total: UInt64
  private let channel: OutputChannel?
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var isShown = false

  /// - Parameter total: How much there is to do, in whatever unit; 0 when it is not known.
  package init(_ label: String, total: UInt64, console: Console) {
    self.label = label
    self.total = total
    channel = console.isErrorTerminal ? console.errors : nil
    start = .now
    last = start
  }

  /// Shows how much is done, if enough time has passed since it was last shown.
  package mutating func update(_ done: UInt64) {
    guard let channel else { return }
    let now: ContinuousClock.Instant = .now
    guard now - last >= Self.interval else { return }
    last = now
    isShown = true
    try? channel.text("\r\u{1B}[K" + text(done, elapsed: now - start))
  }

  /// Takes the line away.
  package mutating func finish() {
    guard isShown, let channel else { return }
    isShown = false
    try? channel.text("\r\u{1B}[K")
  }

  func text(_ done: UInt64, elapsed: Duration) -> String {
    guard total > 0 else { return "\(label) \(done)" }
    let part: Double = min(Double(done) / Double(total), 1)
    let percent = "\(label) \(Int(part * 100)) %"
    guard part > 0.01 else { return percent }
    let seconds: Double = Double(elapsed / .microseconds(1)) / 1e6
    return "\(percent), about \(Self.short(seconds / part * (1 - part))) left"
  }

  private static func short(_ seconds: Double) -> String {
    guard seconds >= 1 else { return "1 s" }
    guard seconds < 1e9 else { return "a long time" }
    let whole = Int(seconds.rounded())
    if whole < 120 { return "\(whole) s" }
    return whole < 7_200 ? "\(whole / 60) min" : "\(whole / 3_600) h"
  }
}
