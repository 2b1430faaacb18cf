internal import ActionLog
internal import CommandLineKit

/// `recover LOG TARGET`: writes what is good of a log to a new one.
enum RecoverVerb {
  private static let target = Argument<String>(
    "target", .path(completion: .directory),
    help: "The directory of the new log; it must not be there.")

  static let command = Command(
    "recover", abstract: "Write all that can be read of a log to a new one.",
    discussion: """
      The new log is whole: records keep their numbers, runs and times, and where some are lost \
      the log says so. It is read again to see that it holds what was read from the old one, which \
      stays as it is. The exit status is 3 when records are lost.
      """,
    parameters: [LogParameters.log, target, LogParameters.json, LogParameters.color],
    action: run)

  @MainActor private static func run(_ call: Invocation) throws -> ExitCode {
    let path: String = try call.arguments.require(LogParameters.log)
    let target: String = try call.arguments.require(target)
    let total: UInt64 = try LogReader(at: path, mode: .salvage).summary.records
    var progress = Progress("recovering", total: total, console: call.console)
    let result: SalvageResult = try salvageLog(at: path, to: target) { (done: UInt64, _: UInt64) in
      progress.update(done)
    }
    progress.finish()
    let output: OutputChannel = call.console.output
    if call.arguments[LogParameters.json] {
      try print(result, path, target, to: output)
    } else {
      let palette: Palette = call.console.palette
      for damage in result.damage { try output.line(DamageText.line(damage, palette)) }
      for range in result.lost {
        try output.line("\(palette.red("lost"))  records \(span(range))")
      }
      for gap in result.gaps {
        try output.line("\(palette.yellow("known"))  \(gap)")
      }
      let verdict: String =
        result.hasLoss ? palette.red("recovered with loss") : palette.green("recovered whole")
      try output.line(
        "\(palette.bold(target))  \(verdict): \(Phrase.count(result.records, "record")) in "
          + "\(Phrase.count(UInt64(result.segments), "segment")), \(Phrase.bytes(result.bytes)), "
          + "read again")
    }
    return result.hasLoss ? .recoveredWithLoss : .done
  }

  /// `7`, `7 to 9`.
  private static func span(_ range: ClosedRange<UInt64>) -> String {
    range.count == 1
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  private static func print(
    _ result: SalvageResult, _ path: String, _ target: String, to output: OutputChannel
  ) throws {
    for damage in result.damage {
      var line = JSONLine()
      line.field("kind", "damage")
      DamageText.write(damage, to: &line)
      try output.json(line)
    }
    for range in result.lost {
      var line = JSONLine()
      line.field("kind", "lost")
      line.field("firstSequence", range.lowerBound)
      line.field("lastSequence", range.upperBound)
      try output.json(line)
    }
    for gap in result.gaps {
      var line = JSONLine()
      line.field("kind", "gap")
      if let sequences = gap.sequences {
        line.field("firstSequence", sequences.lowerBound)
        line.field("lastSequence", sequences.upperBound)
      }
      line.field("message", "\(gap)")
      try output.json(line)
    }
    var line = JSONLine()
    line.field("kind", "result")
    line.field("path", path)
    line.field("target", target)
    line.field("loss", result.hasLoss)
    line.field("records", result.records)
    line.field("segments", result.segments)
    line.field("bytes", result.bytes)
    try output.json(line)
  }
}
