import ActionLog
import ComposableArchitecture
import CustomDump
import Dependencies
import Foundation
@testable import Retrace
import TestSupport
import Testing

/// References that are exchanged by others than reducers.
@MainActor
@Suite(.mainSerialExecutor)
struct SharedExchangeTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  /// A live run, and what its states looked like.
  private struct Run {
    var states: [String]
    var last: String
  }

  /// Runs actions under recording, each with all that its effects do.
  private func run(
    _ actions: [Tuner.Action], checkpoints: CheckpointDensity = .bySize, digests: Int? = nil,
    between: (Int, StoreOf<Tuner>) -> Void = { _, _ in }
  ) async throws -> Run {
    var contents = RecordingContents()
    contents.digestInterval = digests
    let recording = try Recording(
      at: self.path, options: LogOptions(), contents: contents, checkpoints: checkpoints)
    let storage = InMemoryStorage()
    @Sendable func storages(_ values: inout DependencyValues) {
      values.context = .live
      values.defaultInMemoryStorage = storage
    }
    let store = withDependencies(storages) {
      @Shared(.inMemory("exchange-two")) var two = 2
      return Store(initialState: Tuner.State()) { Tuner().recorded(by: recording) }
    }
    var states = [self.text(store.withState { $0 })]
    for (index, action) in actions.enumerated() {
      let task = withDependencies(storages) { store.send(action) }
      states.append(self.text(store.withState { $0 }))
      await task.finish()
      withDependencies(storages) { between(index + 1, store) }
    }
    let last = self.text(store.withState { $0 })
    try recording.close()
    return Run(states: states, last: last)
  }

  private func text(_ state: Tuner.State) -> String {
    var text = ""
    customDump(state, to: &text)
    return text
  }

  private func timeline() throws -> Timeline<Tuner.State, Tuner.Action> {
    let timeline = try Timeline(of: self.path) { Tuner() }
    timeline.leastFold = 0
    return timeline
  }

  /// Replays a run, and compares every state but the last, which holds what came after it.
  private func check(_ run: Run, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let timeline = try self.timeline()
    let count = timeline.count
    #expect(count == run.states.count - 1, sourceLocation: sourceLocation)
    let numbers = Array(0...count)
    // One that goes to and fro, and another one that does not follow it.
    let other = try self.timeline()
    try other.move(to: count / 2)
    for number in numbers + numbers.reversed() + [count, 0, count / 2, 1, count] {
      try timeline.move(to: number)
      let expected = number == count ? run.last : run.states[number]
      #expect(
        self.text(timeline.state) == expected, "\(number)", sourceLocation: sourceLocation)
    }
    #expect(self.text(other.state) == run.states[count / 2], sourceLocation: sourceLocation)
    for number in numbers {
      let fresh = try self.timeline()
      try fresh.move(to: number)
      let expected = number == count ? run.last : run.states[number]
      #expect(self.text(fresh.state) == expected, "\(number)", sourceLocation: sourceLocation)
      #expect(fresh.divergence == nil, sourceLocation: sourceLocation)
    }
    let report = try self.timeline().replay { _ in }
    #expect(report.divergence == nil, sourceLocation: sourceLocation)
    #expect(timeline.divergence == nil, sourceLocation: sourceLocation)
  }

  /// Runs actions in each way in which states come into the log, and replays them.
  private func check(
    _ actions: [Tuner.Action],
    ways: [(checkpoints: CheckpointDensity, digests: Int?)] = [
      (.bySize, nil), (.every(1, atOnce: true), nil), (.every(3, atOnce: true), 1),
      (.every(2, atOnce: false), 2),
    ],
    sourceLocation: SourceLocation = #_sourceLocation,
    between: (Int, StoreOf<Tuner>) -> Void = { _, _ in }
  ) async throws {
    for (checkpoints, digests) in ways {
      try? FileManager.default.removeItem(atPath: self.path)
      let run = try await self.run(
        actions, checkpoints: checkpoints, digests: digests, between: between)
      try self.check(run, sourceLocation: sourceLocation)
    }
  }

  @Test func aReducerMayExchangeThem() async throws {
    try await self.check([.look, .assignHere(7), .look, .up, .look])
  }

  @Test func aValueWithoutAKey() async throws {
    try await self.check([.look, .assign(7), .louder, .look, .up, .assign(9), .up, .look])
  }

  @Test func loadOfAnotherKey() async throws {
    try await self.check([.look, .load("two"), .look, .up, .look, .load("one"), .up, .look])
  }

  @Test func theKeysValueIsOneThatIsInTheStateToo() async throws {
    try await self.check([.load("three"), .up, .louder, .look, .up, .load("two"), .louder, .look])
  }

  @Test func itsValueChangesOutsideAsWell() async throws {
    try await self.check([.load("two"), .tell(20), .look, .up, .tell(30), .look, .up, .look])
    try await self.check([.tell(20), .load("two"), .look])
  }

  @Test func whatTheReducerHasMade() async throws {
    try await self.check([.up, .assignMade, .look, .up, .look, .assignMade, .assign(3), .look])
  }

  @Test func partsOfOtherValues() async throws {
    try await self.check([
      .assignPart(host: false), .look, .name("News"), .look, .hire("Blob"),
      .assignPart(host: true), .look, .name("Blob Jr."), .look, .hire(nil), .look,
    ])
  }

  @Test func readers() async throws {
    try await self.check([.show("two"), .look, .tell(5), .look, .show("three"), .louder, .look])
  }

  @Test func copiesFollowAndOthersDoNot() async throws {
    try await self.check([
      .store(1, isShared: true), .store(2, isShared: false), .store(3, isShared: false),
      .preset(.element(id: 2, action: .load("two"))), .preset(.element(id: 2, action: .look)),
      .preset(.element(id: 3, action: .up)), .preset(.element(id: 2, action: .up)),
      .load("two"), .preset(.element(id: 1, action: .look)), .up,
      .preset(.element(id: 1, action: .up)), .preset(.element(id: 2, action: .look)),
      .preset(.element(id: 3, action: .load("three"))), .louder,
      .preset(.element(id: 3, action: .look)), .look,
    ])
  }

  @Test func byAView() async throws {
    try await self.check([.look, .up, .look, .up, .look]) { number, store in
      let channel = store.withState(\.$channel)
      if number == 2 { channel.projectedValue = Shared(value: 50) }
      if number == 3 { channel.projectedValue = store.withState(\.$volume) }
    }
  }

  @Test func severalTimesBetweenTwoActions() async throws {
    try await self.check([.up, .look, .up, .look]) { number, store in
      guard number == 1 else { return }
      let channel = store.withState(\.$channel)
      let first = Shared(projectedValue: Shared(reference: channel.reference))
      for value in 10...12 { channel.projectedValue = Shared(value: value) }
      channel.projectedValue = first
      channel.projectedValue = Shared(value: 20)
    }
  }

  @Test func betweenAnActionAndTheOneThatItsReducerSends() async throws {
    for digests in [nil, 1] as [Int?] {
      try? FileManager.default.removeItem(atPath: self.path)
      let run = try await self.run(
        [.look, .assignWhileItRuns(70), .look], checkpoints: .every(1, atOnce: true),
        digests: digests)
      let timeline = try self.timeline()
      #expect(try timeline.replay { _ in }.divergence == nil)
      #expect(self.text(timeline.state) == run.last)
      #expect(timeline.state.channel == 71)
      try timeline.move(to: 1)
      #expect(timeline.state.channel == 1)
      try timeline.move(to: 3)
      #expect(timeline.state.channel == 71)
    }
  }

  @Test func inALogOfSeveralSegments() async throws {
    let storage = InMemoryStorage()
    var options = LogOptions()
    options.blockSize = 4 << 10
    options.segmentSize = 16 << 10
    let recording = try Recording(
      at: self.path, options: options, checkpoints: .every(500, atOnce: true))
    let store = withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = storage
    } operation: {
      Store(initialState: Tuner.State()) { Tuner().recorded(by: recording) }
    }
    var channels = [1]
    for number in 1...3_000 {
      if number % 7 == 0 {
        store.withState(\.$channel).projectedValue = Shared(value: number * 1_000)
      }
      if number % 50 == 0 { store.send(.look) } else { store.send(.up) }
      channels.append(store.withState(\.channel))
    }
    try recording.close()
    let timeline = try self.timeline()
    #expect(try timeline.replay { _ in }.divergence == nil)
    for number in stride(from: 0, through: 3_000, by: 123) {
      let fresh = try self.timeline()
      try fresh.move(to: number)
      #expect(fresh.state.channel == channels[number])
      try timeline.move(to: number)
      #expect(timeline.state.channel == channels[number])
    }
  }

  @Test func aPartOfSomethingThatNoStateHoldsIsNamedWhereTheReplayDiffers() async throws {
    _ = try await self.run([.look, .assignUnknown, .louder, .look])
    let found = try #require(try self.timeline().replay { _ in }.divergence)
    #expect(found.action == 4)
    #expect(found.kind == .shared)
    let hint = try #require(found.hint)
    #expect(
      hint.hasPrefix(
        """
        Outside of the reducers a 'Shared' of 'Shared(value:) number 3' was given \
        'Shared(value:) number 4' before, as by 'load' or by setting a projected value. A replay \
        can't do that. It is the part '
        """))
    #expect(
      hint.hasSuffix(
        """
        ' of a shared value, which can't be found again in another process: only stored \
        properties, elements of identified arrays by their ids and what optionals hold can. Where \
        the state holds it, let a reducer do it.
        """))
    #expect(found.description.hasSuffix(" let a reducer do it."))
  }

  @Test func aPartOfSomethingOfWhichNothingTellsTheTypeIsNamed() async throws {
    _ = try await self.run([.look, .assignStranger, .look])
    let found = try #require(try self.timeline().replay { _ in }.divergence)
    #expect(found.action == 3)
    #expect(
      found.hint == """
        Outside of the reducers a 'Shared' of 'Shared(value:) number 3' was given \
        'Shared(value:) number 4' before, as by 'load' or by setting a projected value. A replay \
        can't do that. Nothing tells of which type the whole is. Where the state holds it, let a \
        reducer do it.
        """)
  }

  @Test func whatNoStateHoldsIsPassedOver() async throws {
    try await self.check([.assignElsewhere, .look, .assignElsewhere, .up, .look])
  }

  @Test func boxesInADictionaryAreKnownByTheirKeys() async throws {
    let many = (1...9).map { Tuner.Action.store($0, isShared: $0 == 5) }
    try await self.check(
      many + [.preset(.element(id: 7, action: .load("two"))), .tell(99), .look],
      ways: [(.bySize, 1), (.every(2, atOnce: false), nil)])
  }
}
