internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// `verify LOG`: reads everything and checks it.
enum VerifyVerb {
  static let command = Command(
    "verify", abstract: "Read everything and check it.",
    discussion: """
      Checks every checksum, every structure and every sequence number. The exit status is 1 when \
      something is damaged. An end that was torn when the process was killed is told, and is no \
      damage: nothing that was recorded before it is lost.
      """,
    parameters: [LogParameters.log, LogParameters.json, LogParameters.color],
    action: run)

  @MainActor private static func run(_ call: Invocation) throws -> ExitCode {
    let path: String = try call.arguments.require(LogParameters.log)
    let reader = try LogReader(at: path, mode: .salvage)
    let size: UInt64 = reader.summary.segmentBytes + reader.summary.tailBytes
    var progress = Progress("verifying", total: size, console: call.console)
    let result: LogVerification = try reader.verify { (done: UInt64, _: UInt64) in
      progress.update(done)
    }
    progress.finish()
    let isDamaged: Bool = result.damage.contains { $0.effect != .tornEnd }
    let output: OutputChannel = call.console.output
    if call.arguments[LogParameters.json] {
      try print(result, path, isDamaged, to: output)
    } else {
      let palette: Palette = call.console.palette
      for damage in result.damage { try output.line(DamageText.line(damage, palette)) }
      let verdict: String =
        isDamaged
        ? palette.red(result.hasLoss ? "damaged, records are lost" : "damaged, nothing is lost")
        : palette.green("good")
      try output.line(
        "\(palette.bold(path))  \(verdict): \(Phrase.count(result.records, "record")) in "
          + "\(Phrase.count(UInt64(result.segments), "segment")), \(Phrase.bytes(result.bytes)) "
          + "read")
    }
    return isDamaged ? .failed : .done
  }

  private static func print(
    _ result: LogVerification, _ path: String, _ isDamaged: Bool, to output: OutputChannel
  ) throws {
    for damage in result.damage {
      var line = JSONLine()
      line.field("kind", "damage")
      DamageText.write(damage, to: &line)
      try output.json(line)
    }
    var line = JSONLine()
    line.field("kind", "result")
    line.field("path", path)
    line.field("good", !isDamaged)
    line.field("loss", result.hasLoss)
    line.field("records", result.records)
    line.field("segments", result.segments)
    line.field("blocks", result.blocks)
    line.field("bytes", result.bytes)
    try output.json(line)
  }
}
