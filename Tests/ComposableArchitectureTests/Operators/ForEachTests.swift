import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

@Reducer
private struct Row {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id: Int
    var count = 0
  }
  enum Action: Equatable { case tap, start, tick, remove }
  let clock: TestClock<Duration>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap, .tick:
        state.count += 1
        return .none
      case .start:
        return .run { send in
          for _ in 0..<3 {
            try await clock.sleep(for: .seconds(1))
            await send(.tick)
          }
        }
        .cancellable(id: "work", cancelInFlight: true)
      case .remove:
        state.count = 100
        return .none
      }
    }
  }
}

@Reducer
private struct List {
  @ObservableState
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State> = []
    var log: [String] = []
  }
  enum Action: Equatable {
    case rows(IdentifiedActionOf<Row>)
    case remove(Int)
    case swap
  }
  let clock: TestClock<Duration>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .rows(.element(let id, .remove)):
        state.log.append("remove \(id) \(state.rows[id: id]?.count ?? -1)")
        state.rows.remove(id: id)
      case .remove(let id): state.rows.remove(id: id)
      case .swap: state.rows.swapAt(0, 1)
      case .rows: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row(clock: clock) }
  }
}

/// Features in an identified collection.
@MainActor
@Suite(.mainSerialExecutor)
struct ForEachTests {
  private let clock = TestClock()

  private func makeStore() -> StoreOf<List> {
    Store(initialState: List.State(rows: [Row.State(id: 7), Row.State(id: 8)])) {
      List(clock: clock)
    }
  }

  private func run(_ store: StoreOf<List>, after action: List.Action) async {
    let tasks = [7, 8].map { store.send(.rows(.element(id: $0, action: .start))) }
    await turn(limit: 50)
    store.send(action)
    for _ in 0..<3 { await clock.advance(by: .seconds(1)) }
    for task in tasks { await task.finish() }
  }

  @Test func aRemovedRowEndsItsEffects() async {
    let store = makeStore()
    await run(store, after: .remove(7))
    #expect(store.now.rows.ids == [8])
    #expect(store.now.rows[id: 8]?.count == 3)
  }

  @Test func rowsThatShareAnIDDoNotCancelEachOther() async {
    let store = makeStore()
    await run(store, after: .swap)
    #expect(store.now.rows.map(\.id) == [8, 7])
    #expect(store.now.rows.map(\.count) == [3, 3])
  }

  @Test func theRowRunsBeforeTheParent() {
    let store = makeStore()
    store.send(.rows(.element(id: 7, action: .remove)))
    #expect(store.now.log == ["remove 7 100"])
    #expect(store.now.rows.ids == [8])
    let issues = Issues()
    withIssueReporters([issues]) {
      _ = store.send(.rows(.element(id: 7, action: .remove)))
    }
    #expect(issues.all.count == 1)
    #expect(issues.firstLines.first?.hasPrefix("A \"forEach\" at \"") == true)
    #expect(
      issues.firstLines.first?.hasSuffix("received an action for a missing element. …") == true)
    #expect(store.now.log == ["remove 7 100", "remove 7 -1"])
  }

  @Test func storesOfRows() throws {
    let store = makeStore()
    let rows = Array(store.scope(state: \.rows, action: \.rows))
    #expect(rows.map(\.count) == [0, 0])
    rows[1].send(.tap)
    #expect(rows.map(\.count) == [0, 1])
    #expect(store.scope(state: \.rows, action: \.rows)[1] === rows[1])
    store.send(.remove(7))
    #expect(store.scope(state: \.rows, action: \.rows).map(\.count) == [1])
    #expect(store.scope(state: \.rows, action: \.rows)[0] === rows[1])
    #expect(rows[0].count == 0)
  }

  @Test func rowsInRecords() throws {
    let rows: IdentifiedArrayOf<Item> = [Item(id: 2, name: "b"), Item(id: 1, name: "a")]
    let bytes = try RecordWriter.bytes(of: rows)
    let read = try bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      return try IdentifiedArrayOf<Item>(from: &reader)
    }
    #expect(read == rows)
    let twice = try RecordWriter.bytes(of: [Item(id: 1, name: "a"), Item(id: 1, name: "b")])
    #expect(throws: RecordDecodingError.self) {
      try twice.withUnsafeBytes { buffer in
        var reader = RecordReader(buffer)
        _ = try IdentifiedArrayOf<Item>(from: &reader)
      }
    }
  }

  @Recordable
  struct Item: Equatable, Identifiable {
    var id: Int
    var name: String
  }
}
