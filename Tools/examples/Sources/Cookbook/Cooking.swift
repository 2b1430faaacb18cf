import ComposableArchitecture

/// A screen on the stack that counts the seconds of a step and closes itself after the last one.
@Reducer
struct Cooking {
  @ObservableState
  struct State: Equatable {
    var recipe: Recipe
    var seconds = 0
    var step = 0
  }

  enum Action {
    case nextStepButtonTapped
    case task
    case ticked
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .nextStepButtonTapped:
        state.seconds = 0
        state.step += 1
        guard state.step >= state.recipe.steps.count else { return .none }
        return .run { _ in await self.dismiss() }

      case .task:
        return .run { send in
          for await _ in self.clock.timer(interval: .seconds(1)) {
            await send(.ticked)
          }
        }

      case .ticked:
        state.seconds += 1
        return .none
      }
    }
  }
}
