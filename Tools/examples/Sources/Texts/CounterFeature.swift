import ComposableArchitecture

// "One-way flow": a counter, and an application that is put together from two features.

@Reducer
struct CounterFeature {
  @ObservableState
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case incrementTapped
    case decrementTapped
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .incrementTapped:
        state.count += 1
        return .none
      case .decrementTapped:
        state.count -= 1
        return .none
      }
    }
  }
}

@Reducer
struct ProfileFeature {
  @ObservableState
  struct State: Equatable {
    var items: [String] = []
    var isLoading = false
  }

  enum Action {
    case refreshTapped
    case itemsResponse([String])
  }

  @Dependency(\.apiClient) var apiClient

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .refreshTapped:
        state.isLoading = true
        return .run { send in
          let items = try await apiClient.fetchItems()
          await send(.itemsResponse(items))
        }

      case let .itemsResponse(items):
        state.isLoading = false
        state.items = items
        return .none
      }
    }
  }
}

@Reducer
struct AppFeature {
  @ObservableState
  struct State: Equatable {
    var counter = CounterFeature.State()
    var profile = ProfileFeature.State()
  }
  enum Action {
    case counter(CounterFeature.Action)
    case profile(ProfileFeature.Action)
  }
  var body: some Reducer<State, Action> {
    Scope(state: \.counter, action: \.counter) {
      CounterFeature()
    }
    Scope(state: \.profile, action: \.profile) {
      ProfileFeature()
    }
  }
}

@DependencyClient
struct APIClient {
  var fetchItems: () async throws -> [String]
}

extension APIClient: TestDependencyKey {
  static let testValue = Self()
}

extension DependencyValues {
  var apiClient: APIClient {
    get { self[APIClient.self] }
    set { self[APIClient.self] = newValue }
  }
}
