import ComposableArchitecture
import DependenciesTestSupport
import Testing

@testable import Reader

@MainActor
@Suite(.dependencies)
struct ReaderTests {
  @Test
  func settingsOfBothFeatures() async {
    let store = TestStore(initialState: Reader.State()) {
      Reader()
    }
    await store.send(.preferencesButtonTapped) {
      $0.preferences = Preferences.State()
    }
    await store.send(\.preferences.largerButtonTapped) {
      $0.preferences?.$fontSize.withLock { $0 = 15 }
    }
    #expect(store.state.fontSize == 15)
    await store.send(\.preferences.themeButtonTapped) {
      $0.preferences?.$theme.withLock { $0 = .night }
    }
    #expect(store.state.theme == .night)
    await store.send(\.preferences.dismiss) {
      $0.preferences = nil
    }
  }

  @Test
  func storedSettingsAreFoundAgain() async {
    @Shared(.fontSize) var fontSize
    $fontSize.withLock { $0 = 20 }
    let store = TestStore(initialState: Preferences.State()) {
      Preferences()
    }
    await store.send(.smallerButtonTapped) { _ in
      $fontSize.withLock { $0 = 19 }
    }
    @Dependency(\.defaultAppStorage) var defaults
    #expect(defaults.double(forKey: "fontSize") == 19)
  }

  @Test
  func bookmarks() async {
    let store = TestStore(initialState: Reader.State()) {
      Reader()
    }
    await store.send(.nextPageButtonTapped) {
      $0.page = 2
      $0.$pagesRead.withLock { $0 = 1 }
    }
    await store.send(.noteChanged("No bookmark here"))
    await store.send(.bookmarkButtonTapped) {
      $0.$bookmarks.withLock { $0 = [Bookmark(page: 2)] }
    }
    await store.send(.noteChanged("Nice")) {
      $0.$bookmarks.withLock { $0[id: 2]?.note = "Nice" }
    }
    await store.send(.bookmarkButtonTapped) {
      $0.$bookmarks.withLock { $0 = [] }
    }
  }

  @Test
  func bookmarksOfAnEarlierRun() async {
    @Shared(.bookmarks) var bookmarks = [Bookmark(page: 1, note: "Read again")]
    let store = TestStore(initialState: Reader.State()) {
      Reader()
    }
    await store.send(.bookmarkButtonTapped) { _ in
      $bookmarks.withLock { $0 = [] }
    }
  }

  @Test
  func aChangeInAnEffect() async {
    @Shared(.pagesRead) var pagesRead = 12
    let store = TestStore(initialState: Preferences.State()) {
      Preferences()
    }
    await store.send(.resetButtonTapped)
    store.assert {
      $0.$pagesRead.withLock { $0 = 0 }
    }
  }

  @Test
  func notExhaustive() async {
    let store = TestStore(initialState: Reader.State()) {
      Reader()
    }
    store.exhaustivity = .off
    for _ in 1...5 { await store.send(\.nextPageButtonTapped) }
    await store.send(\.bookmarkButtonTapped)
    await store.send(\.preferencesButtonTapped)
    #expect(store.state.preferences?.pagesRead == 5)
    #expect(store.state.bookmarks.ids == [6])
  }
}
