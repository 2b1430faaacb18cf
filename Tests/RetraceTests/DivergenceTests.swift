import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// A reducer that is another one than was recorded is told of, and where.
@MainActor
@Suite struct DivergenceTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  /// What a version of the feature does in another way.
  enum Change: CaseIterable {
    case arithmetic, droppedBranch, otherRead, moreReads, fewerReads
    case renamedEffect, moreEffects, fewerEffects, otherAction
  }

  @Reducer
  struct Clerk {
    struct State: Equatable {
      var total = 0
      var date = Date(timeIntervalSinceReferenceDate: 0)
      var names: [String] = []
    }
    enum Action: Equatable {
      case add(Int)
      case stamp
      case work
      case done(Int)
      case pass
    }
    var change: Change?
    @Dependency(\.date.now) var now
    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let amount):
          state.total += self.change == .arithmetic ? amount + 1 : amount
        case .stamp:
          if self.change == .otherRead {
            state.names.append(self.uuid().uuidString)
          } else if self.change != .fewerReads {
            state.date = self.now
          }
          if self.change == .moreReads { _ = self.uuid() }
        case .work:
          let name = self.change == .renamedEffect ? "labour" : "work"
          let work = Effect<Action>.run(name: name) { send in await send(.done(1)) }
          switch self.change {
          case .moreEffects: return .merge(work, .run(name: "more") { _ in })
          case .fewerEffects: return .none
          default: return work
          }
        case .done(let amount):
          if self.change == .droppedBranch { return .none }
          state.total += amount
        case .pass:
          return .send(.done(self.change == .otherAction ? 3 : 2))
        }
        return .none
      }
    }
  }

  private func record() async throws {
    var contents = RecordingContents()
    contents.digestInterval = 1
    let recording = try Recording(at: self.path, contents: contents)
    let store = withDependencies {
      $0.context = .live
    } operation: {
      Store(initialState: Clerk.State()) { Clerk().recorded(by: recording) }
    }
    await store.send(.work).finish()
    store.send(.stamp)
    store.send(.pass)
    store.send(.add(5))
    try recording.close()
  }

  private func divergence(_ change: Change?) throws -> Divergence? {
    let timeline = try Timeline(of: self.path) { Clerk(change: change) }
    return try timeline.replay { _ in }.divergence
  }

  @Test func eachChangeIsCaughtAtItsAction() async throws {
    try await self.record()
    #expect(try self.divergence(nil) == nil)
    let expected: [Change: (kind: Divergence.Kind, action: Int, path: String)] = [
      .renamedEffect: (.effect, 1, "labour"), .moreEffects: (.effect, 1, "more"),
      .fewerEffects: (.effect, 1, "work"), .droppedBranch: (.state, 2, "total"),
      .otherRead: (.read, 3, "uuid"), .moreReads: (.read, 3, "uuid"),
      .fewerReads: (.read, 3, "date"), .otherAction: (.effect, 5, ""),
      .arithmetic: (.state, 6, "total"),
    ]
    for change in Change.allCases {
      let found = try #require(try self.divergence(change), "\(change)")
      let wanted = try #require(expected[change])
      #expect(found.kind == wanted.kind, "\(change): \(found)")
      #expect(found.action == wanted.action, "\(change): \(found)")
      #expect(found.path == wanted.path, "\(change): \(found)")
    }
  }

  @Test func whatDiffersIsTold() async throws {
    try await self.record()
    #expect(
      try self.divergence(.arithmetic)?.description
        == "The replay differs from the recording after action 6: 'total' was 8, and is 9 now. The "
        + "states after action 5 agreed.")
    #expect(
      try self.divergence(.renamedEffect)?.description.hasPrefix(
        "The replay differs from the recording in action 1: the effect 'work' was recorded, and now "
          + "there is the effect 'labour' (RetraceTests/DivergenceTests.swift:") == true)
    #expect(
      try self.divergence(.otherAction)?.description
        == "The replay differs from the recording in action 5: 'done(2)', sent by action 4, was "
        + "recorded, and now there is 'done(3)'.")
    #expect(
      try self.divergence(.otherRead)?.description
        == "The replay differs from the recording in action 3: a read of 'date' was recorded, and "
        + "now there is a read of 'uuid'.")
  }

  @Test func aTimelineStopsBeforeAReadThatWasNotRecorded() async throws {
    try await self.record()
    let timeline = try Timeline(of: self.path) { Clerk(change: .moreReads) }
    #expect(throws: Divergence.self) { try timeline.move(to: 6) }
    #expect(timeline.position == 0)
    try timeline.move(to: 2)
    #expect(throws: Divergence.self) { try timeline.stepForward() }
    #expect(timeline.position == 2)
    #expect(timeline.state.total == 1)
    #expect(timeline.divergence?.action == 3)
  }
}
