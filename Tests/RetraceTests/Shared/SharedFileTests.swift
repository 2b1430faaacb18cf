import ComposableArchitecture
import Dependencies
import Foundation
import Retrace
import TestSupport
import Testing

/// A shared value in a file that somebody else writes.
@MainActor
@Suite struct SharedFileTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  @Reducer
  struct Watcher {
    @ObservableState
    struct State: Equatable {
      @Shared var number: Int
      var seen: [Int] = []
    }
    enum Action {
      case look
      case add
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .look: state.seen.append(state.number)
        case .add: state.$number.withLock { $0 += 1 }
        }
        return .none
      }
    }
  }

  @Test func whatOthersWriteIsSeenInTheReplayToo() async throws {
    let file = URL(fileURLWithPath: self.folder.path("number.json"))
    try Data("5".utf8).write(to: file)
    let recording = try Recording(at: self.folder.path("log.retrace"))
    let store = withDependencies {
      $0.context = .live
      $0.defaultFileStorage = .fileSystem
    } operation: {
      Store(initialState: Watcher.State(number: Shared(wrappedValue: 0, .fileStorage(file)))) {
        Watcher().recorded(by: recording)
      }
    }
    store.send(.look)
    try Data("50".utf8).write(to: file, options: .atomic)
    while store.number != 50 { try await Task.sleep(for: .milliseconds(1)) }
    store.send(.look)
    store.send(.add)
    store.send(.look)
    try recording.close()
    #expect(store.seen == [5, 50, 51])

    try FileManager.default.removeItem(at: file)
    let timeline = try Timeline(of: self.folder.path("log.retrace")) { Watcher() }
    for (number, value) in [5, 5, 50, 51, 51].enumerated() {
      try timeline.move(to: number)
      #expect(timeline.state.number == value)
    }
    #expect(timeline.state.seen == [5, 50, 51])
    try timeline.move(to: 1)
    #expect(timeline.state.number == 5)
    #expect(timeline.divergence == nil)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
