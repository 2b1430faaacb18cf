import ActionCoding
import ComposableArchitecture
import Foundation
import Retrace

/// Measures the recorder and the replayer.
@MainActor
struct RetraceBenchmark {
  let folder: URL
  /// One round of so many steps; the usual ones when `nil`.
  let steps: Int?
  private var number = 0

  init(folder: URL, steps: Int?) {
    self.folder = folder
    self.steps = steps
  }

  var rounds: Int { self.steps == nil ? 7 : 1 }

  /// Runs all parts, or those that are named.
  ///
  /// - Parameter names: Some of `send`, `encode`, `fold`, `seek`.
  mutating func run(_ names: [String]) throws {
    if names.isEmpty || names.contains("send") { try self.send() }
    if names.isEmpty || names.contains("encode") { try self.encode() }
    if names.isEmpty || names.contains("fold") { try self.fold() }
    if names.isEmpty || names.contains("seek") { try self.seek() }
  }

  /// A path for a log that is not there yet.
  mutating func place() -> URL {
    self.number += 1
    return self.folder.appendingPathComponent("\(self.number).retrace")
  }

  // MARK: - Sending

  /// What recording adds to a send: in bursts that a pause follows, and for long.
  private mutating func send() throws {
    try self.send("Sending in bursts", steps: self.steps ?? 2_000, bursts: 50)
    try self.send("Sending for long", steps: self.steps ?? 1_000_000, bursts: 1)
  }

  private mutating func send(_ title: String, steps: Int, bursts: Int) throws {
    var turns = TurnTaking(rounds: self.rounds)
    let bursts = self.steps == nil ? bursts : 1
    turns.add("Store.send, counter", steps: steps * bursts) {
      let store = Store(initialState: Counter.State()) { Counter() }
      return Self.send(to: store, steps, bursts)
    }
    var paths = (0..<self.rounds).map { _ in self.place() }
    turns.add("the same, recorded", steps: steps * bursts) {
      let recording = try Recording(at: paths.removeLast())
      let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
      let lap = Self.send(to: store, steps, bursts)
      try recording.close()
      return lap
    }
    try turns.run(title)
  }

  private static func send(to store: StoreOf<Counter>, _ steps: Int, _ bursts: Int) -> Lap {
    var lap = Lap {}
    for burst in 0..<bursts {
      if bursts > 1 { usleep(2_000) }
      let one = Lap {
        for index in 0..<steps { store.send(Counter.action(burst &+ index)) }
      }
      lap.wall += one.wall
      lap.own += one.own
    }
    return lap
  }

  // MARK: - Encoding

  /// The bytes of small actions, beside what `JSONEncoder` makes of them.
  private func encode() throws {
    let actions = (0..<1_000).map(Mixed.action)
    let times = self.steps ?? 1_000
    var turns = TurnTaking(rounds: self.rounds)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
    defer { memory.deallocate() }
    turns.add("encode to the log's bytes", steps: times * 100) {
      var count = 0
      let lap = try Lap {
        for round in 0..<times * 100 {
          var writer = RecordWriter(memory)
          try actions[round % 1_000].encode(to: &writer)
          count += writer.count
        }
      }
      keep(count)
      return lap
    }
    let encoder = JSONEncoder()
    turns.add("JSONEncoder", steps: times) {
      var count = 0
      let lap = try Lap {
        for round in 0..<times { count += try encoder.encode(actions[round % 1_000]).count }
      }
      keep(count)
      return lap
    }
    try turns.run("Encoding a mix of small actions")
  }
}

/// Actions as features have them, a mix of small ones.
@Recordable
enum Mixed: Codable {
  case increment
  case itemRenamed(id: Int, name: String)
  case child(Child)
  case response(items: [Item])

  @Recordable
  enum Child: Codable {
    case toggled(row: Int, isOn: Bool)
    case moved(from: Int, to: Int)
  }

  @Recordable
  struct Item: Codable {
    var id: Int
    var title: String
    var isDone: Bool
  }

  /// The action of that number in a fixed sequence.
  static func action(_ index: Int) -> Mixed {
    switch index % 10 {
    case 0...3: .increment
    case 4, 5: .itemRenamed(id: index, name: "item number \(index)")
    case 6, 7: .child(.toggled(row: index, isOn: index % 4 == 0))
    case 8: .child(.moved(from: index, to: index / 2))
    default:
      .response(
        items: (0..<5).map { Item(id: index + $0, title: "item \($0)", isDone: $0 % 2 == 0) })
    }
  }
}
