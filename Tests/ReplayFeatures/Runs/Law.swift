import ComposableArchitecture
import Foundation
import IssueReporting
import Retrace

/// What looking at one run has found.
package struct RunReport: Sendable {
  /// Actions that the run sent, its own and those of its effects.
  package var actions = 0
  /// States of replays that were compared with live ones.
  package var prefixes = 0
  /// Checkpoints that a replay began with.
  package var checkpoints = 0
  /// Changed reducers that were replayed.
  package var mutants = 0
  /// Where the law does not hold; `nil` where it does.
  package var failure: String?

  package init(actions: Int = 0, failure: String? = nil) {
    self.actions = actions
    self.failure = failure
  }

  package mutating func add(_ other: RunReport) {
    self.actions += other.actions
    self.prefixes += other.prefixes
    self.checkpoints += other.checkpoints
    self.mutants += other.mutants
    self.failure = self.failure ?? other.failure
  }
}

extension GeneratedRun {
  /// Records the run in `folder`, and compares the replays with it.
  ///
  /// The law: at every prefix, from the start and from every checkpoint, and after jumps in any
  /// order, a replay has the state that the live store had, and nothing diverges.
  ///
  /// - Throws: A `LogError` when the log can't be written.
  @MainActor
  package func check(in folder: String) async throws -> RunReport {
    let place = "\(folder)/\(self.seed)"
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let path = "\(place)/log.retrace"
    return try await withIssueReporters([]) {
      let live = try await self.live(at: path)
      if live.isIncomplete { return RunReport(actions: live.actions.count) }
      var random = SplitMix(seed: self.seed ^ 0xA5A5)
      do {
        return try Law(live: live).check(&random)
      } catch {
        return RunReport(actions: live.actions.count, failure: "The replay stopped: \(error)")
      }
    }
  }
}

/// Compares replays with the run that was recorded.
struct Law {
  let live: LiveRun
  let inspector: LogInspector

  init(live: LiveRun) throws {
    self.live = live
    self.inspector = try LogInspector(at: live.path)
  }

  private func timeline(
    _ capture: Capture<Node.State, Node.Action, [VaultValues]> = Capture()
  ) throws -> Timeline<Node.State, Node.Action> {
    try Timeline(of: self.inspector.stream(named: "node"), in: self.inspector) {
      LiveRun.feature(capture, self.live.looking)
    }
  }

  func check(_ random: inout SplitMix) throws -> RunReport {
    var report = RunReport(actions: self.live.actions.count)
    let checkpoints = try self.fold(&report)
    guard report.failure == nil else { return report }
    try self.fold(fromEach: checkpoints, &report)
    guard report.failure == nil else { return report }
    if random.once(in: 2) {
      try self.jump(&report, &random)
    } else {
      try self.replay(&report)
    }
    if !self.live.actions.isEmpty, random.once(in: 5), report.failure == nil {
      try self.mutate(&report, &random)
    }
    return report
  }

  /// Folds all from the start, one action after the other.
  ///
  /// - Returns: The checkpoints on the way.
  private func fold(_ report: inout RunReport) throws -> [Int] {
    let capture = Capture<Node.State, Node.Action, [VaultValues]>()
    let timeline = try self.timeline(capture)
    guard timeline.count == self.live.actions.count else {
      report.failure = "\(timeline.count) actions are in the log, and \(report.actions) were sent."
      return []
    }
    repeat {
      self.compare(timeline, "from the start", &report)
    } while try report.failure == nil && timeline.stepForward()
    report.failure = report.failure ?? self.compare(capture, after: timeline.firstPosition)
    return try timeline.checkpointNumbers()
  }

  /// Folds from each checkpoint on: to the end, and where there are many from most of them as far as
  /// a few checkpoints reach, so that a run takes no more than in proportion to its length.
  private func fold(
    fromEach checkpoints: [Int], _ report: inout RunReport
  ) throws {
    let everyOne = max(1, checkpoints.count / 6)
    let capture = Capture<Node.State, Node.Action, [VaultValues]>()
    var timeline = try self.timeline(capture)
    for (index, checkpoint) in checkpoints.enumerated() {
      let last = index % everyOne == 0 ? self.live.actions.count : checkpoint + 8
      // As a program that has just begun, and as one that has been elsewhere.
      if index % 3 == 1 { timeline = try self.timeline(capture) }
      capture.facts = []
      timeline.leastFold = 0
      report.checkpoints += 1
      try timeline.move(to: checkpoint)
      // From here on every action is run.
      timeline.leastFold = .max
      let folded = capture.facts.count
      repeat {
        self.compare(timeline, "from checkpoint \(checkpoint)", &report)
      } while try report.failure == nil && timeline.position < last && timeline.stepForward()
      report.failure = report.failure ?? self.compare(capture, after: checkpoint - folded)
      guard report.failure == nil else { return }
    }
  }

