import Foundation
import ReplayFeatures

/// Records and replays generated runs until the count or the time is reached, or one fails.
struct Check {
  let arguments: Arguments

  /// - Returns: Whether the law held in all runs.
  @MainActor
  func run() async throws -> Bool {
    let folder = Self.folder()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let start = ContinuousClock.now
    var seed = self.arguments.seed
    let last = self.arguments.count.map { seed + UInt64($0) } ?? .max
    var report = RunReport()
    var told = start
    while seed < last, ContinuousClock.now - start < .seconds(self.arguments.minutes * 60) {
      let run = GeneratedRun(seed: seed, length: self.arguments.length)
      report.add(try await run.check(in: folder))
      seed += 1
      if report.failure != nil {
        try await self.explain(run, report, folder)
        break
      }
      if ContinuousClock.now - told > .seconds(30) {
        told = .now
        self.tell("\(seed - self.arguments.seed) runs, next seed \(seed)")
      }
    }
    let runs = Int(seed - self.arguments.seed)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print(
      """
      runs: \(runs), seeds \(self.arguments.seed) to \(seed - 1), in \(Int(seconds)) s \
      (\(Int(seconds * 1_000 / Double(max(1, runs)))) ms a run)
      actions: \(report.actions)
      states compared: \(report.prefixes)
      checkpoints replayed from: \(report.checkpoints)
      changed reducers found: \(report.mutants)
      \(Coverage.text)
      """)
    return report.failure == nil
  }

  private func explain(_ run: GeneratedRun, _ report: RunReport, _ folder: String) async throws {
    self.tell("seed \(run.seed) fails. \(report.failure ?? "")")
    guard let (shrunk, failure) = try await run.shrunk(in: folder) else {
      self.tell("It did not fail again: threads took part.")
      return
    }
    self.tell(
      """
      Of \(run.steps.count) steps these are left:
      \(shrunk.steps.map { "  \($0)" }.joined(separator: "\n"))
      \(failure)
      """)
  }

  private func tell(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// A folder of this process, in memory where the system has such a place.
  private static func folder() -> String {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    return "\(parent)/replays-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
