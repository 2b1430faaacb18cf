import ActionLog
import ComposableArchitecture
import ConcurrencyExtras
import CustomDump
import Dependencies
import Foundation
import Retrace
import TestSupport
import Testing

/// A run of ``Sharer`` under recording, and what its states looked like.
@MainActor
final class SharerRun {
  let path: String
  let recording: Recording
  let store: StoreOf<Sharer>
  private(set) var states: [String] = []
  /// Whether actions are sent with other storages than the store was made with.
  var sendsOutside = false

  /// The program's storages, apart from those of other tests.
  let storages: @Sendable (inout DependencyValues) -> Void

  init(
    at path: String, options: LogOptions = LogOptions(),
    prepare: () -> Sharer.State = { Sharer.State() }
  ) throws {
    let (memory, files, defaults) =
      (InMemoryStorage(), FileStorage.inMemory, UncheckedSendable(UserDefaults.inMemory))
    self.storages = {
      $0.context = .live
      $0.defaultInMemoryStorage = memory
      $0.defaultFileStorage = files
      $0.defaultAppStorage = defaults.value
    }
    self.path = path
    self.recording = try Recording(at: path, options: options)
    let recording = self.recording
    self.store = withDependencies(self.storages) {
      Store(initialState: prepare()) { Sharer().recorded(by: recording) }
    }
    self.states = [describe(self.store.state)]
  }

  func send(_ action: Sharer.Action) async {
    let task =
      self.sendsOutside ? self.store.send(action) : self.outside { self.store.send(action) }
    self.states.append(describe(self.store.state))
    await task.finish()
  }

  func outside<R>(_ operation: () throws -> R) rethrows -> R {
    try withDependencies(self.storages, operation: operation)
  }

  /// Replays the run, and compares every state, forwards, backwards and from the start.
  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try self.recording.close()
    let timeline = try Timeline(of: self.path) { Sharer() }
    #expect(timeline.count == self.states.count - 1, sourceLocation: sourceLocation)
    for number in 0...timeline.count {
      try timeline.move(to: number)
      #expect(describe(timeline.state) == self.states[number], sourceLocation: sourceLocation)
    }
    for number in (0...timeline.count).reversed() {
      try timeline.move(to: number)
      #expect(describe(timeline.state) == self.states[number], sourceLocation: sourceLocation)
    }
    for number in 0...timeline.count {
      let other = try Timeline(of: self.path) { Sharer() }
      try other.move(to: number)
      #expect(describe(other.state) == self.states[number], sourceLocation: sourceLocation)
      #expect(other.divergence == nil, sourceLocation: sourceLocation)
    }
    let report = try timeline.replay { _ in }
    #expect(report.divergence == nil, sourceLocation: sourceLocation)
    #expect(timeline.divergence == nil, sourceLocation: sourceLocation)
    #expect(describe(timeline.state) == self.states.last, sourceLocation: sourceLocation)
  }
}

@MainActor
private func describe(_ state: Sharer.State) -> String {
  var text = ""
  customDump(state, to: &text)
  return text
}