  /// Jumps back and forth.
  private func jump(_ report: inout RunReport, _ random: inout SplitMix) throws {
    let timeline = try self.timeline()
    if random.once(in: 2) { timeline.leastFold = random.below(5) }
    for _ in 0..<10 {
      let from = timeline.position
      switch random.below(4) {
      case 0: try timeline.stepBackward()
      case 1: try timeline.stepForward()
      default:
        try timeline.move(
          to: timeline.firstPosition + random.below(timeline.count - timeline.firstPosition + 1))
      }
      self.compare(timeline, "after a jump from \(from)", &report)
      guard report.failure == nil else { return }
    }
  }

  /// Folds all at once, and compares with the states in the log on the way.
  private func replay(_ report: inout RunReport) throws {
    let timeline = try self.timeline()
    let found: Divergence? = try timeline.replay { _ in }.divergence
    report.failure = found.map { "Folded at once: \($0)" }
    self.compare(timeline, "at once", &report)
  }

  /// Replays with reducers that do something else.
  private func mutate(_ report: inout RunReport, _ random: inout SplitMix) throws {
    let first = try self.inspector.stream(named: "node").firstPosition
    guard first < self.live.actions.count else { return }
    for _ in 0..<2 where report.failure == nil {
      report.failure = try self.check(
        random.one(of: MutantKind.allCases),
        in: first + 1 + random.below(self.live.actions.count - first), after: first)
      report.mutants += 1
    }
  }

  private func compare(
    _ timeline: Timeline<Node.State, Node.Action>, _ way: String, _ report: inout RunReport
  ) {
    guard report.failure == nil else { return }
    report.prefixes += 1
    let number = timeline.position
    if let divergence = timeline.divergence {
      report.failure = "Folded \(way): \(divergence)"
      return
    }
    let state = self.live.states[number]
    guard timeline.state != state else {
      report.failure = self.compareShared(timeline.state, number).map { "Folded \(way), \($0)" }
      return
    }
    let difference = diff(state, timeline.state) ?? "They dump alike."
    report.failure = """
      Folded \(way), the state after action \(number) is another one.
      \(self.live.actions.indices.contains(number - 1) ? "\(self.live.actions[number - 1])" : "")
      \(difference)
      """
  }

  /// Compares what reducers have read of shared values with what they had read live.
  ///
  /// - Parameter number: The number of the action before the first in `capture`.
  private func compare(
    _ capture: Capture<Node.State, Node.Action, [VaultValues]>, after number: Int
  ) -> String? {
    for (facts, live) in zip(capture.facts, self.live.facts.dropFirst(number))
    where facts.values != live.values || facts.valuesBefore != live.valuesBefore {
      return """
        From action \(number) on, a reducer has read other shared values.
        \(diff(live, facts) ?? "They dump alike.")
        """
    }
    return nil
  }

  /// Compares what is shared in a replayed state with what the reducer has read while it was live.
  ///
  /// What others change until the next action may belong to the state or not.
  private func compareShared(_ state: Node.State, _ number: Int) -> String? {
    guard number > 0 else { return nil }
    let facts = self.live.facts[number - 1]
    guard facts.isStable, let values = facts.values else { return nil }
    let replayed: [VaultValues] = state.vaultValues
    if values == replayed { return nil }
    if self.live.facts.indices.contains(number), let next = self.live.facts[number].valuesBefore {
      let isPossible = zip(zip(values, next), replayed).allSatisfy {
        $1.isMixed(of: $0.0, $0.1, written: self.live.written)
      }
      if isPossible { return nil }
    } else {
      return nil
    }
    return """
      what is shared after action \(number) is another: \(self.live.actions[number - 1])
      \(diff(values, replayed) ?? "They dump alike.")
      """
  }
}
