import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import Testing

@testable import Cookbook

@MainActor
@Suite(.dependency(\.uuid, .incrementing))
struct ScreenTests {
  let store = Store(
    initialState: CookbookApp.State(
      list: RecipeList.State(recipes: [
        Recipe(id: UUID(9), title: "Pancakes", steps: ["Mix", "Fry"])
      ]))
  ) {
    CookbookApp()
  }

  @Test
  func lines() throws {
    let screen = CookbookScreen(store: self.store)
    #expect(screen.lines == ["Recipes", "- Pancakes"])

    self.store.send(.list(.addButtonTapped))
    self.store.scope(state: \.list.destination?.add, action: \.list.destination.add)?
      .recipe.title = "Soup"
    #expect(screen.lines == ["Recipes", "- Pancakes", "[New recipe: Soup]"])
    self.store.send(.list(.destination(.dismiss)))

    self.store.send(.list(.deleteButtonTapped(id: UUID(9))))
    #expect(screen.lines == ["Recipes", "- Pancakes", "[Delete Pancakes?]"])
    self.store.send(.list(.destination(.dismiss)))

    self.store.send(.list(.recipeTapped(id: UUID(9))))
    #expect(screen.lines == ["Pancakes", "Mix", "Fry"])
    let id = try #require(self.store.path.ids.last)
    self.store.send(.path(.element(id: id, action: .recipe(.moreButtonTapped))))
    #expect(screen.lines == ["Pancakes", "Mix", "Fry", "[Repeat the steps|Delete]"])

    self.store.send(.path(.element(id: id, action: .recipe(.handbookButtonTapped))))
    let handbook = try #require(
      self.store.scope(
        state: \.path[id: id]?.recipe?.destination?.handbook,
        action: \.path[id: id].recipe.destination.handbook))
    handbook.send(.articleTapped("Flour"))
    let article = try #require(handbook.path.ids.last)
    handbook.send(.path(.element(id: article, action: .linkTapped("Wheat"))))
    #expect(screen.lines == ["Pancakes", "Mix", "Fry", "[Handbook: Flour > Wheat]"])

    self.store.send(.path(.popFrom(id: id)))
    #expect(screen.lines == ["Recipes", "- Pancakes"])
  }

  @Test
  func linesFollowTheStore() async {
    let screen = CookbookScreen(store: self.store)
    let seen = LockIsolated<[[String]]>([])
    let token = observe { [screen] in
      let lines = screen.lines
      seen.withValue { $0.append(lines) }
    }
    defer { token.cancel() }
    self.store.send(.openURL(URL(string: "cookbook:/pancakes/cook")!))
    await Task.megaYield()
    self.store.send(.openURL(URL(string: "cookbook:/pancakes/edit")!))
    await Task.megaYield()
    #expect(
      seen.value == [
        ["Recipes", "- Pancakes"],
        ["Step 1 of Pancakes", "0 s"],
        ["Pancakes", "Mix", "Fry", "[Edit: Pancakes]"],
      ])
  }

  /// A screen that is closed takes along its sheet, and stops what both had started.
  @Test
  func closingAScreenWithASheet() async throws {
    let actions = LockIsolated<[CookbookApp.Action]>([])
    let clock = TestClock()
    let store = Store(initialState: self.store.state) {
      Reduce<CookbookApp.State, CookbookApp.Action> { _, action in
        actions.withValue { $0.append(action) }
        return .none
      }
      CookbookApp()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.send(.openURL(URL(string: "cookbook:/pancakes/edit")!))
    let (detail, form) = try (
      #require(store.path.ids.last),
      #require(
        store.scope(
          state: \.path[id: store.path.ids.last!]?.recipe?.destination?.edit,
          action: \.path[id: store.path.ids.last!].recipe.destination.edit))
    )
    form.recipe.title = "Crêpes"
    store.send(.path(.element(id: detail, action: .recipe(.startCookingButtonTapped))))
    let cooking = try #require(store.path.ids.last)
    let task = store.send(.path(.element(id: cooking, action: .cooking(.task))))
    store.send(.path(.popFrom(id: detail)))
    await task.finish()
    await clock.advance(by: .seconds(3))
    #expect(store.path.isEmpty)
    #expect(actions.value.count == 6)
    #expect(actions.value.last?.is(\.path.popFrom) == true)
  }
}