@MainActor
@Suite(.mainSerialExecutor)
struct SharedReplayTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private func run() throws -> SharerRun { try SharerRun(at: self.folder.path("log.retrace")) }

  @Test func whatReducersChange() async throws {
    let run = try self.run()
    await run.send(.add(1))
    await run.send(.sizeChanged(12))
    await run.send(.look)
    await run.send(.note(1, "one"))
    await run.send(.noteDirectly(1, "!"))
    await run.send(.noteDirectly(7, "!"))
    await run.send(.rename("Blob Jr."))
    await run.send(.add(2))
    await run.send(.look)
    try run.check()
  }

  @Test func valuesThatWereThereBefore() async throws {
    let run = try SharerRun(at: self.folder.path("log.retrace")) {
      @Shared(.appStorage("size")) var size = 33.0
      @Shared(.inMemory("total")) var total = 7
      @Shared(.fileStorage(.notes)) var notes: IdentifiedArrayOf<Note> = [Note(id: 3, text: "old")]
      return Sharer.State(profile: Shared(value: Profile(name: "Other")), loose: [9])
    }
    await run.send(.look)
    await run.send(.showChild)
    await run.send(.child(.presented(.tapped)))
    try run.check()
  }

  @Test func childrenAndTheReferencesThatTheyMake() async throws {
    let run = try self.run()
    await run.send(.showChild)
    await run.send(.child(.presented(.tapped)))
    await run.send(.child(.presented(.renamed("New"))))
    await run.send(.rowAdded(1))
    await run.send(.rowAdded(2))
    await run.send(.rows(.element(id: 2, action: .tapped)))
    await run.send(.pushed)
    let id = run.store.path.ids[0]
    await run.send(.path(.element(id: id, action: .tapped)))
    await run.send(.path(.element(id: id, action: .renamed("Newer"))))
    await run.send(.add(5))
    await run.send(.rows(.element(id: 1, action: .tapped)))
    await run.send(.startOver)
    await run.send(.showChild)
    await run.send(.child(.presented(.tapped)))
    await run.send(.look)
    try run.check()
  }

  @Test func changesByEffectsOnOtherThreads() async throws {
    let run = try self.run()
    await run.send(.changeInEffect(3))
    await run.send(.look)
    await run.send(.changeInEffect(4))
    await run.send(.add(1))
    await run.send(.changeInEffect(5))
    await run.send(.startOver)
    await run.send(.look)
    try run.check()
  }

  @Test func changesByOthersInTheProgram() async throws {
    let run = try self.run()
    run.outside {
      @Shared(.inMemory("total")) var total = 0
      $total.withLock { $0 = 40 }
    }
    await run.send(.add(2))
    run.store.$profile.name.withLock { $0 = "Seen" }
    await run.send(.showChild)
    run.outside {
      @Dependency(\.defaultAppStorage) var defaults
      defaults.set(99.0, forKey: "size")
    }
    await run.send(.look)
    run.store.$notes.withLock { $0 = [Note(id: 1, text: "by a view")] }
    run.store.$notes.withLock { $0[id: 1]?.text += "!" }
    await run.send(.noteDirectly(1, "?"))
    await run.send(.look)
    try run.check()
  }

  @Test func anotherStoresReducer() async throws {
    let run = try self.run()
    let other = run.outside {
      Store(initialState: Sharer.State(profile: run.store.$profile)) {
        Sharer().recorded(by: run.recording, as: "other")
      }
    }
    await run.send(.add(1))
    other.send(.add(10))
    other.send(.rename("Theirs"))
    await run.send(.look)
    other.send(.sizeChanged(3))
    other.send(.look)
    await run.send(.add(100))
    other.send(.look)
    let end = describe(other.state)
    try run.recording.close()
    for (name, states) in [("Sharer", describe(run.store.state)), ("other", end)] {
      let timeline = try Timeline(of: run.path, stream: name) { Sharer() }
      try timeline.move(to: timeline.count)
      #expect(timeline.state.log == (name == "other" ? other.log : run.store.log))
      #expect(timeline.divergence == nil)
      _ = states
    }
  }

  @Test func anExchangedReference() async throws {
    let run = try self.run()
    await run.send(.add(1))
    await run.send(.exchangeLoose)
    await run.send(.add(2))
    await run.send(.exchangeLoose)
    await run.send(.add(3))
    try run.check()
  }

  @Test func referencesInActions() async throws {
    let run = try self.run()
    let number = Shared(value: 5)
    await run.send(.received(number))
    number.withLock { $0 = 6 }
    await run.send(.received(number))
    await run.send(.received(run.store.$total))
    await run.send(.received(Shared(value: 8)))
    try run.check()
  }

  @Test func keysOfOneNameInTwoStorages() async throws {
    let run = try self.run()
    run.sendsOutside = true
    await run.send(.add(1))
    await run.send(.showChild)
    run.outside {
      @Shared(.inMemory("total")) var total = 0
      $total.withLock { $0 = 40 }
    }
    await run.send(.child(.presented(.tapped)))
    run.sendsOutside = false
    await run.send(.rowAdded(1))
    await run.send(.rows(.element(id: 1, action: .tapped)))
    run.sendsOutside = true
    await run.send(.rowAdded(2))
    await run.send(.rows(.element(id: 2, action: .tapped)))
    await run.send(.look)
    try run.check()
  }

  @Test func twoTimelinesAndTheProgramTouchNobodyElsesValues() async throws {
    let run = try self.run()
    for number in 1...5 { await run.send(.add(number)) }
    try run.recording.close()
    let (first, second) = (
      try Timeline(of: run.path) { Sharer() }, try Timeline(of: run.path) { Sharer() }
    )
    try first.move(to: 2)
    try second.move(to: 4)
    #expect(first.state.total == 3)
    #expect(second.state.total == 10)
    #expect(run.store.total == 15)
    try first.move(to: 5)
    try second.move(to: 0)
    #expect(first.state.total == 15)
    #expect(second.state.total == 0)
    run.store.$total.withLock { $0 = 1_000 }
    #expect(first.state.total == 15)
    first.state.$total.withLock { $0 = -1 }
    #expect(run.store.total == 1_000)
    #expect(second.state.total == 0)
  }
}
