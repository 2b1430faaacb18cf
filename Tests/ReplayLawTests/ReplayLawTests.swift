import Foundation
import ReplayFeatures
import TestSupport
import Testing

/// The law of replay, with features and runs that are generated.
@MainActor
@Suite(.serialized)
struct ReplayLawTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  /// As many runs as take some seconds; `replays` is the long test.
  @Test func everyReplayHasTheStatesOfTheLiveStore() async throws {
    var report = RunReport()
    // Besides the first ones, what a long test has found.
    for seed in Array(1...16 as ClosedRange<UInt64>) + [3_053_484] {
      let run = GeneratedRun(seed: seed)
      let found: RunReport = try await run.check(in: self.folder.url.path)
      report.add(found)
      guard let failure = found.failure else { continue }
      let shrunk = try await run.shrunk(in: self.folder.url.path, limit: 100)
      let steps = shrunk?.run.steps.map { "\($0)" }.joined(separator: "\n") ?? "all steps"
      Issue.record("Seed \(seed): \(failure)\nShrunk:\n\(steps)\n\(shrunk?.failure ?? "")")
      break
    }
    #expect(report.actions > 50)
    #expect(report.prefixes > report.actions)
    #expect(report.checkpoints > 10)
    print(Coverage.text)
  }

  @Test func processesWithOtherOrdersZonesAndLanguagesGiveTheSameDigests() async throws {
    let path = self.folder.path("digests.retrace")
    let live = try await GeneratedRun(seed: 11, length: 200).record(at: path)
    #expect(try RunDigests(ofLogAt: path) == live)
    let outcome = try Program("replays").run(["processes", path, "--processes", "4"])
    #expect(outcome.output == "4 of 4 processes: \(live.text)\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: [false, true])
  func aChangedLineIsFoundAtItsFirstAction(hasDigests: Bool) async throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let trial = try await AccountTrial(
        in: self.folder.url.path, seed: seed, hasDigests: hasDigests)
      #expect(try trial.check(nil) == nil)
      for mutation in AccountTrial.mutations {
        let failure: String? = try trial.check(mutation)
        #expect(failure == nil, "seed \(seed): \(failure ?? "")")
      }
    }
  }

  @Test(arguments: SharedScenario.allCases)
  func whatOthersShareIsReplayedAtItsPlace(scenario: SharedScenario) throws {
    let path = self.folder.path("shared.retrace")
    let failure: String? = try scenario.check(at: path)
    #expect(failure == nil)
    #expect(try scenario.leavesNothing(at: path))
  }
}
