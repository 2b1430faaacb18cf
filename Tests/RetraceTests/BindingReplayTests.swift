import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Binding actions whose key path leads into a property: a log can't name it.
@MainActor
@Suite struct BindingReplayTests {
  let folder: TemporaryFolder

  init() throws { self.folder = try TemporaryFolder() }

  struct Size: Equatable, Sendable, Codable {
    var width = 0
    var height = 0
  }

  @Reducer
  struct Form {
    @ObservableState
    struct State: Equatable {
      var name = ""
      var size = Size()
      var wideCount = 0
    }
    enum Action: BindableAction {
      case binding(BindingAction<State>)
      case double
    }
    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding(\.size.width):
          state.wideCount += 1
          return .none
        case .binding: return .none
        case .double:
          return .send(.binding(.set(\.size.height, state.size.height * 2)))
        }
      }
    }
  }

  @Test func aPartOfAPropertyIsReplayed() async throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Form.State()) { Form().recorded(by: recording) }
    store.send(.binding(.set(\.size.width, 4)))
    store.send(.binding(.set(\.size.height, 3)))
    store.send(.binding(.set(\.name, "n")))
    store.send(.double)
    let state = store.withState { $0 }
    #expect(state.size == Size(width: 4, height: 6))
    try recording.close()
    let timeline = try Timeline(of: path) { Form() }
    #expect(try timeline.replay { _ in }.divergence == nil)
    #expect(timeline.state == state)
    #expect(timeline.state.wideCount == 1)
    try timeline.move(to: 1)
    #expect(timeline.state.size == Size(width: 4))
  }
}
