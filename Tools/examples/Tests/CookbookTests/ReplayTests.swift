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

    let states = try log.states { CookbookApp().dependency(\.uuid, .incrementing) }
    #expect(states.last == store.state)
    #expect(states.contains { $0.path.first?.recipe?.destination?.handbook?.path.count == 1 })
  }

  /// A live session on every screen: ids and clock are the real ones.
  private func session() async throws -> RecordedSession<CookbookApp> {
    let pancakes = Recipe(id: UUID(9), title: "Pancakes", steps: ["Mix", "Fry"])
    return try await RecordedSession(
      CookbookApp.State(list: RecipeList.State(recipes: [pancakes]))
    ) {
      CookbookApp()
    } withDependencies: {
      $0.continuousClock = TestClock()
    } run: { store in
      // 1 to 4: a recipe is added.
      store.send(.list(.addButtonTapped))
      store.send(.list(.destination(.presented(.add(.set(\.recipe.title, "Soup"))))))
      store.send(.list(.destination(.presented(.add(.addStepButtonTapped)))))
      store.send(.list(.confirmAddButtonTapped))
      // 5 to 8: another one is edited; the change reaches the root.
      store.send(.list(.recipeTapped(id: pancakes.id)))
      let recipe = try #require(store.path.ids.last)
      store.send(.path(.element(id: recipe, action: .recipe(.editButtonTapped))))
      store.send(
        .path(
          .element(
            id: recipe,
            action: .recipe(
              .destination(.presented(.edit(.set(\.recipe.title, "Crêpes"))))))))
      store.send(.path(.element(id: recipe, action: .recipe(.doneEditingButtonTapped))))
      // 10 to 13: it is cooked, while a timer runs that the last step ends.
      store.send(.path(.element(id: recipe, action: .recipe(.startCookingButtonTapped))))
      let cooking = try #require(store.path.ids.last)
      let task = store.send(.path(.element(id: cooking, action: .cooking(.task))))
      store.send(.path(.element(id: cooking, action: .cooking(.ticked))))
      store.send(.path(.element(id: cooking, action: .cooking(.nextStepButtonTapped))))
      await store.send(.path(.element(id: cooking, action: .cooking(.nextStepButtonTapped))))
        .finish()
      await task.finish()
      // Articles, and a link to the form of a recipe.
      store.send(.path(.element(id: recipe, action: .recipe(.handbookButtonTapped))))
      store.send(
        .path(
          .element(
            id: recipe,
            action: .recipe(.destination(.presented(.handbook(.articleTapped("Flour"))))))))
      store.send(.openURL(URL(string: "cookbook:/soup/edit")!))
      store.send(.list(.deleteButtonTapped(id: pancakes.id)))
      store.send(.list(.destination(.presented(.alert(.confirmDeletion(id: pancakes.id))))))
      #expect(store.list.recipes.map(\.title) == ["Soup"])
    }
  }

  @Test
  func aLiveSessionIsReplayed() async throws {
    #expect(try await self.session().differences { CookbookApp() } == [])
  }

  @Test
  func featuresByThemselves() async throws {
    let list = try await RecordedSession(RecipeList.State()) {
      RecipeList()
    } run: { store in
      store.send(.addButtonTapped)
      await store.send(.destination(.presented(.add(.cancelButtonTapped)))).finish()
      #expect(store.destination == nil)
    }
    #expect(try list.differences { RecipeList() } == [])

    let handbook = try await RecordedSession(Handbook.State()) {
      Handbook()
    } run: { store in
      store.send(.articleTapped("Flour"))
      let id = try #require(store.path.ids.last)
      store.send(.path(.element(id: id, action: .linkTapped("Sugar"))))
      store.send(.path(.element(id: id, action: .linkTapped("Flour"))))
      store.send(.path(.element(id: id, action: .likeButtonTapped)))
      store.send(.path(.popFrom(id: try #require(store.path.ids.last))))
      store.send(.startOverButtonTapped)
      store.send(.articleTapped("Salt"))
    }
    #expect(try handbook.differences { Handbook() } == [])

    let cooking = try await RecordedSession(
      Cooking.State(recipe: Recipe(id: UUID(), title: "Tea", steps: ["Boil", "Pour"]))
    ) {
      Cooking()
    } run: { store in
      store.send(.ticked)
      store.send(.nextStepButtonTapped)
    }
    #expect(try cooking.differences { Cooking() } == [])
  }

  @Test
  func mutants() async throws {
    let session = try await self.session()
    func check(
      _ kind: Divergence.Kind, _ action: Int, _ path: String,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ change:
        @escaping (
          inout CookbookApp.State, CookbookApp.Action,
          (inout CookbookApp.State, CookbookApp.Action) -> Effect<CookbookApp.Action>
        ) -> Effect<CookbookApp.Action>
    ) throws {
      let divergence = try session.divergence { CookbookApp().changed(change) }
      let comment = Comment(rawValue: divergence?.description ?? "no divergence")
      #expect(divergence?.kind == kind, comment, sourceLocation: sourceLocation)
      #expect(divergence?.action == action, comment, sourceLocation: sourceLocation)
      #expect(divergence?.path == path, comment, sourceLocation: sourceLocation)
    }
    // A read less, one more, another one.
    try check(.read, 1, "uuid") { state, action, original in
      guard action.is(\.list.addButtonTapped) else { return original(&state, action) }
      state.list.destination = .add(RecipeForm.State(recipe: Recipe(id: UUID(3))))
      return .none
    }
    try check(.read, 4, "uuid") { state, action, original in
      @Dependency(\.uuid) var uuid
      if action.is(\.list.confirmAddButtonTapped) { _ = uuid() }
      return original(&state, action)
    }
    try check(.read, 1, "date") { state, action, original in
      @Dependency(\.date.now) var now
      if action.is(\.list.addButtonTapped) { _ = now }
      return original(&state, action)
    }
    // A branch that is dropped, and other values. What a binding sets is read as it is set.
    try check(.read, 2, "BindingAction.writes") { state, action, original in
      action.is(\.list.destination.presented.add.binding) ? .none : original(&state, action)
    }
    // A later action reads less than it did, where the replay ends before any state: the digest tells
    // the path.
    try check(.state, 4, "list.recipes[1].title") { state, action, original in
      let effect = original(&state, action)
      if action.is(\.list.confirmAddButtonTapped) { state.list.recipes[1].title = "Stew" }
      return effect
    }
    // The screen is gone when the state is recorded again; the digest tells what differed there.
    try check(.state, 13, "path[1].element.cooking._0.seconds") { state, action, original in
      let effect = original(&state, action)
      if let id = state.path.ids.last, state.path[id: id, case: \.cooking]?.seconds == 1 {
        state.path[id: id, case: \.cooking]?.seconds = 2
      }
      return effect
    }
    // Effects: none, one more, another name.
    try check(.effect, 12, "") { state, action, original in
      let effect = original(&state, action)
      guard case .path(.element(id: _, action: .cooking(.task))) = action else { return effect }
      return .none
    }
    try check(.effect, 5, "log") { state, action, original in
      let effect = original(&state, action)
      return action.is(\.list.recipeTapped) ? .merge(effect, .run(name: "log") { _ in }) : effect
    }
    try check(.effect, 12, "timer") { state, action, original in
      let effect = original(&state, action)
      guard case .path(.element(id: _, action: .cooking(.task))) = action else { return effect }
      return .run(name: "timer") { _ in }
    }
  }
}
