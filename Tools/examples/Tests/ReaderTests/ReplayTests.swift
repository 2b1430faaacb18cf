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

    let timeline = try Timeline(of: log.path) { Reader() }
    #expect(timeline.state.fontSize == 14)
    try timeline.move(to: timeline.count)
    #expect(timeline.state.page == 2)
    #expect(timeline.state.bookmarks == [Bookmark(page: 2)])
    #expect(timeline.state.preferences?.fontSize == 15)
    #expect(timeline.state.fontSize == 15)
    try timeline.move(to: 1)
    #expect(timeline.state.fontSize == 14)
    #expect(timeline.state.bookmarks == [])
    #expect(store.fontSize == 15)
    #expect(store.bookmarks == [Bookmark(page: 2)])
  }

  /// A live session, in which an effect and another part of the program change shared values.
  private func session() async throws -> RecordedSession<Reader> {
    try await RecordedSession(Reader.State()) {
      Reader()
    } withDependencies: {
      $0.defaultAppStorage.set(20.0, forKey: "fontSize")
    } run: { store in
      #expect(store.fontSize == 20)
      store.send(.nextPageButtonTapped)
      store.send(.bookmarkButtonTapped)
      store.send(.noteChanged("Nice"))
      store.send(.preferencesButtonTapped)
      store.send(.preferences(.presented(.largerButtonTapped)))
      store.send(.preferences(.presented(.themeButtonTapped)))
      await store.send(.preferences(.presented(.resetButtonTapped))).finish()
      @Shared(.fontSize) var fontSize
      $fontSize.withLock { $0 = 39 }
      store.send(.preferences(.presented(.largerButtonTapped)))
      store.send(.preferences(.presented(.largerButtonTapped)))
      store.send(.preferences(.dismiss))
      store.send(.bookmarkButtonTapped)
      store.send(.nextPageButtonTapped)
      #expect(store.fontSize == 40)
      #expect(store.pagesRead == 1)
    }
  }

  @Test
  func aLiveSessionIsReplayed() async throws {
    let session = try await self.session()
    #expect(try session.differences { Reader() } == [])
  }

  @Test
  func preferencesByThemselves() async throws {
    let session = try await RecordedSession(Preferences.State()) {
      Preferences()
    } run: { store in
      store.send(.smallerButtonTapped)
      store.send(.themeButtonTapped)
      await store.send(.resetButtonTapped).finish()
    }
    #expect(try session.differences { Preferences() } == [])
  }

  @Test
  func mutants() async throws {
    let session = try await self.session()
    func check(
      _ kind: Divergence.Kind, _ action: Int, _ path: String,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ change:
        @escaping (
          inout Reader.State, Reader.Action,
          (inout Reader.State, Reader.Action) -> Effect<Reader.Action>
        ) -> Effect<Reader.Action>
    ) throws {
      let divergence = try session.divergence { Reader().changed(change) }
      let comment = Comment(rawValue: divergence?.description ?? "no divergence")
      #expect(divergence?.kind == kind, comment, sourceLocation: sourceLocation)
      #expect(divergence?.action == action, comment, sourceLocation: sourceLocation)
      #expect(divergence?.path == path, comment, sourceLocation: sourceLocation)
    }
    // Arithmetic, of the state and of a shared value.
    try check(.state, 1, "page") { state, action, original in
      defer { if action.is(\.nextPageButtonTapped) { state.page += 1 } }
      return original(&state, action)
    }
    try check(.state, 6, "preferences.theme") { state, action, original in
      guard action.is(\.preferences.presented.themeButtonTapped) else {
        return original(&state, action)
      }
      state.preferences?.$theme.withLock { $0 = .day }
      return .none
    }
    // A branch that is dropped.
    try check(.shared, 3, ".fileStorage(<documents>/bookmarks.json)") { state, action, original in
      action.is(\.noteChanged) ? .none : original(&state, action)
    }
    // A change more.
    try check(.shared, 1, ".inMemory(\"pagesRead\")") { state, action, original in
      if action.is(\.nextPageButtonTapped) { state.$pagesRead.withLock { _ in } }
      return original(&state, action)
    }
    // Another shared value is read.
    try check(.shared, 1, ".appStorage(\"fontSize\")") { state, action, original in
      if action.is(\.nextPageButtonTapped) { state.page += Int(state.fontSize) }
      return original(&state, action)
    }
    // A dependency is read.
    try check(.read, 2, "date") { state, action, original in
      @Dependency(\.date.now) var now
      if action.is(\.bookmarkButtonTapped) { _ = now }
      return original(&state, action)
    }
    // Effects.
    try check(.effect, 7, "") { state, action, original in
      let effect = original(&state, action)
      return action.is(\.preferences.presented.resetButtonTapped) ? .none : effect
    }
    try check(.effect, 7, "reset") { state, action, original in
      let effect = original(&state, action)
      guard action.is(\.preferences.presented.resetButtonTapped) else { return effect }
      return .run(name: "reset") { _ in }
    }
    try check(.effect, 1, "save") { state, action, original in
      let effect = original(&state, action)
      return action.is(\.nextPageButtonTapped) ? .run(name: "save") { _ in } : effect
    }
  }
}
