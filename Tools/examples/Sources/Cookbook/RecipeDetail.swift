import ComposableArchitecture

/// A recipe on the stack; it presents a form, a dialog and a handbook with a stack of its own.
@Reducer
struct RecipeDetail {
  @Reducer
  enum Destination {
    case dialog(ConfirmationDialogState<Dialog>)
    case edit(RecipeForm)
    case handbook(Handbook)

    @CasePathable
    enum Dialog: Equatable {
      case delete
      case duplicateSteps
    }
  }

  @ObservableState
  struct State: Equatable {
    @Presents var destination: Destination.State?
    var recipe: Recipe
  }

  enum Action {
    case delegate(Delegate)
    case destination(PresentationAction<Destination.Action>)
    case doneEditingButtonTapped
    case editButtonTapped
    case handbookButtonTapped
    case moreButtonTapped
    case startCookingButtonTapped

    @CasePathable
    enum Delegate {
      case changed(Recipe)
      case deleted(id: Recipe.ID)
      case startCooking(Recipe)
    }
  }

  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .delegate:
        return .none

      case .destination(.presented(.dialog(.delete))):
        return .run { [id = state.recipe.id] send in
          await send(.delegate(.deleted(id: id)))
          await self.dismiss()
        }

      case .destination(.presented(.dialog(.duplicateSteps))):
        state.recipe.steps += state.recipe.steps
        return .none

      case .destination:
        return .none

      case .doneEditingButtonTapped:
        guard let form = state.destination?.edit else { return .none }
        state.recipe = form.recipe
        state.destination = nil
        return .none

      case .editButtonTapped:
        state.destination = .edit(RecipeForm.State(recipe: state.recipe))
        return .none

      case .handbookButtonTapped:
        state.destination = .handbook(Handbook.State())
        return .none

      case .moreButtonTapped:
        state.destination = .dialog(.more)
        return .none

      case .startCookingButtonTapped:
        return .send(.delegate(.startCooking(state.recipe)))
      }
    }
    .ifLet(\.$destination, action: \.destination)
    .onChange(of: \.recipe) { _, recipe in
      Reduce { _, _ in
        .send(.delegate(.changed(recipe)))
      }
    }
  }
}

extension RecipeDetail.Destination.State: Equatable {}

extension ConfirmationDialogState where Action == RecipeDetail.Destination.Dialog {
  static let more = ConfirmationDialogState(titleVisibility: .visible) {
    TextState("More")
  } actions: {
    ButtonState(action: .duplicateSteps) {
      TextState("Repeat the steps")
    }
    ButtonState(role: .destructive, action: .delete) {
      TextState("Delete")
    }
  }
}
