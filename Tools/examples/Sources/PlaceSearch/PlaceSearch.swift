import ComposableArchitecture

/// Searches for places while the user types, and fetches the forecast for one of them.
@Reducer
struct PlaceSearch {
  @ObservableState
  struct State: Equatable {
    var errorMessage: String?
    var forecast: Forecast?
    var loadingPlace: Place.ID?
    var query = ""
    var results: [Place] = []
  }

  enum Action {
    case forecastResponse(Place.ID, Result<Forecast, any Error>)
    case placeTapped(Place)
    case queryChanged(String)
    case queryChangeDebounced
    case searchResponse(Result<[Place], any Error>)
  }

  enum CancelID { case forecast, search }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.placeClient) var placeClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .forecastResponse(let id, .success(let forecast)):
        guard id == state.loadingPlace else { return .none }
        state.forecast = forecast
        state.loadingPlace = nil
        return .none

      case .forecastResponse(_, .failure):
        state.loadingPlace = nil
        state.errorMessage = "There is no forecast."
        return .none

      case .placeTapped(let place):
        state.loadingPlace = place.id
        state.forecast = nil
        return .run { send in
          let forecast = await Result { try await self.placeClient.forecast(for: place) }
          await send(.forecastResponse(place.id, forecast))
        }
        .cancellable(id: CancelID.forecast, cancelInFlight: true)

      case .queryChanged(let query):
        state.query = query
        state.errorMessage = nil
        guard !query.isEmpty else {
          state.results = []
          return .cancel(id: CancelID.search)
        }
        return .run { send in
          try await self.clock.sleep(for: .milliseconds(300))
          await send(.queryChangeDebounced)
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)

      case .queryChangeDebounced:
        return .run { [query = state.query] send in
          await send(.searchResponse(Result { try await self.placeClient.search(query) }))
        }
        .cancellable(id: CancelID.search)

      case .searchResponse(.success(let places)):
        state.results = places
        return .none

      case .searchResponse(.failure(let error)):
        state.results = []
        state.errorMessage = "\(error)"
        return .none
      }
    }
  }
}
