import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import Testing

@testable import Cookbook

@MainActor
@Suite(.dependency(\.uuid, .incrementing))
struct CookbookTests {
  let pancakes = Recipe(id: UUID(9), title: "Pancakes", steps: ["Mix", "Fry"])

  @Test
  func addRecipe() async {
    let store = TestStore(initialState: RecipeList.State()) {
      RecipeList()
    }
    await store.send(.addButtonTapped) {
      $0.destination = .add(RecipeForm.State(recipe: Recipe(id: UUID(0))))
    }
    await store.send(.destination(.presented(.add(.set(\.recipe.title, "Soup"))))) {
      $0.destination?.modify(\.add) { $0.recipe.title = "Soup" }
    }
    await store.send(\.destination.add.addStepButtonTapped) {
      $0.destination?.modify(\.add) {
        $0.recipe.steps = [""]
        $0.focus = .step(0)
      }
    }
    await store.send(.confirmAddButtonTapped) {
      $0.recipes = [Recipe(id: UUID(0), title: "Soup", steps: [""])]
      $0.destination = nil
    }
  }

  @Test
  func cancelAdding() async {
    let store = TestStore(initialState: RecipeList.State()) {
      RecipeList()
    }
    await store.send(.addButtonTapped) {
      $0.destination = .add(RecipeForm.State(recipe: Recipe(id: UUID(0))))
    }
    await store.send(\.destination.add.cancelButtonTapped)
    await store.receive(\.destination.dismiss) {
      $0.destination = nil
    }
  }

  @Test
  func deleteRecipe() async {
    let store = TestStore(initialState: RecipeList.State(recipes: [self.pancakes])) {
      RecipeList()
    }
    await store.send(.deleteButtonTapped(id: self.pancakes.id)) {
      $0.destination = .alert(.deletion(of: self.pancakes))
    }
    await store.send(\.destination.dismiss) {
      $0.destination = nil
    }
    await store.send(.deleteButtonTapped(id: self.pancakes.id)) {
      $0.destination = .alert(.deletion(of: self.pancakes))
    }
    await store.send(\.destination.alert.confirmDeletion, self.pancakes.id) {
      $0.recipes = []
      $0.destination = nil
    }
  }

  @Test
  func editOnTheStack() async {
    let store = self.store()
    await store.send(\.list.recipeTapped, self.pancakes.id) {
      $0.path[id: 0] = .recipe(RecipeDetail.State(recipe: self.pancakes))
    }
    await store.send(\.path[id: 0].recipe.editButtonTapped) {
      $0.path[id: 0, case: \.recipe]?.destination = .edit(
        RecipeForm.State(recipe: self.pancakes))
    }
    await store.send(
      \.path[id: 0].recipe.destination.edit.binding,
      .set(\.recipe.title, "Crêpes")
    ) {
      $0.path[id: 0, case: \.recipe]?.destination?.modify(\.edit) { $0.recipe.title = "Crêpes" }
    }
    var crepes = self.pancakes
    crepes.title = "Crêpes"
    await store.send(\.path[id: 0].recipe.doneEditingButtonTapped) {
      $0.path[id: 0, case: \.recipe]?.recipe.title = "Crêpes"
      $0.path[id: 0, case: \.recipe]?.destination = nil
    }
    await store.receive(\.path[id: 0].recipe.delegate.changed) {
      $0.list.recipes = [crepes]
    }
    await store.send(.path(.popFrom(id: 0))) {
      $0.path = StackState()
    }
  }

  @Test
  func deleteOnTheStackClosesTheScreen() async {
    let store = self.store(path: [.recipe(RecipeDetail.State(recipe: self.pancakes))])
    await store.send(\.path[id: 0].recipe.moreButtonTapped) {
      $0.path[id: 0, case: \.recipe]?.destination = .dialog(.more)
    }
    await store.send(\.path[id: 0].recipe.destination.dialog.delete) {
      $0.path[id: 0, case: \.recipe]?.destination = nil
    }
    await store.receive(\.path[id: 0].recipe.delegate.deleted) {
      $0.list.recipes = []
    }
    await store.receive(\.path.popFrom) {
      $0.path = StackState()
    }
  }

