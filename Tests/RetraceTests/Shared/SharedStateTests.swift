import ActionLog
import ComposableArchitecture
import Dependencies
import Foundation
@testable import Retrace
import TestSupport
import Testing

/// What shared values that stand with states in the log give: seeking, segments, states that are
/// given, values that have no form in bytes.
@MainActor
@Suite(.mainSerialExecutor)
struct SharedStateTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private var path: String { self.folder.path("log.retrace") }

  private func storages(_ values: inout DependencyValues) {
    values.context = .live
    values.defaultInMemoryStorage = InMemoryStorage()
    values.defaultFileStorage = .inMemory
    values.defaultAppStorage = .inMemory
  }

  @Test func everyStateIsReachedFromEveryCheckpoint() throws {
    let recording = try Recording(
      at: self.path, options: LogOptions(), checkpoints: .every(10, atOnce: true))
    var totals = [0]
    var texts = [""]
    withDependencies(self.storages) {
      let store = Store(initialState: Sharer.State()) { Sharer().recorded(by: recording) }
      for number in 1...100 {
        if number % 7 == 0 { store.$total.withLock { $0 += 1_000 } }
        switch number % 4 {
        case 0: store.send(.note(number % 3, "\(number)"))
        case 1: store.send(.rowAdded(number))
        case 2: store.send(.rows(.element(id: number - 1, action: .tapped)))
        default: store.send(.add(number))
        }
        totals.append(store.total)
        texts.append("\(store.notes) \(store.rows.map { [$0.taps, $0.visits, $0.seen] })")
      }
    }
    try recording.close()
    for number in 0...100 {
      let timeline = try Timeline(of: self.path) { Sharer() }
      timeline.leastFold = 0
      try timeline.move(to: number)
      #expect(timeline.state.total == totals[number])
      let state = timeline.state
      let text = "\(state.notes) \(state.rows.map { [$0.taps, $0.visits, $0.seen] })"
      #expect(number == 0 || text == texts[number])
      if number > 3 {
        try timeline.move(to: number - 3)
        #expect(timeline.state.total == totals[number - 3])
      }
      #expect(timeline.divergence == nil)
    }
    let timeline = try Timeline(of: self.path) { Sharer() }
    let report = try timeline.replay { _ in }
    #expect(report.divergence == nil)
    #expect(report.statesCompared >= 9)
  }

  @Test func valuesStandInTheirPlaces() throws {
    let recording = try Recording(at: self.path)
    withDependencies(self.storages) {
      let store = Store(initialState: Sharer.State()) { Sharer().recorded(by: recording) }
      store.send(.add(3))
      store.send(.rename("New"))
      store.$total.withLock { $0 = 50 }
      store.send(.add(1))
    }
    try recording.close()
    let timeline = try Timeline(of: self.path) { Sharer() }
    try timeline.move(to: 3)
    #expect("\(try timeline.stateValue(at: RecordPath(parsing: "total")))" == "51")
    #expect("\(try timeline.stateValue(at: RecordPath(parsing: "profile.name")))" == "\"New\"")
    let change = try timeline.lastChange(
      of: RecordPath(parsing: "profile.name"), upTo: 3, progress: { _ in })
    #expect(change?.action == 2)
    let total = try timeline.lastChange(
      of: RecordPath(parsing: "total"), upTo: 3, progress: { _ in })
    #expect(total?.action == 3)
    #expect(total?.old.map { "\($0)" } == "3")
    #expect(total?.new.map { "\($0)" } == "51")
  }

  /// Something with no form in bytes.
  struct Secretive: Equatable, Sendable {
    var number = 0
  }

  @Reducer
  struct Keeper {
    struct State: Equatable {
      @Shared(.inMemory("count")) var count = 0
      @Shared var loose: Int
      @Shared var kept: Secretive
      var plain = Secretive()
    }
    enum Action: Equatable {
      case add
      case look
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add:
          state.$count.withLock { $0 += 1 }
          state.$loose.withLock { $0 += 10 }
          state.$kept.withLock { $0.number += 1 }
        case .look:
          state.plain.number += state.count + state.loose + state.kept.number
        }
        return .none
      }
    }
  }

  private func keep(changing: Bool) throws -> Keeper.State {
    let recording = try Recording(at: self.path)
    return try withDependencies(self.storages) {
      @Shared(.inMemory("count")) var count = 7
      let store = Store(
        initialState: Keeper.State(loose: Shared(value: 100), kept: Shared(value: Secretive()))
      ) {
        Keeper().recorded(by: recording)
      }
      store.send(.add)
      if changing { store.withState(\.self).$kept.withLock { $0.number = 40 } }
      store.send(.look)
      try recording.close()
      return store.withState(\.self)
    }
  }

  @Test func aStateThatIsGivenHasTheValuesOfTheLog() throws {
    let end = try self.keep(changing: false)
    #expect(throws: ReplayError.self) { try Timeline(of: self.path) { Keeper() } }
    let timeline = try Timeline(
      of: self.path,
      initialState: Keeper.State(loose: Shared(value: 0), kept: Shared(value: Secretive()))
    ) { Keeper() }
    #expect(timeline.state.count == 7)
    #expect(timeline.state.loose == 100)
    try timeline.move(to: 2)
    #expect(timeline.state == end)
    #expect(timeline.divergence == nil)
  }

  @Test func aStateOfTheProgramThatIsGivenStaysItself() throws {
    _ = try self.keep(changing: false)
    let given = withDependencies(self.storages) {
      Keeper.State(loose: Shared(value: 0), kept: Shared(value: Secretive()))
    }
    let timeline = try Timeline(of: self.path, initialState: given) { Keeper() }
    try timeline.move(to: 2)
    #expect(timeline.state.plain.number == 119)
    #expect(given.loose == 0)
    #expect(given.count == 0)
    #expect(given.kept == Secretive())
  }

  @Test func aValueWithNoFormInBytesStopsTheReplayWhereItIsNeeded() throws {
    _ = try self.keep(changing: true)
    let timeline = try Timeline(
      of: self.path,
      initialState: Keeper.State(loose: Shared(value: 0), kept: Shared(value: Secretive()))
    ) { Keeper() }
    try timeline.move(to: 1)
    let error = #expect(throws: Divergence.self) { try timeline.move(to: 2) }
    #expect(error?.kind == .shared)
    #expect(
      error?.expected.contains("Values of 'Secretive' have no form in bytes") == true, "\(error!)")
    #expect(timeline.position == 1)
  }

  @Reducer
  struct Parts {
    struct State: Equatable {
      @Shared var profile: Profile
      @Shared var city: String
      @Shared var note: Note
      @Shared(.inMemory("notes")) var notes: IdentifiedArrayOf<Note> = []
      @SharedReader var zip: Int
    }
    enum Action: Equatable {
      case move(String)
      case write(String)
      case remove
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .move(let city):
          state.$city.withLock { $0 = city }
          state.$profile.address.zip.withLock { $0 += 1 }
        case .write(let text):
          state.$note.text.withLock { $0 += text }
        case .remove:
          state.$notes.withLock { _ = $0.remove(id: 2) }
        }
        return .none
      }
    }
  }

  @Test func partsAreFoundAgainByTheirPlaceInTheWhole() throws {
    let recording = try Recording(
      at: self.path, options: LogOptions(), checkpoints: .every(1, atOnce: true))
    try withDependencies(self.storages) {
      @Shared(.inMemory("notes")) var notes: IdentifiedArrayOf<Note> = [
        Note(id: 1, text: "a"), Note(id: 2, text: "b"),
      ]
      let profile = Shared(value: Profile())
      let note = try #require(Shared($notes[id: 2]))
      let store = Store(
        initialState: Parts.State(
          profile: profile, city: profile.address.city, note: note,
          zip: SharedReader(profile.address.zip))
      ) {
        Parts().recorded(by: recording)
      }
      store.send(.move("Rome"))
      store.send(.write("!"))
      #expect(notes[id: 2]?.text == "b!")
      store.send(.remove)
      store.send(.write("?"))
      #expect(store.withState(\.note.text) == "b!?")
    }
    try recording.close()
    for number in 0...4 {
      let timeline = try Timeline(of: self.path) { Parts() }
      timeline.leastFold = 0
      try timeline.move(to: number)
      #expect(timeline.state.notes.last?.text == ["b", "b", "b!", "a", "a"][number])
      #expect(timeline.state.city == (number > 0 ? "Rome" : ""))
      #expect(timeline.state.zip == (number > 0 ? 1 : 0))
      #expect(timeline.state.profile.address.city == timeline.state.city)
      #expect(timeline.state.notes.count == (number > 2 ? 1 : 2))
      #expect(timeline.state.note.text == ["b", "b", "b!", "b!", "b!?"][number])
      #expect(timeline.divergence == nil)
    }
  }
}
