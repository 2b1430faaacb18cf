import ComposableArchitecture
import Foundation

/// The whole application: a list of recipes and the screens that were opened from it.
@Reducer
struct CookbookApp {
  @Reducer
  enum Path {
    case cooking(Cooking)
    case recipe(RecipeDetail)
  }

  @ObservableState
  struct State: Equatable {
    var list = RecipeList.State()
    var path = StackState<Path.State>()
  }

  enum Action {
    case list(RecipeList.Action)
    case openURL(URL)
    case path(StackActionOf<Path>)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.list, action: \.list) {
      RecipeList()
    }
    Reduce { state, action in
      switch action {
      case .list(.recipeTapped(let id)):
        guard let recipe = state.list.recipes[id: id] else { return .none }
        state.path.append(.recipe(RecipeDetail.State(recipe: recipe)))
        return .none

      case .list:
        return .none

      case .openURL(let url):
        self.open(url, state: &state)
        return .none

      case .path(.element(id: _, action: .recipe(.delegate(let event)))):
        switch event {
        case .changed(let recipe):
          state.list.recipes[id: recipe.id] = recipe
        case .deleted(let id):
          state.list.recipes.remove(id: id)
        case .startCooking(let recipe):
          state.path.append(.cooking(Cooking.State(recipe: recipe)))
        }
        return .none

      case .path:
        return .none
      }
    }
    .forEach(\.path, action: \.path)
  }

  /// Opens links such as `cookbook:/pancakes/cook` and `cookbook:/pancakes/edit`.
  private func open(_ url: URL, state: inout State) {
    let parts = url.pathComponents.filter { $0 != "/" }
    guard
      let title = parts.first,
      let recipe = state.list.recipes.first(where: { $0.title.lowercased() == title })
    else {
      state.list.destination = .alert(.unknownLink)
      return
    }
    state.path = StackState([.recipe(RecipeDetail.State(recipe: recipe))])
    switch parts.dropFirst().first {
    case "cook":
      state.path.append(.cooking(Cooking.State(recipe: recipe)))
    case "edit":
      guard let id = state.path.ids.last else { return }
      state.path[id: id, case: \.recipe]?.destination = .edit(RecipeForm.State(recipe: recipe))
    default:
      break
    }
  }
}

extension CookbookApp.Path.State: Equatable {}
