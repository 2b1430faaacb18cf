import ComposableArchitecture

/// What stands for the application's views: the title of what is in front, and the lines below it.
@MainActor
struct CookbookScreen {
  let store: StoreOf<CookbookApp>

  /// The screen on top of the stack, and what is presented over it.
  var lines: [String] {
    guard
      let id = self.store.path.ids.last,
      let top = self.store.scope(state: \.path[id: id], action: \.path[id: id])
    else { return self.list(self.store.scope(state: \.list, action: \.list)) }
    switch top.case {
    case .cooking(let cooking):
      return ["Step \(cooking.step + 1) of \(cooking.recipe.title)", "\(cooking.seconds) s"]
    case .recipe(let recipe):
      return self.recipe(recipe)
    }
  }

  private func list(_ store: StoreOf<RecipeList>) -> [String] {
    var lines = ["Recipes"] + store.recipes.map { "- \($0.title)" }
    if let form = store.scope(state: \.destination?.add, action: \.destination.add) {
      lines.append("[New recipe: \(form.recipe.title)]")
    }
    if case .some(.alert(let alert)) = store.destination {
      lines.append("[\(String(state: alert.title))]")
    }
    return lines
  }

  private func recipe(_ store: StoreOf<RecipeDetail>) -> [String] {
    var lines = [store.recipe.title] + store.recipe.steps
    switch store.scope(state: \.destination, action: \.destination.presented)?.case {
    case .dialog(let dialog):
      lines.append("[\(dialog.buttons.map { String(state: $0.label) }.joined(separator: "|"))]")
    case .edit(let form):
      lines.append("[Edit: \(form.recipe.title)]")
    case .handbook(let handbook):
      let titles = handbook.path.map(\.title)
      lines.append("[Handbook: \(titles.joined(separator: " > "))]")
    case nil:
      break
    }
    return lines
  }
}
