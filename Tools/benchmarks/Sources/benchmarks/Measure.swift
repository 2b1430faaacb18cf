import Foundation

/// Times of one thing over several rounds, in nanoseconds a step.
struct Times {
  var rounds: [Double] = []

  var median: Double {
    let sorted = self.rounds.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  var description: String {
    let least = self.rounds.min() ?? .nan
    let most = self.rounds.max() ?? .nan
    return String(format: "%9.1f ns  (%.1f to %.1f)", self.median, least, most)
  }
}

/// Things that are measured in turn, round by round, so that they share whatever else happens.
struct Comparison {
  private var names: [String] = []
  private var works: [() throws -> Void] = []
  private let steps: Int
  private let rounds: Int

  init(steps: Int, rounds: Int) {
    self.steps = steps
    self.rounds = rounds
  }

  mutating func add(_ name: String, _ work: @escaping () throws -> Void) {
    self.names.append(name)
    self.works.append(work)
  }

  /// Runs everything and prints a line for each: median, spread, and ratio to the first.
  func run(_ title: String) throws {
    print("\(title): median of \(self.rounds) rounds of \(self.steps), least and most")
    var times = [Times](repeating: Times(), count: self.works.count)
    let clock = ContinuousClock()
    for _ in 0..<self.rounds {
      for (index, work) in self.works.enumerated() {
        let duration = try clock.measure { try work() }
        let seconds =
          Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        times[index].rounds.append(seconds * 1e9 / Double(self.steps))
      }
    }
    for (index, name) in self.names.enumerated() {
      let ratio = String(format: "%6.2f x", times[index].median / times[0].median)
      print(
        "  \(name.padding(toLength: 36, withPad: " ", startingAt: 0)) \(times[index].description)  \(ratio)"
      )
    }
  }
}
