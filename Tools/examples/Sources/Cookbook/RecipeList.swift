import ComposableArchitecture
import Foundation

/// The list at the root, with a sheet to add a recipe and an alert before one is deleted.
@Reducer
struct RecipeList {
  @Reducer
  enum Destination {
    case add(RecipeForm)
    case alert(AlertState<Alert>)

    @CasePathable
    enum Alert: Equatable {
      case confirmDeletion(id: Recipe.ID)
    }
  }

  @ObservableState
  struct State: Equatable {
    @Presents var destination: Destination.State?
    var recipes: IdentifiedArrayOf<Recipe> = []
  }

  enum Action {
    case addButtonTapped
    case confirmAddButtonTapped
    case deleteButtonTapped(id: Recipe.ID)
    case destination(PresentationAction<Destination.Action>)
    case recipeTapped(id: Recipe.ID)
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        state.destination = .add(RecipeForm.State(recipe: Recipe(id: self.uuid())))
        return .none

      case .confirmAddButtonTapped:
        guard case .some(.add(let form)) = state.destination else { return .none }
        state.recipes.append(form.recipe)
        state.destination = nil
        return .none

      case .deleteButtonTapped(let id):
        guard let recipe = state.recipes[id: id] else { return .none }
        state.destination = .alert(.deletion(of: recipe))
        return .none

      case .destination(.presented(.alert(.confirmDeletion(let id)))):
        state.recipes.remove(id: id)
        return .none

      case .destination, .recipeTapped:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension RecipeList.Destination.State: Equatable {}

extension AlertState where Action == RecipeList.Destination.Alert {
  static func deletion(of recipe: Recipe) -> Self {
    AlertState {
      TextState("Delete \(recipe.title)?")
    } actions: {
      ButtonState(role: .destructive, action: .confirmDeletion(id: recipe.id)) {
        TextState("Delete")
      }
      ButtonState(role: .cancel) {
        TextState("Keep")
      }
    } message: {
      TextState("It can't be brought back.")
    }
  }

  static let unknownLink = AlertState {
    TextState("There is no such recipe")
  }
}
