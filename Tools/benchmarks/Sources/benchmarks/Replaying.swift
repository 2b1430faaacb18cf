import ComposableArchitecture
import Foundation
import Retrace

extension RetraceBenchmark {
  // MARK: - Folding

  /// A replay beside a fold of the same actions from an array.
  mutating func fold() throws {
    let steps = self.steps ?? 2_000_000
    try self.fold("Replaying a counter", steps: steps, Counter(), Counter.State()) {
      Counter.action($0)
    }
    try self.fold("Replaying folds of 100 ns", steps: steps, Ledger(), Ledger.State()) {
      Ledger.action($0)
    }
  }

  private mutating func fold<R: Reducer>(
    _ title: String, steps: Int, _ reducer: R, _ initialState: R.State,
    _ action: (Int) -> R.Action
  ) throws where R.Action: Recordable {
    let path = self.place()
    let recording = try Recording(at: path)
    let store = Store(initialState: initialState) { reducer.recorded(by: recording) }
    for index in 0..<steps { store.send(action(index)) }
    try recording.close()
    let actions = (0..<steps).map(action)
    var turns = TurnTaking(rounds: self.rounds)
    turns.add("fold of an array in memory", steps: steps) {
      var state = initialState
      let lap = Lap {
        for action in actions { _ = reducer._reduce(into: &state, action: action) }
      }
      keep(state)
      return lap
    }
    turns.add("replay of the log", steps: steps) {
      var report: ReplayReport?
      let lap = try Lap {
        let timeline = try Timeline(of: path) { reducer }
        report = try timeline.replay { _ in }
      }
      if let divergence = report?.divergence { throw divergence }
      return lap
    }
    try turns.run(title)
    print(String(format: "  %.2f bytes an action on disk", Double(size(of: path)) / Double(steps)))
  }

  // MARK: - Landing

  /// Landing on any of 10 million actions, with a state of 10 KB.
  mutating func seek() throws {
    let count = self.steps ?? 10_000_000
    let path = self.place()
    let recording = try Recording(at: path)
    let store = Store(initialState: Sheet.State()) { Sheet().recorded(by: recording) }
    for index in 0..<count { store.send(Sheet.action(index)) }
    try recording.close()
    print("Landing on any of \(count) actions, \(size(of: path) >> 10) KiB of log")
    let places = self.steps == nil ? 1_000 : 100
    try self.land(path, count, places, "without a side index")
    let first = Lap {
      _ = try? Timeline(of: path) { Sheet() }.replay { _ in }
    }
    print(
      String(
        format: "  a first replay: %.1f ns an action of its own time",
        Double(first.own) / Double(count)))
    try self.land(path, count, places, "with the side index that the replay wrote")
  }

  private func land(_ path: URL, _ count: Int, _ places: Int, _ title: String) throws {
    print("  \(title):")
    var generator = SystemRandomNumberGenerator()
    let timeline = try Timeline(of: path) { Sheet() }
    try timeline.move(to: count / 2)
    var walls: [UInt64] = []
    var owns: [UInt64] = []
    for _ in 0..<places {
      let place = Int.random(in: 1...count, using: &generator)
      let lap = try Lap { try timeline.move(to: place) }
      walls.append(lap.wall)
      owns.append(lap.own)
    }
    print("    warm  \(Percentiles(walls).text)")
    print("     own  \(Percentiles(owns).text)")
    walls = []
    owns = []
    var opening: [UInt64] = []
    for _ in 0..<places / 10 {
      dropFromMemory(path)
      var fresh: Timeline<Sheet.State, Sheet.Action>?
      opening.append(try Lap { fresh = try Timeline(of: path) { Sheet() } }.wall)
      dropFromMemory(path)
      let place = Int.random(in: 1...count, using: &generator)
      let lap = try Lap { try fresh?.move(to: place) }
      walls.append(lap.wall)
      owns.append(lap.own)
    }
    print("    cold  \(Percentiles(walls).text)")
    print("     own  \(Percentiles(owns).text)")
    print("    open  \(Percentiles(opening).text)")
    walls = []
    try timeline.move(to: count / 2)
    for _ in 0..<places {
      walls.append(try Lap { try timeline.stepBackward() }.wall)
    }
    print("    back  \(Percentiles(walls).text)")
  }
}

