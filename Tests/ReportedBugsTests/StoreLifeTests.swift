import ComposableArchitecture
import TestSupport
import Testing

@Reducer
private struct Item {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
  }
  enum Action: Equatable { case tap, work }
  let counter: LockIsolated<Int>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.count += 1
      guard action == .work else { return .none }
      let counted = Counted(counter)
      return .run { _ in
        defer { withExtendedLifetime(counted) {} }
        try await Task.never()
      }
      .cancellable(id: "work", cancelInFlight: true)
    }
  }
}

@Reducer
private struct Screen {
  @ObservableState
  struct State: Equatable {
    var embedded = Item.State()
    @Presents var sheet: Item.State?
    var rows: IdentifiedArrayOf<Item.State> = []
    var path = StackState<Item.State>()
  }
  enum Action: Equatable {
    case show
    case hide
    case setRows(Range<Int>)
    case embedded(Item.Action)
    case sheet(PresentationAction<Item.Action>)
    case rows(IdentifiedActionOf<Item>)
    case path(StackActionOf<Item>)
    case push
    case popAll
  }
  let counter: LockIsolated<Int>

  var body: some ReducerOf<Self> {
    Scope(state: \.embedded, action: \.embedded) { Item(counter: counter) }
    Reduce { state, action in
      switch action {
      case .show: state.sheet = Item.State()
      case .hide: state.sheet = nil
      case .setRows(let ids): state.rows = IdentifiedArray(ids.map { Item.State(id: $0) })
      case .push: state.path.append(Item.State())
      case .popAll: state.path.removeAll()
      default: break
      }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { Item(counter: counter) }
    .forEach(\.rows, action: \.rows) { Item(counter: counter) }
    .forEach(\.path, action: \.path) { Item(counter: counter) }
  }
}

private struct Weak<Object: AnyObject> {
  weak var object: Object?
}

/// How long stores, their children and their effects live.
@MainActor
@Suite(.mainSerialExecutor)
struct StoreLifeTests {
  private let counter = LockIsolated(0)

  private func makeStore() -> StoreOf<Screen> {
    Store(initialState: Screen.State()) { Screen(counter: counter) }
  }

  @Test func storesOfSheetsDoNotPileUp() {
    let store = makeStore()
    var sheets: [Weak<StoreOf<Item>>] = []
    for _ in 0..<1_000 {
      store.send(.show)
      let sheet = store.scope(state: \.sheet, action: \.sheet.presented)
      #expect(sheet != nil)
      sheets.append(Weak(object: sheet))
      store.send(.hide)
    }
    #expect(sheets.allSatisfy { $0.object == nil })
  }

  @Test func storesOfRowsDoNotPileUp() {
    let store = makeStore()
    var rows: [Weak<StoreOf<Item>>] = []
    for round in 0..<200 {
      store.send(.setRows(round * 10..<round * 10 + 10))
      for row in store.scope(state: \.rows, action: \.rows) {
        row.send(.tap)
        rows.append(Weak(object: row))
      }
    }
    store.send(.setRows(0..<0))
    #expect(rows.count == 2_000)
    #expect(rows.allSatisfy { $0.object == nil })
  }

  /// The stores that a parent remembers are few, however many there have been.
  @Test func whatAParentRemembersIsBounded() {
    let store = makeStore()
    for round in 0..<200 {
      store.send(.setRows(round * 10..<round * 10 + 10))
      for row in store.scope(state: \.rows, action: \.rows) { _ = row.count }
      store.send(.show)
      _ = store.scope(state: \.sheet, action: \.sheet.presented)
      store.send(.hide)
    }
    #expect(remembered(by: store) < 100)
  }

  /// Counts what can be reached from the store's table of children.
  private func remembered(by store: StoreOf<Screen>) -> Int {
    func size(_ value: Any, depth: Int) -> Int {
      guard depth > 0 else { return 1 }
      let mirror = Mirror(reflecting: value)
      var count = 1
      for child in mirror.children where !(child.value is StoreOf<Screen>) {
        count += size(child.value, depth: depth - 1)
      }
      return count
    }
    let children = Mirror(reflecting: store).children.first { $0.label == "children" }
    return children.map { size($0.value, depth: 6) } ?? .max
  }

