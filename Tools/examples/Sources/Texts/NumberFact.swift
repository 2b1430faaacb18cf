import ComposableArchitecture
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// "The Composable Architecture": a counter that asks a server about its number, first with the call
// itself in it, then with a function handed in, then with a registered dependency.

enum WithoutDependencies {
  @Reducer
  struct Feature {
    @ObservableState
    struct State: Equatable {
      var count = 0
      var numberFact: String?
    }
    enum Action {
      case decrementButtonTapped
      case incrementButtonTapped
      case numberFactButtonTapped
      case numberFactResponse(String)
    }

    var body: some Reducer<State, Action> {
      Reduce { state, action in
        switch action {
        case .decrementButtonTapped:
          state.count -= 1
          return .none

        case .incrementButtonTapped:
          state.count += 1
          return .none

        case .numberFactButtonTapped:
          return .run { [count = state.count] send in
            let (data, _) = try await URLSession.shared.data(
              from: URL(string: "http://number-trivia.com/\(count)/trivia")!
            )
            await send(
              .numberFactResponse(String(decoding: data, as: UTF8.self))
            )
          }

        case let .numberFactResponse(fact):
          state.numberFact = fact
          return .none
        }
      }
    }
  }
}

enum WithFunction {
  @Reducer
  struct Feature {
    let numberFact: (Int) async throws -> String

    @ObservableState
    struct State: Equatable {
      var count = 0
      var numberFact: String?
    }
    enum Action {
      case decrementButtonTapped
      case incrementButtonTapped
      case numberFactButtonTapped
      case numberFactResponse(String)
    }

    var body: some Reducer<State, Action> {
      Reduce { state, action in
        switch action {
        case .decrementButtonTapped:
          state.count -= 1
          return .none

        case .incrementButtonTapped:
          state.count += 1
          return .none

        case .numberFactButtonTapped:
          return .run { [count = state.count] send in
            let fact = try await self.numberFact(count)
            await send(.numberFactResponse(fact))
          }

        case let .numberFactResponse(fact):
          state.numberFact = fact
          return .none
        }
      }
    }
  }
}

enum WithDependency {
  @Reducer
  struct Feature {
    @Dependency(\.numberFact) var numberFact

    @ObservableState
    struct State: Equatable {
      var count = 0
      var numberFact: String?
    }
    enum Action {
      case decrementButtonTapped
      case incrementButtonTapped
      case numberFactButtonTapped
      case numberFactResponse(String)
    }

    var body: some Reducer<State, Action> {
      Reduce { state, action in
        switch action {
        case .decrementButtonTapped:
          state.count -= 1
          return .none

        case .incrementButtonTapped:
          state.count += 1
          return .none

        case .numberFactButtonTapped:
          return .run { [count = state.count] send in
            let fact = try await self.numberFact.fetch(count)
            await send(.numberFactResponse(fact))
          }

        case let .numberFactResponse(fact):
          state.numberFact = fact
          return .none
        }
      }
    }
  }
}

struct NumberFactClient {
  var fetch: (Int) async throws -> String
}

extension NumberFactClient: DependencyKey {
  static let liveValue = Self(
    fetch: { number in
      let (data, _) = try await URLSession.shared
        .data(
          from: URL(string: "http://number-trivia.com/\(number)")!
        )
      return String(decoding: data, as: UTF8.self)
    }
  )
}

extension DependencyValues {
  var numberFact: NumberFactClient {
    get { self[NumberFactClient.self] }
    set { self[NumberFactClient.self] = newValue }
  }
}
