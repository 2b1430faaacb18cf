import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// A reducer that does something else with shared values than was recorded is told of.
@MainActor
@Suite struct SharedDivergenceTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  enum Change: CaseIterable {
    case arithmetic, order, moreChanges, fewerChanges, otherReads, moreReferences, otherKey
  }

  @Reducer
  struct Teller {
    struct State: Equatable {
      @Shared(.inMemory("balance")) var balance = 0
      @Shared(.inMemory("count")) var count = 0
      @Shared(value: []) var names: [String]
      var seen = 0
    }
    enum Action: Equatable {
      case add(Int)
      case look
      case make
    }
    var change: Change?

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let amount):
          let change = self.change
          if change == .order { state.$count.withLock { $0 += 1 } }
          if change != .fewerChanges {
            state.$balance.withLock { $0 += change == .arithmetic ? amount + 1 : amount }
          }
          if change == .moreChanges { state.$balance.withLock { _ in } }
          if change != .order { state.$count.withLock { $0 += 1 } }
        case .look:
          state.seen += self.change == .otherReads ? state.count : state.balance
        case .make:
          if self.change == .otherKey {
            @Shared(.inMemory("other")) var other = 0
            state.seen += other
          } else {
            @Shared(.inMemory("balance")) var balance = 0
            state.seen += balance
          }
          if self.change == .moreReferences { state.$names = Shared(value: ["a"]) }
        }
        return .none
      }
    }
  }

  private var path: String { self.folder.path("log.retrace") }

  private func record(digests: Bool = false) throws {
    var contents = RecordingContents()
    if digests { contents.digestInterval = 1 }
    let recording = try Recording(at: self.path, contents: contents)
    try withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Teller.State()) { Teller().recorded(by: recording) }
      store.send(.add(5))
      store.send(.look)
      store.withState(\.$balance).withLock { $0 = 100 }
      store.send(.make)
      store.send(.add(2))
      try recording.close()
    }
  }

  private func divergence(_ change: Change?) throws -> Divergence? {
    let timeline = try Timeline(of: self.path) { Teller(change: change) }
    do {
      return try timeline.replay { _ in }.divergence
    } catch let error as Divergence {
      return error
    }
  }

  @Test(arguments: [false, true])
  func eachChangeIsCaughtAtItsAction(digests: Bool) throws {
    try self.record(digests: digests)
    #expect(try self.divergence(nil) == nil)
    for change in Change.allCases {
      let found = try #require(try self.divergence(change), "\(change)")
      switch change {
      case .arithmetic:
        // Without digests the state at the end tells.
        #expect(found.action == (digests ? 1 : 4), "\(found)")
        #expect(found.kind == .state, "\(found)")
      case .order, .moreChanges, .fewerChanges:
        #expect(found.action == 1, "\(change): \(found)")
        #expect(found.kind == .shared, "\(change): \(found)")
      case .otherReads:
        #expect(found.action == 2, "\(found)")
        #expect(found.kind == .shared, "\(found)")
      case .moreReferences, .otherKey:
        #expect(found.action == 3, "\(change): \(found)")
        #expect(found.kind == .shared, "\(change): \(found)")
      }
    }
  }

  @Test func whatDiffersIsTold() throws {
    try self.record()
    #expect(
      try self.divergence(.order)?.description
        == "The replay differs from the recording in action 1: a change of '.inMemory(\"balance\")' "
        + "was recorded, and now there is a change of '.inMemory(\"count\")'.")
    #expect(
      try self.divergence(.moreChanges)?.description
        == "The replay differs from the recording in action 1: a change of '.inMemory(\"count\")' "
        + "was recorded, and now there is a change of '.inMemory(\"balance\")'.")
    #expect(
      try self.divergence(.otherKey)?.description
        == "The replay differs from the recording in action 3: no use of '.inMemory(\"other\")' was "
        + "recorded, and now there is a reference to '.inMemory(\"other\")'.")
  }
}
