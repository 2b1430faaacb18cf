import ComposableArchitecture
import DependenciesTestSupport
import Retrace
import TemporaryLogs
import Testing

@testable import Reader

@MainActor
@Suite(.dependencies)
struct ReplayTests {
  @Test
  func aSessionIsReplayed() throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: Reader.State()) {
      Reader()
        .recorded(by: recording)
    }
    store.send(.nextPageButtonTapped)
    store.send(.bookmarkButtonTapped)
    store.send(.preferencesButtonTapped)
    store.send(.preferences(.presented(.largerButtonTapped)))
    try recording.close()
    #expect(store.fontSize == 15)
    #expect(store.bookmarks == [Bookmark(page: 2)])

    // States with shared values are not recorded yet, so that the first one has to be given.
    withKnownIssue {
      _ = try log.states { Reader() }
    }
    let timeline = try withDependencies {
      $0.defaultAppStorage = .inMemory
      $0.defaultFileStorage = .inMemory
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      try Timeline(of: log.path, initialState: Reader.State()) { Reader() }
    }
    #expect(timeline.state.fontSize == 14)
    try timeline.move(to: timeline.count)
    #expect(timeline.state.page == 2)
    #expect(timeline.state.bookmarks == [Bookmark(page: 2)])
    #expect(timeline.state.preferences?.fontSize == 15)
    // The first state's values are not yet those that later states share.
    withKnownIssue {
      #expect(timeline.state.fontSize == 15)
    }
    #expect(store.bookmarks == [Bookmark(page: 2)])
  }
}
