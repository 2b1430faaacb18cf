internal import ActionLog
internal import CommandLineKit

/// `prune LOG`: removes old segments.
enum PruneVerb {
  private static let bytes = Option<UInt64>(
    "keep-bytes", value: "size", .size,
    help: "How much is to stay at most, as 500MB or 2GB: powers of a thousand.")
  private static let age = Option<UInt64>(
    "keep-age", value: "age", .age,
    help: "How old what stays may be, as 30d, 12h, 15m or 90s.")
  private static let dryRun = Flag(
    "dry-run", short: "n", help: "Remove nothing; print what would be removed.")

  static let command = Command(
    "prune", abstract: "Remove the oldest segments of a log.",
    discussion: """
      Whole segments are removed, the oldest first, while the log is larger or they are older than \
      is to stay. Their age is the time since they were sealed. What stays can always be replayed: \
      no segment goes that a later one needs. A log that a program writes just now is not pruned; \
      that program prunes by its own options.
      """,
    parameters: [
      LogParameters.log, bytes, age, dryRun, LogParameters.json, LogParameters.color,
    ],
    action: run)

  @MainActor private static func run(_ call: Invocation) throws -> ExitCode {
    let path: String = try call.arguments.require(LogParameters.log)
    let retention = Retention(
      maximumBytes: call.arguments[bytes], maximumAge: call.arguments[age])
    guard retention != Retention() else {
      throw UsageError("Nothing says what is to stay. Give '--keep-bytes', '--keep-age' or both.")
    }
    let isDryRun: Bool = call.arguments[dryRun]
    let result: PruneResult = try prune(at: path, retention, isDryRun: isDryRun)
    let output: OutputChannel = call.console.output
    if call.arguments[LogParameters.json] {
      try print(result, path, isDryRun, to: output)
      return .done
    }
    let palette: Palette = call.console.palette
    let verb: String = isDryRun ? "would remove" : "removed"
    for file in result.paths { try output.line("\(palette.yellow(verb))  \(file)") }
    try output.line(
      "\(palette.bold(path))  \(verb) \(Phrase.count(UInt64(result.paths.count), "segment")), "
        + "\(Phrase.bytes(result.bytes)); \(Phrase.count(UInt64(result.keptSegments), "segment")) "
        + "with \(Phrase.bytes(result.keptBytes)) \(isDryRun ? "would stay" : "left")")
    if result.isOver {
      call.console.note(
        "note: \(path) is still larger than is to stay: what is left needs its first segment.")
    }
    return .done
  }

  private static func print(
    _ result: PruneResult, _ path: String, _ isDryRun: Bool, to output: OutputChannel
  ) throws {
    for file in result.paths {
      var line = JSONLine()
      line.field("kind", "segment")
      line.field("path", file)
      try output.json(line)
    }
    var line = JSONLine()
    line.field("kind", "result")
    line.field("path", path)
    line.field("dryRun", isDryRun)
    line.field("removedSegments", result.paths.count)
    line.field("removedBytes", result.bytes)
    line.field("segments", result.keptSegments)
    line.field("bytes", result.keptBytes)
    line.field("firstSequence", result.firstSequence)
    line.field("over", result.isOver)
    try output.json(line)
  }
}

extension ValueParser where Value == UInt64 {
  /// A number of bytes: `812`, `500kB`, `1.5GB`.
  fileprivate static var size: ValueParser {
    quantity(
      [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1), ("", 1)],
      else: "a size looks like 500MB or 2GB")
  }

  /// A number of seconds: `30d`, `12h`, `15m`, `90s`.
  fileprivate static var age: ValueParser {
    quantity(
      [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)],
      else: "an age looks like 30d, 12h, 15m or 90s")
  }

  private static func quantity(
    _ units: [(name: String, factor: Double)], else message: String
  ) -> ValueParser {
    ValueParser { (text: String) throws(ValueError) -> UInt64 in
      for unit in units where text.hasSuffix(unit.name) {
        let number = text.dropLast(unit.name.count)
        let isPlain: Bool = number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard isPlain, let value = Double(number), value * unit.factor < 1e18 else { break }
        return UInt64(value * unit.factor)
      }
      throw ValueError(message)
    }
  }
}
