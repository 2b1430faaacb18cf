import ComposableArchitecture

/// The sheet in which a recipe is written.
@Reducer
struct RecipeForm {
  @ObservableState
  struct State: Equatable {
    var recipe: Recipe
    var focus: Field? = .title

    enum Field: Hashable {
      case title
      case step(Int)
    }
  }

  enum Action: BindableAction {
    case addStepButtonTapped
    case binding(BindingAction<State>)
    case cancelButtonTapped
  }

  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .addStepButtonTapped:
        state.recipe.steps.append("")
        state.focus = .step(state.recipe.steps.count - 1)
        return .none

      case .binding:
        return .none

      case .cancelButtonTapped:
        return .run { _ in await self.dismiss() }
      }
    }
  }
}
