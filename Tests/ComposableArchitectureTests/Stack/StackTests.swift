import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

@Reducer
private struct Screen {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var isPresented: Bool?
    @Presents var sheet: Sheet.State?
  }
  enum Action: Equatable {
    case tap
    case forever
    case close
    case look
    case openSheet
    case sheet(PresentationAction<Sheet.Action>)
  }
  let ended: LockIsolated<[String]>
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.isPresented) var isPresented

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap:
        state.count += 1
        return .none
      case .forever:
        return .run { [count = state.count] _ in
          defer { ended.withValue { $0.append("screen \(count)") } }
          try await Task.never()
        }
      case .close:
        return .run { _ in await dismiss() }
      case .look:
        state.isPresented = isPresented
        return .none
      case .openSheet:
        state.sheet = Sheet.State()
        return .none
      case .sheet:
        return .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) { Sheet(ended: ended) }
  }
}

@Reducer
private struct Sheet {
  @ObservableState
  struct State: Equatable {}
  enum Action: Equatable { case forever, close }
  let ended: LockIsolated<[String]>
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { _, action in
      switch action {
      case .forever:
        return .run { _ in
          defer { ended.withValue { $0.append("sheet") } }
          try await Task.never()
        }
      case .close:
        return .run { _ in await dismiss() }
      }
    }
  }
}

@Reducer
private struct App {
  @ObservableState
  struct State: Equatable {
    var path = StackState<Screen.State>()
    var log: [String] = []
  }
  enum Action: Equatable {
    case path(StackAction<Screen.State, Screen.Action>)
    case append
    case removeFirst
    case removeAll
  }
  var ended = LockIsolated<[String]>([])

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .path(.element(let id, .tap)):
        state.log.append("tap \(id) \(state.path[id: id]?.count ?? -1)")
      case .path(.popFrom(let id)):
        state.log.append("pop \(id) of \(state.path.count)")
      case .path(.push(let id, _)):
        state.log.append("push \(id), now \(state.path.count)")
      case .append: state.path.append(Screen.State())
      case .removeFirst: state.path.removeFirst()
      case .removeAll: state.path.removeAll()
      default: break
      }
      return .none
    }
    .forEach(\.path, action: \.path) { Screen(ended: ended) }
  }
}

/// Features on a stack.
@MainActor
@Suite(.mainSerialExecutor)
struct StackTests {
  private func makeStore(count: Int = 0) -> (StoreOf<App>, LockIsolated<[String]>) {
    let ended = LockIsolated<[String]>([])
    let store = Store(initialState: App.State()) {
      App(ended: ended)
    } withDependencies: {
      $0.stackElementID = .incrementing
    }
    for _ in 0..<count { store.send(.append) }
    return (store, ended)
  }

  @Test func elementsRunBeforeTheParent() {
    let (store, _) = makeStore(count: 2)
    store.send(.path(.element(id: 1, action: .tap)))
    #expect(store.now.path.map(\.count) == [0, 1])
    #expect(store.now.log == ["tap #1 1"])
  }

  @Test func pushAndPop() {
    let (store, _) = makeStore()
    for id in 0..<3 {
      store.send(.path(.push(id: StackElementID(integerLiteral: id), state: Screen.State())))
    }
    store.send(.path(.popFrom(id: 1)))
    #expect(store.now.path.ids == [0])
    #expect(
      store.now.log == ["push #0, now 1", "push #1, now 2", "push #2, now 3", "pop #1 of 3"])
    store.send(.append)
    #expect(store.now.path.ids == [0, 3])
  }

  @Test func anElementDismissesItself() async {
    let (store, _) = makeStore(count: 3)
    store.send(.path(.element(id: 1, action: .look)))
    #expect(store.now.path[id: 1]?.isPresented == true)
    await store.send(.path(.element(id: 1, action: .close))).finish()
    #expect(store.now.path.ids == [0])
    #expect(store.now.log == ["pop #1 of 3"])
  }

  @Test func effectsEndWithTheirElement() async {
    let (store, ended) = makeStore(count: 2)
    store.send(.path(.element(id: 1, action: .tap)))
    let first = store.send(.path(.element(id: 0, action: .forever)))
    let second = store.send(.path(.element(id: 1, action: .forever)))
    await turn(limit: 20)
    store.send(.removeFirst)
    await first.finish()
    #expect(ended.value == ["screen 0"])
    store.send(.path(.popFrom(id: 1)))
    await second.finish()
    #expect(ended.value == ["screen 0", "screen 1"])
  }

  @Test func aSheetOfAnElementEndsWithIt() async {
    let (store, ended) = makeStore(count: 1)
    store.send(.path(.element(id: 0, action: .openSheet)))
    await store.send(.path(.element(id: 0, action: .sheet(.presented(.close))))).finish()
    #expect(store.now.path[id: 0]?.sheet == nil)
    store.send(.path(.element(id: 0, action: .openSheet)))
    let task = store.send(.path(.element(id: 0, action: .sheet(.presented(.forever)))))
    await turn(limit: 20)
    store.send(.path(.popFrom(id: 0)))
    await task.finish()
    #expect(ended.value == ["sheet"])
    #expect(store.now.path.isEmpty)
  }

  @Test func mistakesAreIssues() {
    let (store, _) = makeStore(count: 1)
    let issues = Issues()
    withIssueReporters([issues]) {
      store.send(.path(.element(id: 5, action: .tap)))
      store.send(.path(.popFrom(id: 6)))
      store.send(.path(.push(id: 0, state: Screen.State(count: 9))))
      store.send(.path(.push(id: 8, state: Screen.State(count: 8))))
    }
    let texts = [
      "received an action for a missing element. …",
      "received a \"popFrom\" action for a missing element. …",
      "received a \"push\" action for an element it already contains. …",
      "received a \"push\" action with an unexpected generational ID. …",
    ]
    #expect(issues.all.count == 4)
    for (line, text) in zip(issues.firstLines, texts) {
      #expect(line.hasPrefix("A \"forEach\" at \""))
      #expect(line.hasSuffix(text))
    }
    #expect(issues.all[1].contains("ID:\n    #6\n  Path IDs:\n    [#0]"))
    // The parent ran each time.
    #expect(store.now.log.count == 4)
    #expect(store.now.path.map(\.count) == [0, 8])
  }
}