/// A replay of many actions in a process of its own, whose memory is told.
@MainActor
enum LongReplay {
  static let childWord = "replay-in-a-child"

  static func run(actions: Int, in folder: URL) throws {
    let path = folder.appendingPathComponent("long.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
    let lap = Lap { for index in 0..<actions { store.send(Counter.action(index)) } }
    try recording.close()
    print(
      String(
        format: "Recorded %d actions: %.1f ns each, %.1f of the thread's own; %lld bytes", actions,
        Double(lap.wall) / Double(actions), Double(lap.own) / Double(actions), size(of: path)))
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    child.arguments = [Self.childWord, path.path]
    try child.run()
    child.waitUntilExit()
  }

  /// What the child does.
  static func replay(_ path: String) throws {
    let before = peakMemory()
    let timeline = try Timeline(of: path) { Counter() }
    let opened = peakMemory()
    var report: ReplayReport?
    let lap = try Lap { report = try timeline.replay { _ in } }
    guard let report else { return }
    if let divergence = report.divergence { throw divergence }
    let count = Double(max(report.actionCount, 1))
    print(
      String(
        format: """
          Replayed %d actions, %d states compared: %.1f million a second, %.1f ns each of the \
          thread's own
          Peak of resident memory: %d KiB; %d at the start, %d with the log open
          """, report.actionCount, report.statesCompared, count / Double(lap.wall) * 1_000,
        Double(lap.own) / count, peakMemory(), before, opened))
  }

  /// The most memory that the process had, in KiB.
  private static func peakMemory() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let number = line.split(separator: " ").dropFirst().first
    else { return 0 }
    return Int(number) ?? 0
  }
}

/// The bytes of the files in a log.
private func size(of log: URL) -> Int {
  let files = try? FileManager.default.contentsOfDirectory(
    at: log, includingPropertiesForKeys: [.fileSizeKey])
  return (files ?? []).reduce(0) {
    $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
  }
}

/// Takes the files of a log, and what stands beside it, out of the system's memory.
private func dropFromMemory(_ log: URL) {
  for folder in [log, URL(fileURLWithPath: log.path + ".states")] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    for file in files ?? [] {
      let descriptor = open(file.path, O_RDONLY)
      guard descriptor >= 0 else { continue }
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}

/// A reducer that takes about 100 ns: it looks things up by their hashes, and now and then it asks
/// for the time and starts an effect.
@Reducer
struct Ledger {
  struct State: Equatable {
    var accounts: [Int: Int] = [:]
    var payments: [Int: Int] = [:]
    var count = 0
    var lastChange = 0.0
  }

  enum Action {
    case pay(from: Int, to: Int, amount: Int)
    case close
    case closed
  }

  @Dependency(\.date) var date

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .pay(let payer, let payee, let amount):
        state.accounts[payer, default: 0] -= amount
        state.accounts[payee, default: 0] += amount
        state.payments[payer ^ payee, default: 0] += 1
        return .none
      case .close:
        state.lastChange = self.date.now.timeIntervalSinceReferenceDate
        return .send(.closed)
      case .closed:
        state.count += 1
        return .none
      }
    }
  }

  /// The action of that number in a fixed sequence.
  static func action(_ index: Int) -> Action {
    let mixed = index &* 2_654_435_761
    return index % 32 == 31
      ? .close : .pay(from: (mixed >> 7) & 1_023, to: (mixed >> 19) & 1_023, amount: index & 255)
  }
}

/// A feature whose state takes about 10 KB.
@Reducer
struct Sheet {
  @Recordable
  struct Row: Equatable {
    var id: Int
    var title: String
    var taps = 0
  }

  struct State: Equatable {
    // Not as its initial value, which would be worked out whenever a state is decoded.
    var rows: [Row]

    init() {
      self.rows = (0..<400).map { Row(id: $0, title: "the row number \($0) of 400") }
    }
  }

  enum Action {
    case tapped(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tapped(let row):
        state.rows[row].taps += 1
        return .none
      }
    }
  }

  /// The action of that number in a fixed sequence.
  static func action(_ index: Int) -> Action {
    .tapped((index &* 2_654_435_761 >> 9) % 400)
  }
}
