import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

/// A question that ends with its answer.
private struct Question: _EphemeralState, Equatable {
  typealias Action = Answer
  enum Answer: Equatable { case yes, no }
}

@Reducer
private struct Row {
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
  }
  enum Action: Equatable { case tap, start, answer, cancel }
  let clock: TestClock<Duration>

  enum CancelID { case work }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap:
        state.count += 1
        return .none
      case .start:
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.answer)
        }
        .cancellable(id: CancelID.work, cancelInFlight: true)
      case .answer:
        state.count += 10
        return .none
      case .cancel:
        return .cancel(id: CancelID.work)
      }
    }
  }
}

@Reducer
private struct Lists {
  struct State: Equatable {
    var first: Row.State?
    var second: Row.State?
    var question: Question?
    var answers: [Question.Answer] = []
  }
  enum Action: Equatable {
    case set(Int, Row.State?)
    case first(Row.Action)
    case second(Row.Action)
    case cancelAll
    case ask
    case question(Question.Answer)
  }
  let clock: TestClock<Duration>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .set(1, let row): state.first = row
      case .set(_, let row): state.second = row
      case .ask: state.question = Question()
      case .question(let answer): state.answers.append(answer)
      case .cancelAll: return .cancel(id: Row.CancelID.work)
      default: break
      }
      return .none
    }
    .ifLet(\.first, action: \.first) { Row(clock: clock) }
    .ifLet(\.second, action: \.second) { Row(clock: clock) }
    .ifLet(\.question, action: \.question)
  }
}

@Reducer
private struct Screen {
  @CasePathable
  enum State: Equatable {
    case loading(Int)
    case loaded(Row.State)
  }
  enum Action: Equatable {
    case load
    case unload
    case row(Row.Action)
  }
  let clock: TestClock<Duration>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load: state = .loaded(Row.State())
      case .unload: state = .loading(0)
      case .row: break
      }
      return .none
    }
    .ifCaseLet(\.loaded, action: \.row) { Row(clock: clock) }
  }
}

/// Children behind optionals and cases.
@MainActor
@Suite(.mainSerialExecutor)
struct IfLetTests {
  private let clock = TestClock()

  private func makeStore() -> StoreOf<Lists> {
    Store(initialState: Lists.State(first: Row.State(), second: Row.State())) {
      Lists(clock: clock)
    }
  }

  @Test func siblingsHaveScopesOfTheirOwn() async {
    let store = makeStore()
    let tasks = [store.send(.first(.start)), store.send(.second(.start))]
    await turn(limit: 20)
    store.send(.first(.cancel))
    await clock.advance(by: .seconds(1))
    for task in tasks { await task.finish() }
    #expect(store.now.first?.count == 0)
    #expect(store.now.second?.count == 10)
  }

  @Test func aParentCancelsItsChildren() async {
    let store = makeStore()
    let tasks = [store.send(.first(.start)), store.send(.second(.start))]
    await turn(limit: 20)
    store.send(.cancelAll)
    for task in tasks { await task.finish() }
    await clock.advance(by: .seconds(1))
    #expect(store.now.first?.count == 0)
    #expect(store.now.second?.count == 0)
  }

  @Test(arguments: [nil, Row.State(id: 7)])
  private func anotherChildEndsTheEffects(of other: Row.State?) async {
    let store = makeStore()
    let task = store.send(.first(.start))
    await turn(limit: 20)
    store.send(.first(.tap))
    store.send(.set(1, other))
    await task.finish()
    await clock.advance(by: .seconds(1))
    #expect(store.now.first == other)
  }

  @Test func anAbsentChildIsAnIssue() {
    let store = makeStore()
    store.send(.set(1, nil))
    let issues = Issues()
    withIssueReporters([issues]) { _ = store.send(.first(.tap)) }
    #expect(issues.all.count == 1)
    #expect(issues.firstLines.first?.hasPrefix("An \"ifLet\" at \"") == true)
    #expect(
      issues.firstLines.first?.hasSuffix(
        "received a child action when child state was \"nil\". …") == true)
  }

  @Test func anEphemeralStateEndsWithItsAction() {
    let store = makeStore()
    store.send(.ask)
    store.send(.first(.tap))
    #expect(store.now.question != nil)
    store.send(.question(.yes))
    #expect(store.now.question == nil)
    #expect(store.now.answers == [.yes])
  }

  @Test func aCaseIsAChild() async {
    let store = Store(initialState: Screen.State.loading(0)) { Screen(clock: clock) }
    store.send(.load)
    store.send(.row(.tap))
    #expect(store.now[case: \.loaded]?.count == 1)
    let task = store.send(.row(.start))
    await turn(limit: 20)
    store.send(.unload)
    await task.finish()
    await clock.advance(by: .seconds(1))
    #expect(store.now == .loading(0))

    let issues = Issues()
    withIssueReporters([issues]) { _ = store.send(.row(.tap)) }
    #expect(issues.all.count == 1)
    #expect(
      issues.firstLines.first?.hasSuffix(
        "received a child action when child state was set to a different case. …") == true)
    #expect(issues.all.first?.contains("Screen.Action.row(.tap)") == true)
    #expect(issues.all.first?.contains("Screen.State.loading\n") == true)
  }
}
