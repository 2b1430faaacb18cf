import Foundation

/// Nanoseconds of a clock that is never set.
func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// What a stretch of work took: by the clock, and of the thread's own time, which does not count
/// how long others had the processor.
struct Lap {
  var wall: UInt64
  var own: UInt64

  private static func ownNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  init(_ work: () throws -> Void) rethrows {
    let (start, own) = (nanoseconds(), Self.ownNanoseconds())
    try work()
    self.wall = nanoseconds() - start
    self.own = Self.ownNanoseconds() - own
  }
}

/// Things of different cost that are measured in turn, round by round.
///
/// Each makes ready what it needs, and returns what its steps alone took.
struct TurnTaking {
  struct Row {
    var name: String
    var steps: Int
    var work: () throws -> Lap
  }

  var rows: [Row] = []
  var rounds: Int

  init(rounds: Int) {
    self.rounds = rounds
  }

  mutating func add(_ name: String, steps: Int, _ work: @escaping () throws -> Lap) {
    rows.append(Row(name: name, steps: steps, work: work))
  }

  /// Runs all and prints for each the median, the spread, and the ratio to the first.
  func run(_ title: String) throws {
    print("\(title): nanoseconds a step, median of \(rounds) rounds, least and most; own time")
    var walls = [Times](repeating: Times(), count: rows.count)
    var owns = walls
    for _ in 0..<rounds {
      for (index, row) in rows.enumerated() {
        let lap = try row.work()
        walls[index].rounds.append(Double(lap.wall) / Double(row.steps))
        owns[index].rounds.append(Double(lap.own) / Double(row.steps))
      }
    }
    for (index, row) in rows.enumerated() {
      let ratio = String(format: "%8.2f x", walls[index].median / walls[0].median)
      let own = String(
        format: "%9.1f ns %8.2f x", owns[index].median, owns[index].median / owns[0].median)
      let name = row.name.padding(toLength: 32, withPad: " ", startingAt: 0)
      print("  \(name) \(walls[index].description) \(ratio)  \(own)")
    }
  }
}

/// Times of single steps.
struct Percentiles {
  private var sorted: [UInt64]

  init(_ times: [UInt64]) {
    sorted = times.sorted()
  }

  /// The time, in microseconds, that this part of a thousand steps does not exceed.
  func microseconds(_ perMille: Double) -> Double {
    if sorted.isEmpty { return .nan }
    let index = min(sorted.count - 1, Int(Double(sorted.count) * perMille / 1000))
    return Double(sorted[index]) / 1000
  }

  /// Median, tail and worst.
  var text: String {
    String(
      format: "p50 %9.2f  p99 %9.2f  p99.9 %9.2f  worst %10.2f µs", microseconds(500),
      microseconds(990), microseconds(999), microseconds(1000))
  }
}

/// Keeps the optimiser from leaving out what computes it.
@inline(never)
func keep(_ value: some Any) {}
