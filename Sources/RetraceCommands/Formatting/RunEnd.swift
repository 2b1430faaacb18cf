internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// How a run ended.
enum RunEnd {
  static func text(_ run: RunInfo, _ palette: Palette) -> String {
    if run.summary.isBeingWritten {
      let writer: String = run.summary.process.map { " by process \($0)" } ?? ""
      return palette.green("being written now\(writer)")
    }
    if run.summary.endedCleanly { return "ended cleanly" }
    guard let inFlight = run.summary.inFlight.first else {
      return palette.yellow("ended without closing, between actions")
    }
    let stream: String =
      run.streams.first { $0.number == Int(inFlight.stream) }?.name ?? "\(inFlight.stream)"
    return palette.red(
      "ended without closing, in action \(run.number):\(stream)/\(inFlight.action)")
  }

  static func word(_ run: RunInfo) -> String {
    if run.summary.isBeingWritten { return "writing" }
    return run.summary.endedCleanly ? "clean" : "killed"
  }
}