  @Test func parentAndChildAreFreed() {
    weak var weakParent: StoreOf<Screen>?
    weak var weakChild: StoreOf<Item>?
    weak var weakSheet: StoreOf<Item>?
    weak var weakRow: StoreOf<Item>?
    do {
      let parent = makeStore()
      parent.send(.show)
      parent.send(.setRows(0..<1))
      let child = parent.scope(state: \.embedded, action: \.embedded)
      let sheet = parent.scope(state: \.sheet, action: \.sheet.presented)
      let row = parent.scope(state: \.rows, action: \.rows)[0]
      (weakParent, weakChild, weakSheet, weakRow) = (parent, child, sheet, row)
      child.send(.tap)
      sheet?.send(.tap)
      row.send(.tap)
      withObservationTracking {
        _ = (parent.embedded.count, child.count, sheet?.count, row.count)
      } onChange: {
      }
    }
    #expect(weakParent == nil)
    #expect(weakChild == nil)
    #expect(weakSheet == nil)
    #expect(weakRow == nil)
  }

  @Test func aChildThatIsHeldWorksWithoutItsParent() {
    weak var weakParent: StoreOf<Screen>?
    let child: StoreOf<Item>
    do {
      let parent = makeStore()
      weakParent = parent
      child = parent.scope(state: \.embedded, action: \.embedded)
    }
    child.send(.tap)
    #expect(child.count == 1)
    child.send(.tap)
    #expect(child.count == 2)
    #expect(weakParent == nil)
  }

  /// A store of a part is a view of it: when it goes, the part and its effects stay.
  @Test func effectsOutliveTheStoresOfParts() async {
    let store = makeStore()
    store.send(.show)
    store.send(.setRows(0..<1))
    do {
      // First: it is at its parent's place, so that it cancels what has its id below.
      store.scope(state: \.embedded, action: \.embedded).send(.work)
      store.scope(state: \.sheet, action: \.sheet.presented)?.send(.work)
      store.scope(state: \.rows, action: \.rows)[0].send(.work)
    }
    await settle()
    #expect(counter.value == 3)
    #expect(store.sheet?.count == 1)
  }

  @Test func effectsAreFreedWithTheirStore() async {
    do {
      let store = makeStore()
      store.send(.show)
      store.send(.setRows(0..<5))
      store.send(.push)
      store.send(.embedded(.work))
      store.send(.sheet(.presented(.work)))
      for id in 0..<5 { store.send(.rows(.element(id: id, action: .work))) }
      for id in store.now.path.ids { store.send(.path(.element(id: id, action: .work))) }
      await settle()
      #expect(counter.value == 8)
    }
    await turn { counter.value == 0 }
    #expect(counter.value == 0)
  }

  @Test func effectsAreFreedWithTheirFeature() async {
    let store = makeStore()
    for round in 0..<50 {
      store.send(.show)
      store.send(.setRows(round * 3..<round * 3 + 3))
      store.send(.push)
      store.send(.sheet(.presented(.work)))
      for id in round * 3..<round * 3 + 3 {
        store.send(.rows(.element(id: id, action: .work)))
      }
      for id in store.now.path.ids { store.send(.path(.element(id: id, action: .work))) }
      store.send(.hide)
      store.send(.setRows(0..<0))
      store.send(.popAll)
      await turn { counter.value == 0 }
      #expect(counter.value == 0)
    }
  }

  /// No growth of memory over many sends, scopes and cancellations, in a process of its own.
  @Test func memoryDoesNotGrow() throws {
    let outcome = try Program("strain").run(["soak", "1000"])
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("soak 1000: "))
    #expect(outcome.output.hasSuffix("bounded\n"))
    #expect(outcome.status == 0)
  }

  /// A state of 16 KiB below twelve features fits a small stack, unoptimised too.
  @Test func aLargeStateDeepInTheTreeNeedsLittleStack() throws {
    let outcome = try Program("strain").run(["deep"], stackLimit: 1_024)
    #expect(outcome.errors == "")
    #expect(outcome.output == "deep 3\n")
    #expect(outcome.status == 0)
  }
}

@Reducer
private struct Texts {
  @CasePathable
  @ObservableState
  enum State: Equatable {
    case text(String)
    case empty
  }
  enum Action { case set(String) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .set(let text) = action { state = .text(text) }
      return .none
    }
  }
}

/// What observers of a state that is an enum are told.
@MainActor
@Suite
struct EnumObservationTests {
  @Test func aChangeOfThePayloadAloneIsTold() {
    let store = Store(initialState: Texts.State.empty) { Texts() }
    for text in ["a", "ab", "ab2"] {
      let isTold = LockIsolated(false)
      withObservationTracking {
        _ = store.state
      } onChange: {
        isTold.setValue(true)
      }
      store.send(.set(text))
      #expect(isTold.value)
      #expect(store.state == .text(text))
    }
  }
}
