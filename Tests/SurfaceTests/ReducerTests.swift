import ComposableArchitecture
import Foundation
import Testing

/// Reducers, their builder and their operators.
@MainActor
struct ReducerTests {
  /// Counts with a `reduce` of its own and no body.
  struct OldSpelling: Reducer {
    let step: Int
    func reduce(into state: inout Int, action: Bool) -> Effect<Bool> {
      state += action ? self.step : -self.step
      return .none
    }
  }

  struct NewSpelling: Reducer {
    func _reduce(into state: inout Int, action: Bool) -> Effect<Bool> {
      state += 100
      return .none
    }
  }

  @Test func bothSpellingsOfReduceCallEachOther() {
    var state = 0
    _ = OldSpelling(step: 1)._reduce(into: &state, action: true)
    _ = NewSpelling().reduce(into: &state, action: true)
    _ = Reduce(OldSpelling(step: 10)).reduce(into: &state, action: true)
    #expect(state == 111)
  }

  @ReducerBuilder<Int, Bool>
  private func statements(isOn: Bool, extra: OldSpelling?) -> some Reducer<Int, Bool> {
    if isOn {
      OldSpelling(step: 1)
    } else {
      NewSpelling()
    }
    if let extra { extra }
    for step in [1_000, 2_000] { OldSpelling(step: step) }
    if #available(macOS 14, *) { OldSpelling(step: 10_000) }
    OldSpelling?.none
    CombineReducers {
      OldSpelling(step: 100_000)
      EmptyReducer()
    }
  }

  @Test(arguments: [(true, nil, 113_001), (false, 10, 113_110)])
  func everyStatementOfABody(isOn: Bool, extra: Int?, expected: Int) {
    var state = 0
    let reducer = self.statements(isOn: isOn, extra: extra.map(OldSpelling.init))
    _ = reducer._reduce(into: &state, action: true)
    #expect(state == expected)
  }

  @ReducerBuilder<Int, Bool>
  private func hidden(_ reducer: any Reducer<Int, Bool>) -> some Reducer<Int, Bool> {
    reducer
    OldSpelling(step: 1)
  }

  @Test func anExistentialInABody() {
    var state = 0
    _ = self.hidden(NewSpelling())._reduce(into: &state, action: true)
    #expect(state == 101)
  }

  @ReducerBuilder<Int, Bool>
  private var nothing: some Reducer<Int, Bool> {}

  @Test func anEmptyBody() {
    var state = 1
    _ = self.nothing._reduce(into: &state, action: true)
    #expect(state == 1)
  }

  @Test func resultTypesCanBeNamed() {
    let base = OldSpelling(step: 1)
    let sequence: ReducerBuilder<Int, Bool>._Sequence<OldSpelling, NewSpelling> =
      ReducerBuilder.buildPartialBlock(
        accumulated: ReducerBuilder<Int, Bool>.buildPartialBlock(first: base), next: NewSpelling())
    let choice: ReducerBuilder<Int, Bool>._Conditional<OldSpelling, NewSpelling> =
      ReducerBuilder.buildEither(first: base)
    let written: _DependencyKeyWritingReducer<OldSpelling> = base.dependency(\.uuid, .incrementing)
    let printed: _PrintChangesReducer<OldSpelling> = base._printChanges(nil)
    var state = 0
    _ = sequence._reduce(into: &state, action: true)
    _ = choice._reduce(into: &state, action: true)
    _ = written._reduce(into: &state, action: true)
    _ = printed._reduce(into: &state, action: true)
    #expect(state == 104)
  }

  // MARK: - Operators

  struct Place: Sendable, TestDependencyKey {
    var name = "nowhere"
    static let testValue = Place()
  }

  struct Reader: Reducer {
    @Dependency(\.date.now) var now
    @Dependency(Place.self) var place

    func reduce(into state: inout [String], action: Void) -> Effect<Void> {
      state.append("\(self.place.name) \(Int(self.now.timeIntervalSince1970))")
      return .none
    }
  }

  @Test func theInnermostDependencyWins() {
    let store = Store<[String], Void>(initialState: []) {
      Reader()
        .dependency(\.date, .constant(Date(timeIntervalSince1970: 1)))
        .dependency(\.date, .constant(Date(timeIntervalSince1970: 2)))
        .dependency(Place(name: "home"))
      Reader()
        .dependency(Place(name: "away"))
        .transformDependency(\.date) { $0 = .constant(Date(timeIntervalSince1970: 3)) }
        .transformDependency(\.self) { $0.date = .constant(Date(timeIntervalSince1970: 4)) }
    }
    store.send(())
    #expect(store.withState(\.self) == ["home 1", "away 3"])
  }

