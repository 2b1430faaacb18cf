import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import Testing

@testable import Texts

@MainActor
@Suite(.dependencies)
struct SharedKeyTests {
  @Test
  func inMemory() async {
    let store = TestStore(initialState: InMemoryShared.ChildFeature.State()) {
      InMemoryShared.ChildFeature()
    }
    await store.send(.incrementButtonTapped) {
      $0.$count.withLock { $0 = 1 }
    }
    @Shared(.inMemory("count")) var count = 0
    #expect(count == 1)
  }

  @Test
  func override() async {
    @Shared(.appStorage("count")) var count = 42
    let store = TestStore(initialState: ParentFeature.State()) {
      ParentFeature()
    }
    #expect(store.state.feature1.count == 42)
    #expect(store.state.feature2.count == 42)
  }

  @Test
  func assertThroughOneFeature() async {
    let store = TestStore(initialState: ParentFeature.State()) {
      ParentFeature()
    }
    await store.send(.feature1(.buttonTapped)) {
      $0.feature1.$count.withLock { $0 = 1 }
    }
    #expect(store.state.feature2.count == 1)
  }

  @Test
  func assertThroughAReferenceOfTheTest() async {
    @Shared(.appStorage("count")) var count = 0
    let store = TestStore(initialState: ParentFeature.State()) {
      ParentFeature()
    }
    await store.send(.feature1(.buttonTapped)) { _ in
      $count.withLock { $0 = 1 }
    }
    @SharedReader(.count) var sameCount = 0
    #expect(sameCount == 1)
  }

  @Test
  func elementOfACollection() async {
    let store = TestStore(initialState: TodosFeature.State()) {
      TodosFeature()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(.addButtonTapped) {
      $0.$todos.withLock { $0 = [Todo(id: UUID(0))] }
    }
    await store.send(.todoTapped(id: UUID(0))) {
      $0.form = TodoForm.State(todo: Shared($0.$todos[id: UUID(0)])!)
    }
    await store.send(\.form.titleChanged, "Milk") {
      $0.$todos.withLock { $0[id: UUID(0)]?.title = "Milk" }
    }
    await store.send(\.form.dismiss) {
      $0.form = nil
    }
    await store.send(.todoTapped(id: UUID(9)))
  }

  @Test
  func partOfAStoredValue() async {
    let store = TestStore(initialState: AccountFeature.State()) {
      AccountFeature()
    }
    await store.send(.editNameButtonTapped) {
      $0.destination = .editName(EditNameFeature.State(name: $0.$currentUser.name))
    }
    await store.send(\.destination.editName.nameChanged, "Blob, Jr.") {
      $0.$currentUser.withLock { $0.name = "Blob, Jr." }
    }
    #expect(store.state.currentUser.name == "Blob, Jr.")
  }

  @Test
  func keysWithTypes() {
    @Shared(.users) var users
    $users.withLock { $0 = [User(id: 1, name: "Blob")] }
    @Shared(.users) var sameUsers
    #expect(sameUsers[id: 1]?.name == "Blob")
    @Shared(.usersInMemory) var others: IdentifiedArrayOf<User> = []
    #expect(others.isEmpty)
  }

  @Test
  func customKey() {
    @Shared(.custom("size")) var size = 12
    $size.withLock { $0 = 13 }
    @Shared(.custom("size")) var sameSize = 99
    #expect(sameSize == 13)
    @Dependency(Vault.self) var vault
    #expect(vault.values.value["size"] as? Int == 13)
  }

  @Test
  func readOnlyKey() {
    @SharedReader(.remoteConfig) var remoteConfig
    #expect(remoteConfig.showsBanner)
  }

  @Test
  func encodingLeavesSharedValuesOut() throws {
    var state = AppState(todos: ["a"])
    state.$launchCount.withLock { $0 = 5 }
    state.todos.append("b")
    let data = try JSONEncoder().encode(state)
    #expect(String(decoding: data, as: UTF8.self) == #"{"todos":["a","b"]}"#)
    let decoded = try JSONDecoder().decode(AppState.self, from: data)
    #expect(decoded == state)
  }

  @Test
  func storageOfAnEntryPoint() throws {
    let suiteName = "\(NSTemporaryDirectory())\(UUID().uuidString)"
    let store = Store(initialState: ParentFeature.State()) {
      ParentFeature()
    } withDependencies: {
      $0.defaultAppStorage = UserDefaults(
        suiteName: suiteName
      )!
      $0.defaultFileStorage = .inMemory
    }
    store.send(.feature1(.buttonTapped))
    #expect(store.feature1.count == 1)
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    #expect(defaults.integer(forKey: "count") == 1)
    defaults.removePersistentDomain(forName: suiteName)
  }
}
