import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import Retrace
import TemporaryLogs
import Testing

@testable import Cookbook

@MainActor
@Suite
struct ReplayTests {
  @Test
  func aSessionIsReplayed() async throws {
    let pancakes = Recipe(id: UUID(9), title: "Pancakes", steps: ["Mix"])
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(
      initialState: CookbookApp.State(list: RecipeList.State(recipes: [pancakes]))
    ) {
      CookbookApp()
        .dependency(\.uuid, .incrementing)
        .recorded(by: recording)
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }

    // A sheet with a form at the root.
    store.send(.list(.addButtonTapped))
    let form = try #require(
      store.scope(state: \.list.destination?.add, action: \.list.destination.add))
    form.recipe.title = "Soup"
    form.send(.addStepButtonTapped)
    store.send(.list(.confirmAddButtonTapped))
    #expect(store.list.recipes.map(\.title) == ["Pancakes", "Soup"])

    // A sheet with a stack, on the stack.
    store.send(.list(.recipeTapped(id: pancakes.id)))
    let id = try #require(store.path.ids.last)
    store.send(.path(.element(id: id, action: .recipe(.handbookButtonTapped))))
    store.send(
      .path(
        .element(
          id: id,
          action: .recipe(.destination(.presented(.handbook(.articleTapped("Flour"))))))))
    store.send(.path(.element(id: id, action: .recipe(.destination(.dismiss)))))

    // A dialog, whose effect tells the root and closes the screen.
    store.send(.path(.element(id: id, action: .recipe(.moreButtonTapped))))
    await store.send(
      .path(.element(id: id, action: .recipe(.destination(.presented(.dialog(.delete))))))
    ).finish()
    #expect(store.path.isEmpty)
    #expect(store.list.recipes.map(\.title) == ["Soup"])

    // An alert that a link led to.
    store.send(.openURL(URL(string: "cookbook:/waffles")!))
    try recording.close()

    // The ids of a stack's elements are not restored yet: the second fold of a process counts on.
    withKnownIssue {
      let states = try log.states { CookbookApp().dependency(\.uuid, .incrementing) }
      #expect(states.last == store.state)
      #expect(states.contains { $0.path.first?.recipe?.destination?.handbook?.path.count == 1 })
    }
  }
}
