import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

@Reducer
private struct Sheet {
  @ObservableState
  struct State: Equatable {
    var text = ""
    var ticks = 0
  }
  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
    case start
    case tick
    case close
  }
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding: return .none
      case .start:
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
        }
      case .tick:
        state.ticks += 1
        return .none
      case .close:
        return .run { _ in await dismiss() }
      }
    }
  }
}

/// An element of a stack that presents a sheet.
@Reducer
private struct Screen {
  @ObservableState
  struct State: Equatable {
    @Presents var sheet: Sheet.State?
    var ticks = 0
  }
  enum Action: Equatable {
    case sheet(PresentationAction<Sheet.Action>)
    case open
    case start
    case tick
  }
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open: state.sheet = Sheet.State()
      case .tick: state.ticks += 1
      case .start:
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
        }
      case .sheet: break
      }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { Sheet() }
  }
}

@Reducer
private struct App {
  @ObservableState
  struct State: Equatable {
    var path = StackState<Screen.State>()
    @Presents var sheet: Sheet.State?
    var child = Sheet.State()
    var isClosing = false
  }
  enum Action: Equatable {
    case path(StackActionOf<Screen>)
    case sheet(PresentationAction<Sheet.Action>)
    case child(Sheet.Action)
    case open
    case close
  }
  let log: LockIsolated<[Action]>

  var body: some ReducerOf<Self> {
    // Stands outside of what presents the sheet.
    Reduce { state, action in
      log.withValue { $0.append(action) }
      if action == .close { state.sheet = nil }
      return .none
    }
    Reduce { state, action in
      if action == .open { state.sheet = Sheet.State() }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { Sheet() }
    .forEach(\.path, action: \.path) { Screen() }
    // `child` is not embedded.
  }
}

/// Features that come and go, in a live store.
@MainActor
@Suite(.mainSerialExecutor)
struct NavigationTests {
  private let clock = TestClock()
  private let log = LockIsolated<[App.Action]>([])

  private func makeStore() -> StoreOf<App> {
    Store(initialState: App.State()) {
      App(log: log)
    } withDependencies: {
      $0.continuousClock = clock
      $0.stackElementID = .incrementing
    }
  }

  @Test func aTimerEndsWithAFeatureThatSomeoneElseCloses() async {
    let store = makeStore()
    store.send(.open)
    store.send(.sheet(.presented(.start)))
    await settle()
    await clock.advance(by: .seconds(2))
    #expect(store.sheet?.ticks == 2)
    store.send(.close)
    log.setValue([])
    await clock.advance(by: .seconds(10))
    #expect(log.value == [])
    #expect(store.sheet == nil)
  }

  @Test func dismissalWorksEachTime() async {
    let store = makeStore()
    for _ in 1...3 {
      log.setValue([])
      store.send(.open)
      await store.send(.sheet(.presented(.close))).finish()
      #expect(store.sheet == nil)
      #expect(log.value == [.open, .sheet(.presented(.close)), .sheet(.dismiss)])
    }
  }

  @Test func aStackElementWithASheetSendsNoMoreThanItsActions() async {
    let store = makeStore()
    store.send(.path(.push(id: 0, state: Screen.State())))
    store.send(.path(.element(id: 0, action: .start)))
    store.send(.path(.element(id: 0, action: .open)))
    store.send(.path(.element(id: 0, action: .sheet(.presented(.start)))))
    await settle()
    await clock.advance(by: .seconds(1))
    #expect(store.path[id: 0] == Screen.State(sheet: Sheet.State(ticks: 1), ticks: 1))
    log.setValue([])
    store.send(.path(.popFrom(id: 0)))
    await settle()
    await clock.advance(by: .seconds(10))
    #expect(store.path.isEmpty)
    #expect(log.value == [.path(.popFrom(id: 0))])
  }

  @Test func aWriteToAFeatureThatIsNotEmbeddedIsAnIssue() async {
    let store = makeStore()
    let issues = await issues {
      let child = store.scope(state: \.child, action: \.child)
      child.text = "a"
      log.setValue([])
    }
    #expect(store.child.text == "")
    #expect(issues.firstLines == ["A binding action sent from a store was not handled. …"])
    #expect(issues.all.first?.contains(#"Sheet.Action.binding(.set(_, "a"))"#) == true)
    #expect(issues.all.first?.contains("the feature is not embedded in its parent's body") == true)
  }

  @Test func anUnhandledWriteIsReportedOnceItsActionHasGone() async {
    let store = makeStore()
    let issues = await issues {
      store.scope(state: \.child, action: \.child).text = "a"
      #expect(log.value.count == 1)
    }
    // The log still holds the action.
    #expect(issues.all == [])
    let later = await ReportedBugsTests.issues { log.setValue([]) }
    #expect(later.all.count == 1)
  }
}
