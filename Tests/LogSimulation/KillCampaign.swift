internal import ActionLog
internal import Foundation

/// Kills a program that appends from three threads, at random moments, and looks whether every
/// record is there that it had said was appended.
package struct KillCampaign {
  /// An acknowledged record that is lost, or a log that is not what it should be.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  package private(set) var kills = 0
  package private(set) var acknowledged: UInt64 = 0

  private let program: String
  private let path: String
  private var runs = 0
  private var records: UInt64 = 0
  private var generator: SeededGenerator

  /// - Parameters:
  ///   - program: The path of `ActionLogTestWriter`.
  ///   - folder: Where the logs are made.
  package init(program: String, folder: String, seed: UInt64) {
    self.program = program
    path = folder + "/killed.retrace"
    generator = SeededGenerator(seed: seed)
  }

  /// Starts a program, kills it, and looks at its log: several times the same log, then a new one.
  package mutating func round() throws {
    if kills % 4 == 0 {
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
      (runs, records) = (0, 0)
    }
    let policy = ["none", "1", "100", "each", "group"][generator.below(5)]
    let isAwaited = policy == "each" || policy == "group"
    // Now and then until the program has gone through many tails and segments.
    let enough = 1 + generator.below(isAwaited ? 60 : generator.chance(50) ? 25_000 : 2500)
    let said = try killAfter(enough, policy: policy)
    kills += 1
    runs += 1
    acknowledged += said.reduce(0) { $0 + UInt64($1) }
    let reader = try LogReader(at: path)
    let summary = reader.summary
    let place = "kill \(kills), policy \(policy): "
    if let loss = summary.damage.first(where: { $0.effect == .loss }) {
      throw Failure(description: place + "\(loss)")
    }
    let found = try numbers(reader, run: UInt32(runs), place)
    for thread in said.indices
    // Each thread has at most one record more than it has said.
    where found[thread] != said[thread] && found[thread] != said[thread] + 1 {
      throw Failure(
        description: place + "thread \(thread) said \(said[thread]), and \(found[thread]) is there")
    }
    if summary.nextSequence <= records {
      throw Failure(
        description: place + "the log ends at \(summary.nextSequence), before \(records)")
    }
    records = summary.nextSequence
  }

  /// Brings the last killed run in order and verifies all.
  ///
  /// A block that was being written at a kill stays as it is, behind the last good one.
  package func finish() throws {
    if runs == 0 { return }
    try LogWriter(at: path).close()
    let report = try LogReader(at: path).verify()
    if let damage = report.damage.first(where: { $0.effect != .tornEnd }) {
      throw Failure(description: "at the end: \(damage)")
    }
  }

  /// Lets the program say `enough` records, kills it, and returns the last that each thread said.
  private mutating func killAfter(_ enough: Int, policy: String) throws -> [UInt32] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [path, "3", policy, String(generator.next() % 1_000_000_007)]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var bytes: [UInt8] = []
    while bytes.count < enough * 4 {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      bytes.append(contentsOf: part)
    }
    kill(process.processIdentifier, SIGKILL)
    while true {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      bytes.append(contentsOf: part)
    }
    process.waitUntilExit()
    if process.terminationReason != .uncaughtSignal {
      throw Failure(description: "the program ended by itself with \(process.terminationStatus)")
    }
    var last: [UInt32] = [0, 0, 0]
    bytes.withUnsafeBytes { raw in
      for index in 0..<raw.count / 4 {
        let word = raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        last[Int(word >> 24)] = word & 0xff_ffff
      }
    }
    return last
  }

  /// The last number of each thread in a run; all before it must be there, in order and whole.
  private func numbers(_ reader: LogReader, run: UInt32, _ place: String) throws -> [UInt32] {
    var last: [UInt32] = [0, 0, 0]
    var cursor = reader.cursor()
    while let record = try cursor.next() {
      guard record.run == run, record.kind == .action else { continue }
      let number = record.payload.loadUnaligned(as: UInt32.self)
      let thread = Int(record.stream)
      if number != last[thread] + 1 {
        throw Failure(
          description: place + "thread \(thread): \(number) stands behind \(last[thread])")
      }
      last[thread] = number
      for index in 4..<record.payload.count
      where record.payload[index] != UInt8(truncatingIfNeeded: Int(number) &+ index) {
        throw Failure(description: place + "record \(record.sequence) is torn")
      }
    }
    return last
  }
}