  @Test func changesArePrintedByAnyPrinter() async {
    let lines = LockIsolated<[String]>([])
    let printer = _ReducerPrinter<Int, Bool>(
      printChange: { action, old, new in
        let line = "\(action): \(old) -> \(new)"
        lines.withValue { $0.append(line) }
      }, queue: DispatchQueue(label: "lines"))
    printer.printChange(receivedAction: false, oldState: 5, newState: 6)
    #expect(lines.value == ["false: 5 -> 6"])
    let silent: _ReducerPrinter<Int, Bool>? = nil
    let store = Store(initialState: 0) { OldSpelling(step: 1)._printChanges(silent) }
    store.send(true)
    #expect(store.withState(\.self) == 1)
    let all: [_ReducerPrinter<Int, Bool>] = [.customDump, .actionLabels]
    #expect(all.count == 2)
  }

  struct Form: Equatable {
    var text = ""
    var log: [String] = []
  }

  @Test func bothFormsOfOnChange() {
    let store = Store<Form, String>(initialState: Form()) {
      Reduce { state, text in
        state.text = text
        return .none
      }
      .onChange(of: \.text) { old, new in
        Reduce { state, _ in
          state.log.append("\(old)-\(new)")
          return .none
        }
      }
      .onChange(of: { $0.text.count }) { old, state in
        state.log.append("\(old)/\(state.text.count)")
        return .none
      }
    }
    for text in ["a", "b", "b", "cd"] { store.send(text) }
    #expect(store.withState(\.log) == ["-a", "0/1", "a-b", "b-cd", "1/2"])
  }

  // MARK: - Children

  @Reducer
  struct Parent {
    @ObservableState
    struct State: Equatable {
      var first = Counter.State()
      var second = Counter.State()
      var optional: Counter.State?
      var note: AlertState<Counter.Action>?
      var page = Page.State.counter(Counter.State())
      var rows: IdentifiedArrayOf<Row.State> = []
    }

    enum Action {
      case first(Counter.Action), second(Counter.Action), optional(Counter.Action)
      case note(Counter.Action), page(Page.Action), rows(IdentifiedActionOf<Row>)
    }

    var body: some ReducerOf<Self> {
      Scope(\.first, action: \.first) { Counter() }
      Scope(state: \.second, action: \.second) { Counter() }
      Scope(state: \.page, action: \.page) { Page() }
      EmptyReducer()
        .ifLet(\.optional, action: \.optional) { Counter() }
        .ifLet(\.note, action: \.note)
        .forEach(\.rows, action: \.rows) { Row() }
    }
  }

  @Reducer
  struct Page {
    @CasePathable
    enum State: Equatable {
      case counter(Counter.State), other(Counter.State)
    }

    enum Action {
      case counter(Counter.Action), other(Counter.Action), turn
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.other, action: \.other) { Counter() }
      Reduce { state, action in
        if case .turn = action { state = .other(Counter.State(count: 9)) }
        return .none
      }
      .ifCaseLet(\.counter, action: \.counter) { Counter() }
    }
  }

  @Reducer
  struct Row {
    @ObservableState
    struct State: Equatable, Identifiable {
      let id: Int
      var counter = Counter.State()
    }

    enum Action { case counter(Counter.Action) }

    var body: some ReducerOf<Self> {
      Scope(state: \.counter, action: \.counter) { Counter() }
    }
  }

  @Test func childrenOfEveryKind() async {
    var state = Parent.State(optional: Counter.State(), rows: [Row.State(id: 7)])
    state.note = AlertState { TextState("Hello") }
    let store = TestStore(initialState: state) { Parent() }
    await store.send(\.first.increment) { $0.first.count = 1 }
    await store.send(\.second.increment) { $0.second.count = 1 }
    await store.send(\.optional.increment) { $0.optional?.count = 1 }
    await store.send(\.note.increment) { $0.note = nil }
    await store.send(\.page.counter.increment) { $0.page = .counter(Counter.State(count: 1)) }
    await store.send(\.page.turn) { $0.page = .other(Counter.State(count: 9)) }
    await store.send(\.page.other.increment) { $0.page.modify(\.other) { $0.count = 10 } }
    await store.send(\.rows[id: 7].counter.increment) { $0.rows[id: 7]?.counter.count = 1 }
    await store.send(.rows(.element(id: 7, action: .counter(.increment)))) {
      $0.rows[id: 7]?.counter.count = 2
    }
  }

  @Test func childrenThatAreAbsent() async {
    let issues = await issues {
      let store = TestStore(initialState: Parent.State(page: .other(Counter.State()))) { Parent() }
      await store.send(\.optional.increment)
      await store.send(\.page.counter.increment)
      await store.send(\.rows[id: 7].counter.increment)
      await store.send(\.page.turn) { $0.page = .other(Counter.State(count: 9)) }
    }
    #expect(
      issues.headings == [
        #"An "ifLet" received a child action when child state was "nil". …"#,
        #"An "ifCaseLet" received a child action when child state was set to a different case. …"#,
        #"A "forEach" received an action for a missing element. …"#,
      ])
    let action = "ReducerTests.Parent.Action.rows(.element(id:, action: .counter(.increment)))"
    #expect(issues.all.last?.contains("  Action:\n    \(action)\n") == true)
  }
}
