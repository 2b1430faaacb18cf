import ComposableArchitecture
import Foundation

// "Store": three tabs, a root store of them, and how it is scoped.

enum StoreTree {
  @Reducer
  struct Activity {
    @ObservableState
    struct State: Equatable { var lines: [String] = [] }
    enum Action { case add(String) }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let line):
          state.lines.append(line)
          return .none
        }
      }
    }
  }

  @Reducer
  struct Search {
    @ObservableState
    struct State: Equatable { var query = "" }
    enum Action { case queryChanged(String) }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .queryChanged(let query):
          state.query = query
          return .none
        }
      }
    }
  }

  @Reducer
  struct Profile {
    @ObservableState
    struct State: Equatable { var seenAt: Date? }
    enum Action {
      case task
      case seen(Date)
    }
    @Dependency(\.date.now) var now
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .task:
          return .run { send in await send(.seen(now)) }
        case .seen(let date):
          state.seenAt = date
          return .none
        }
      }
    }
  }

  @Reducer
  struct AppFeature {
    @ObservableState
    struct State: Equatable {
      var activity = Activity.State()
      var search = Search.State()
      var profile = Profile.State()
    }

    enum Action {
      case activity(Activity.Action)
      case search(Search.Action)
      case profile(Profile.Action)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.activity, action: \.activity) { Activity() }
      Scope(state: \.search, action: \.search) { Search() }
      Scope(state: \.profile, action: \.profile) { Profile() }
    }
  }

  /// What stands for a program's entry point: its store is made when it is first asked for.
  @MainActor
  struct MyApp {
    static let store = Store(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      $0.date.now = Date(timeIntervalSince1970: 0)
    }
  }
}
