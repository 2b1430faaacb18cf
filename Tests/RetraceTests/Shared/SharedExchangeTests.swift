import ComposableArchitecture
import Foundation
import Retrace
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

  @Reducer
  struct Tuner {
    struct State: Equatable {
      @Shared(.inMemory("exchange-tests-one")) var channel = 1
      @Shared(.inMemory("exchange-tests-three")) var volume = 30
      var seen: [Int] = []
    }
    enum Action {
      case load
      case assign
      case assignHere
      case look
      case louder
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .load:
          return .run { [channel = state.$channel] _ in
            try await channel.load(.inMemory("exchange-tests-two"))
          }
        case .assign:
          return .run { [channel = state.$channel] _ in
            channel.projectedValue = Shared(value: 7)
          }
        case .assignHere: state.$channel = Shared(value: 7)
        case .look: state.seen.append(state.channel)
        case .louder: state.$volume.withLock { $0 += 1 }
        }
        return .none
      }
    }
  }

  private func report(_ actions: [Tuner.Action]) async throws -> ReplayReport {
    let recording = try Recording(at: self.path)
    let storage = InMemoryStorage()
    let store = withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = storage
    } operation: {
      @Shared(.inMemory("exchange-tests-two")) var two = 2
      return Store(initialState: Tuner.State()) { Tuner().recorded(by: recording) }
    }
    for action in actions { await store.send(action).finish() }
    try recording.close()
    let timeline = try Timeline(of: self.path) { Tuner() }
    return try timeline.replay { _ in }
  }

  @Test func aReducerMayExchangeThem() async throws {
    let report = try await self.report([.look, .assignHere, .look])
    #expect(report.divergence == nil)
  }

  @Test func anExchangeByAnEffectIsNamedWhereTheReplayDiffers() async throws {
    let report = try await self.report([.look, .assign, .louder, .look])
    let found = try #require(report.divergence)
    #expect(found.action == 4)
    #expect(found.kind == .shared)
    #expect(
      found.hint == """
        Outside of the reducers a 'Shared' of '.inMemory("exchange-tests-one")' was given \
        'Shared(value:) number 2' before, as by 'load' or by setting a projected value. A replay \
        can't do that: where the state holds it, let a reducer do it.
        """)
    #expect(found.description.hasSuffix(" let a reducer do it."))
  }

  @Test func aDifferenceBeforeItHasNoHint() async throws {
    let report = try await self.report([.look, .louder])
    #expect(report.divergence == nil)
  }

  @Test func loadByAnEffect() async throws {
    let report = try await self.report([.look, .load, .look])
    let found = try #require(report.divergence)
    #expect(found.action == 3)
    #expect(
      found.hint?.hasPrefix(
        "Outside of the reducers a 'Shared' of '.inMemory(\"exchange-tests-one\")' was given "
          + "'.inMemory(\"exchange-tests-two\")' before") == true)
  }
}