  @Test
  func cookToTheEnd() async {
    let clock = TestClock()
    let store = self.store(path: [.recipe(RecipeDetail.State(recipe: self.pancakes))])
    store.dependencies.continuousClock = clock

    await store.send(\.path[id: 0].recipe.startCookingButtonTapped)
    await store.receive(\.path[id: 0].recipe.delegate.startCooking) {
      $0.path[id: 1] = .cooking(Cooking.State(recipe: self.pancakes))
    }
    await store.send(\.path[id: 1].cooking.task)
    await clock.advance(by: .seconds(2))
    await store.receive(\.path[id: 1].cooking.ticked) {
      $0.path[id: 1, case: \.cooking]?.seconds = 1
    }
    await store.receive(\.path[id: 1].cooking.ticked) {
      $0.path[id: 1, case: \.cooking]?.seconds = 2
    }
    await store.send(\.path[id: 1].cooking.nextStepButtonTapped) {
      $0.path[id: 1, case: \.cooking]?.seconds = 0
      $0.path[id: 1, case: \.cooking]?.step = 1
    }
    // The screen closes itself after the last step, which stops the clock.
    await store.send(\.path[id: 1].cooking.nextStepButtonTapped) {
      $0.path[id: 1, case: \.cooking]?.step = 2
    }
    await store.receive(\.path.popFrom) {
      $0.path[id: 1] = nil
    }
  }

  /// The screen that was opened from a sheet's screen goes with it, and so do their effects.
  @Test
  func sheetOverTheStackAndBack() async {
    let clock = TestClock()
    let store = self.store(
      path: [
        .recipe(RecipeDetail.State(recipe: self.pancakes)),
        .cooking(Cooking.State(recipe: self.pancakes)),
      ])
    store.dependencies.continuousClock = clock
    await store.send(\.path[id: 1].cooking.task)
    await store.send(\.path[id: 0].recipe.editButtonTapped) {
      $0.path[id: 0, case: \.recipe]?.destination = .edit(
        RecipeForm.State(recipe: self.pancakes))
    }
    await store.send(.path(.popFrom(id: 0))) {
      $0.path = StackState()
    }
    await clock.advance(by: .seconds(5))
  }

  @Test
  func stackInASheetOnTheStack() async {
    let store = self.store(path: [.recipe(RecipeDetail.State(recipe: self.pancakes))])
    store.exhaustivity = .off
    await store.send(\.path[id: 0].recipe.handbookButtonTapped)
    let handbook = \CookbookApp.Action.Cases.path[id: 0].recipe.destination.handbook
    await store.send(handbook.appending(path: \.articleTapped), "Flour") {
      $0.path[id: 0, case: \.recipe]?.destination?.modify(\.handbook) {
        $0.path[id: 1] = Article.State(title: "Flour")
      }
    }
    await store.send(\.path[id: 0].recipe.destination.handbook.path[id: 1].linkTapped, "Wheat") {
      $0.path[id: 0, case: \.recipe]?.destination?.modify(\.handbook) {
        $0.path[id: 2] = Article.State(title: "Wheat")
      }
    }
    await store.send(\.path[id: 0].recipe.destination.handbook.path[id: 2].likeButtonTapped) {
      $0.path[id: 0, case: \.recipe]?.destination?.modify(\.handbook) {
        $0.path[id: 2]?.isLiked = true
      }
    }
    await store.send(\.path[id: 0].recipe.destination.handbook.startOverButtonTapped)
    #expect(store.state.path[id: 0]?.recipe?.destination?.handbook?.path.isEmpty == true)
    await store.send(\.path[id: 0].recipe.destination.dismiss)
    #expect(store.state.path[id: 0, case: \.recipe]?.destination == nil)
  }

  @Test
  func links() async throws {
    let store = self.store()
    store.exhaustivity = .off(showSkippedAssertions: false)
    await store.send(.openURL(URL(string: "cookbook:/pancakes/edit")!)) {
      $0.path[id: 0] = .recipe(
        RecipeDetail.State(
          destination: .edit(RecipeForm.State(recipe: self.pancakes)), recipe: self.pancakes))
    }
    await store.send(.openURL(URL(string: "cookbook:/pancakes/cook")!))
    #expect(store.state.path.count == 2)
    #expect(store.state.path.last?.is(\.cooking) == true)
    await store.send(.openURL(URL(string: "cookbook:/waffles")!)) {
      $0.list.destination = .alert(.unknownLink)
    }
    #expect(store.state.path.count == 2)
  }

  @Test
  func repeatedSteps() async {
    let store = self.store(
      path: [
        .recipe(RecipeDetail.State(destination: .dialog(.more), recipe: self.pancakes))
      ])
    await store.send(\.path[id: 0].recipe.destination.dialog.duplicateSteps) {
      $0.path[id: 0, case: \.recipe]?.recipe.steps = ["Mix", "Fry", "Mix", "Fry"]
      $0.path[id: 0, case: \.recipe]?.destination = nil
    }
    await store.receive(\.path[id: 0].recipe.delegate.changed) {
      $0.list.recipes[id: self.pancakes.id]?.steps = ["Mix", "Fry", "Mix", "Fry"]
    }
  }

  private func store(path: [CookbookApp.Path.State] = []) -> TestStoreOf<CookbookApp> {
    TestStore(
      initialState: CookbookApp.State(
        list: RecipeList.State(recipes: [self.pancakes]), path: StackState(path))
    ) {
      CookbookApp()
    }
  }
}
