import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

@Reducer
private struct Child {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
    var isPresented: Bool?
    @Presents var grandchild: Grandchild.State?
  }
  enum Action: Equatable {
    case tap
    case forever
    case stopped
    case close
    case save
    case saved
    case look
    case grandchild(PresentationAction<Grandchild.Action>)
  }
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.isPresented) var isPresented
  let cancelled: LockIsolated<[Int]>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap:
        state.count += 1
        return .none
      case .forever:
        return .run { [id = state.id] _ in
          defer { cancelled.withValue { $0.append(id) } }
          try await Task.never()
        }
      case .close:
        return .run { _ in await dismiss() }
      case .save:
        return .run { send in await send(.saved) }
      case .saved:
        return .run { _ in await dismiss() }
      case .look:
        state.isPresented = isPresented
        return .none
      case .stopped, .grandchild:
        return .none
      }
    }
    .ifLet(\.$grandchild, action: \.grandchild) { Grandchild(cancelled: cancelled) }
  }
}

@Reducer
private struct Grandchild {
  @ObservableState
  struct State: Equatable { var count = 0 }
  enum Action: Equatable {
    case forever
    case close
  }
  @Dependency(\.dismiss) var dismiss
  let cancelled: LockIsolated<[Int]>

  var body: some ReducerOf<Self> {
    Reduce { _, action in
      switch action {
      case .forever:
        return .run { _ in
          defer { cancelled.withValue { $0.append(100) } }
          try await Task.never()
        }
      case .close:
        return .run { _ in await dismiss() }
      }
    }
  }
}

@Reducer
private struct Parent {
  @ObservableState
  struct State: Equatable {
    @Presents var child: Child.State?
    var embedded = Child.State()
    var log: [String] = []
  }
  enum Action: Equatable {
    case present(Int)
    case closeEarly
    case closeLate
    case child(PresentationAction<Child.Action>)
    case embedded(Child.Action)
  }
  var cancelled = LockIsolated<[Int]>([])

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .closeEarly = action { state.child = nil }
      return .none
    }
    Scope(state: \.embedded, action: \.embedded) { Child(cancelled: cancelled) }
    Reduce { state, action in
      switch action {
      case .present(let id): state.child = Child.State(id: id)
      case .closeLate: state.child = nil
      case .child(.dismiss): state.log.append("dismiss \(state.child == nil)")
      case .child(.presented(.tap)): state.log.append("tap \(state.child?.count ?? -1)")
      default: break
      }
      return .none
    }
    .ifLet(\.$child, action: \.child) { Child(cancelled: cancelled) }
  }
}

/// How `ifLet` presents a child, runs it, and lets it go.
@MainActor
@Suite(.mainSerialExecutor)
struct PresentationTests {
  private func makeStore() -> (StoreOf<Parent>, LockIsolated<[Int]>) {
    let cancelled = LockIsolated<[Int]>([])
    return (Store(initialState: Parent.State()) { Parent(cancelled: cancelled) }, cancelled)
  }

  @Test func theChildRunsBeforeTheParent() {
    let (store, _) = makeStore()
    store.send(.present(1))
    store.send(.child(.presented(.tap)))
    #expect(store.now.child?.count == 1)
    #expect(store.now.log == ["tap 1"])
  }

  @Test func dismissalComesAfterTheParent() {
    let (store, _) = makeStore()
    store.send(.present(1))
    store.send(.child(.dismiss))
    #expect(store.now.child == nil)
    #expect(store.now.log == ["dismiss false"])
  }

  @Test func theChildDismissesItself() async {
    let (store, _) = makeStore()
    for _ in 1...3 {
      store.send(.present(1))
      await store.send(.child(.presented(.close))).finish()
      #expect(store.now.child == nil)
    }
    #expect(store.now.log == Array(repeating: "dismiss false", count: 3))
  }

  @Test func dismissalFromTheSecondOfTwoEffects() async {
    let (store, _) = makeStore()
    store.send(.present(1))
    await store.send(.child(.presented(.save))).finish()
    #expect(store.now.child == nil)
  }

  @Test func theInnermostFeatureIsDismissed() async {
    let (store, _) = makeStore()
    store.send(.present(1))
    store.send(.child(.presented(.tap)))
    let withGrandchild = Store(
      initialState: Parent.State(child: Child.State(grandchild: Grandchild.State()))
    ) { Parent() }
    await withGrandchild.send(.child(.presented(.grandchild(.presented(.close))))).finish()
    #expect(withGrandchild.now.child != nil)
    #expect(withGrandchild.now.child?.grandchild == nil)
  }

  @Test(arguments: ["dismiss", "early", "late", "other"])
  func effectsEndWithTheChild(how: String) async {
    let (store, cancelled) = makeStore()
    store.send(.present(1))
    let task = store.send(.child(.presented(.forever)))
    await turn(limit: 20)
    #expect(cancelled.value == [])
    store.send(.child(.presented(.tap)))
    #expect(cancelled.value == [])
    switch how {
    case "dismiss": store.send(.child(.dismiss))
    case "early": store.send(.closeEarly)
    case "late": store.send(.closeLate)
    default: store.send(.present(2))
    }
    await task.finish()
    #expect(cancelled.value == [1])
    #expect(store.now.$child.wrappedValue?.id == (how == "other" ? 2 : nil))
  }

  @Test func effectsOfTwoLayersEndTogether() async {
    let cancelled = LockIsolated<[Int]>([])
    let store = Store(
      initialState: Parent.State(child: Child.State(grandchild: Grandchild.State()))
    ) { Parent(cancelled: cancelled) }
    let first = store.send(.child(.presented(.forever)))
    let second = store.send(.child(.presented(.grandchild(.presented(.forever)))))
    await turn(limit: 20)
    store.send(.closeLate)
    await first.finish()
    await second.finish()
    #expect(cancelled.value.sorted() == [0, 100])
  }

  @Test func anAbsentChildIsAnIssue() {
    let (store, _) = makeStore()
    let issues = Issues()
    withIssueReporters([issues]) { _ = store.send(.child(.presented(.tap))) }
    #expect(issues.all.count == 1)
    #expect(
      issues.firstLines.first?.hasSuffix(
        "received a presentation action when destination state was absent. …") == true)
    #expect(issues.all.first?.contains("Parent.Action.child(.presented(.tap))") == true)
    #expect(store.now.log == ["tap -1"])
  }

  @Test func dismissOutsideOfAPresentationIsAnIssue() async {
    let (store, _) = makeStore()
    let issues = Issues()
    await withIssueReporters([issues]) { await store.send(.embedded(.close)).finish() }
    #expect(issues.all.count == 1)
    #expect(issues.firstLines.first?.hasPrefix("A reducer requested dismissal at ") == true)
    #expect(issues.firstLines.first?.hasSuffix(", but couldn't be dismissed. …") == true)
  }

  @Test func isPresentedTellsWhetherAnIfLetIsAround() {
    let (store, _) = makeStore()
    store.send(.embedded(.look))
    store.send(.present(1))
    store.send(.child(.presented(.look)))
    #expect(store.now.embedded.isPresented == false)
    #expect(store.now.child?.isPresented == true)
  }
}
