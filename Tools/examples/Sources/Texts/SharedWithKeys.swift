import ComposableArchitecture
import Foundation

// "Shared state": values that are kept in memory, in the user's defaults and in files.

enum InMemoryShared {
  @Reducer
  struct ChildFeature {
    @ObservableState
    struct State: Equatable {
      @Shared(.inMemory("count")) var count = 0
    }
    enum Action {
      case incrementButtonTapped
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .incrementButtonTapped:
          state.$count.withLock { $0 += 1 }
          return .none
        }
      }
    }
  }
}

/// Two features with the same key, under one parent.
@Reducer
struct ParentFeature {
  @ObservableState
  struct State: Equatable {
    var feature1 = Feature1.State()
    var feature2 = Feature2.State()
  }
  enum Action {
    case feature1(Feature1.Action)
    case feature2(Feature2.Action)
  }
  var body: some ReducerOf<Self> {
    Scope(state: \.feature1, action: \.feature1) { Feature1() }
    Scope(state: \.feature2, action: \.feature2) { Feature2() }
  }
}

@Reducer
struct Feature1 {
  struct State: Equatable {
    @Shared(.appStorage("count")) var count = 0
  }
  enum Action {
    case buttonTapped
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .buttonTapped:
        state.$count.withLock { $0 += 1 }
        return .none
      }
    }
  }
}

@Reducer
struct Feature2 {
  struct State: Equatable {
    @Shared(.appStorage("count")) var count = 0
  }
  enum Action {
    case buttonTapped
  }
  var body: some ReducerOf<Self> {
    EmptyReducer()
  }
}

// Keys with a type.

struct User: Codable, Equatable, Identifiable {
  var id: Int
  var name: String
}

extension URL {
  static let users = URL.documentsDirectory.appending(component: "users.json")
  static let currentUser = URL.documentsDirectory.appending(component: "current-user.json")
  static let todos = URL.documentsDirectory.appending(component: "todos.json")
}

extension SharedReaderKey where Self == FileStorageKey<IdentifiedArrayOf<User>>.Default {
  static var users: Self {
    Self[.fileStorage(.users), default: []]
  }
}

extension SharedReaderKey where Self == FileStorageKey<User> {
  static var currentUser: Self {
    fileStorage(.currentUser)
  }
}

extension SharedReaderKey where Self == InMemoryKey<IdentifiedArrayOf<User>> {
  static var usersInMemory: Self {
    inMemory("users")
  }
}

extension SharedReaderKey where Self == AppStorageKey<Int> {
  static var count: Self {
    appStorage("count")
  }
}

struct Todo: Codable, Equatable, Identifiable {
  var id: UUID
  var title = ""
}

/// A list of todos, and the form of one of them, which shares that element only.
@Reducer
struct TodosFeature {
  @ObservableState
  struct State: Equatable {
    @Shared(.fileStorage(.todos)) var todos: IdentifiedArrayOf<Todo> = []
    @SharedReader(.appStorage("isOn")) var isOn = false
    @Presents var form: TodoForm.State?
  }
  enum Action {
    case addButtonTapped
    case todoTapped(id: Todo.ID)
    case form(PresentationAction<TodoForm.Action>)
  }
  @Dependency(\.uuid) var uuid
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        _ = state.$todos.withLock { $0.append(Todo(id: self.uuid())) }
        return .none
      case .todoTapped(let todoID):
        guard let todo = Shared(state.$todos[id: todoID])
        else { return .none }
        state.form = TodoForm.State(todo: todo)
        return .none
      case .form:
        return .none
      }
    }
    .ifLet(\.$form, action: \.form) {
      TodoForm()
    }
  }
}

@Reducer
struct TodoForm {
  @ObservableState
  struct State: Equatable {
    @Shared var todo: Todo
  }
  enum Action {
    case titleChanged(String)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .titleChanged(let title):
        state.$todo.withLock { $0.title = title }
        return .none
      }
    }
  }
}

/// A part of a stored value, presented by one of several destinations.
@Reducer
struct AccountFeature {
  @Reducer
  enum Destination {
    case editName(EditNameFeature)
  }

  @ObservableState
  struct State {
    @Shared(.currentUser) var currentUser = User(id: 1, name: "Blob")
    @Presents var destination: Destination.State?
  }
  enum Action {
    case editNameButtonTapped
    case destination(PresentationAction<Destination.Action>)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .editNameButtonTapped:
        state.destination = .editName(
          EditNameFeature.State(name: state.$currentUser.name)
        )
        return .none
      case .destination:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension AccountFeature.State: Equatable {}
extension AccountFeature.Destination.State: Equatable {}

@Reducer
struct EditNameFeature {
  @ObservableState
  struct State: Equatable {
    @Shared var name: String
  }
  enum Action {
    case nameChanged(String)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .nameChanged(let name):
        state.$name.withLock { $0 = name }
        return .none
      }
    }
  }
}

// Encoding a state with a shared value.

struct AppState: Equatable {
  @Shared(.appStorage("launchCount")) var launchCount = 0
  var todos: [String] = []
}

extension AppState: Codable {
  enum CodingKeys: String, CodingKey { case todos }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)

    // The wrapper loads its value by itself …
    try self.init(
      todos: container.decode([String].self, forKey: .todos)
    )

    // … or is told what to load.
    self._launchCount = Shared(wrappedValue: 0, .appStorage("launchCount"))
    self.todos = try container.decode([String].self, forKey: .todos)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.todos, forKey: .todos)
    // The launch count is stored elsewhere.
  }
}
