import ComposableArchitecture
import Foundation
import Testing

/// Presented features, stacks and their actions.
@MainActor
struct NavigationTests {
  @Reducer(state: .equatable, action: .equatable)
  enum Destination {
    case counter(Counter)
    case alert(AlertState<Choice>)
    case dialog(ConfirmationDialogState<Choice>)
    @ReducerCaseEphemeral
    case note(AlertState<Choice>)
    @ReducerCaseIgnored
    case page(Int)

    @CasePathable
    enum Choice: Equatable { case yes }
  }

  @Reducer(state: .equatable)
  enum Path {
    case counter(Counter)
    case other(Counter)
  }

  @Reducer
  struct Feature {
    @ObservableState
    struct State: Equatable {
      @Presents var destination: Destination.State?
      @Presents var counter: Counter.State?
      @Presents var alert: AlertState<Destination.Choice>?
      var path = StackState<Path.State>()
      var counters = StackState<Counter.State>()
      var answers = 0
    }

    enum Action {
      case destination(PresentationAction<Destination.Action>)
      case counter(PresentationAction<Counter.Action>)
      case alert(PresentationAction<Destination.Choice>)
      case path(StackActionOf<Path>)
      case counters(StackActionOf<Counter>)
      case show(Destination.State)
      case showCounter, push
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .show(let destination): state.destination = destination
        case .showCounter: state.counter = Counter.State()
        case .push: state.path.append(.other(Counter.State()))
        case .destination(.presented(.alert(.yes))), .alert(.presented(.yes)): state.answers += 1
        default: break
        }
        return .none
      }
      .ifLet(\.$destination, action: \.destination)
      .ifLet(\.$counter, action: \.counter) { Counter() }
      .ifLet(\.$alert, action: \.alert)
      .forEach(\.path, action: \.path)
      .forEach(\.counters, action: \.counters) { Counter() }
    }
  }

  private func makeStore(_ state: Feature.State = Feature.State()) -> TestStoreOf<Feature> {
    TestStore(initialState: state) { Feature() }
  }

  @Test func aFeatureIsPresentedAndDismissed() async {
    let clock = TestClock()
    let store = self.makeStore()
    store.dependencies.continuousClock = clock
    await store.send(.showCounter) { $0.counter = Counter.State() }
    await store.send(\.counter.presented.start)
    await clock.advance(by: .seconds(1))
    await store.receive(\.counter.tick) { $0.counter?.count = 1 }
    await store.send(.counter(.presented(.close)))
    await store.receive(\.counter.dismiss) { $0.counter = nil }
    await store.send(.showCounter) { $0.counter = Counter.State() }
    await store.send(.counter(.dismiss)) { $0.counter = nil }
  }

  @Test func everyCaseOfADestination() async {
    let store = self.makeStore()
    await store.send(.show(.counter(Counter.State()))) { $0.destination = .counter(.init()) }
    await store.send(\.destination.counter.increment) {
      $0.destination?.modify(\.counter) { $0.count = 1 }
    }
    await store.send(\.destination.presented.counter.increment) {
      $0.$destination[case: \.counter]?.count = 2
    }
    let alert = AlertState<Destination.Choice> { TextState("Sure?") }
    await store.send(.show(.alert(alert))) { $0.destination = .alert(alert) }
    await store.send(\.destination.alert.yes) {
      $0.destination = nil
      $0.answers = 1
    }
    let dialog = ConfirmationDialogState<Destination.Choice> { TextState("Sure?") }
    await store.send(.show(.dialog(dialog))) { $0.destination = .dialog(dialog) }
    await store.send(\.destination.dialog, .yes) { $0.destination = nil }
    await store.send(.show(.note(alert))) { $0.destination = .note(alert) }
    await store.send(\.destination.note.yes) { $0.destination = nil }
    await store.send(.show(.page(3))) { $0.destination = .page(3) }
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func presentationStateAndActionAreValues() throws {
    struct Box: Equatable, Hashable, Codable, Sendable {
      @PresentationState var number: Int?
    }
    let box = Box(number: 1)
    let data = try JSONEncoder().encode(box)
    #expect(try JSONDecoder().decode(Box.self, from: data) == box)
    #expect(String(decoding: data, as: UTF8.self) == #"{"number":1}"#)
    #expect(box.$number == PresentationState(wrappedValue: 1))
    #expect(box.$number.magnitude == 1)
    #expect(Set([box, Box(number: nil)]).count == 2)
    var text = ""
    customDump(box.$number, to: &text)
    #expect(text == "1")

    let state = PresentationState(wrappedValue: Destination.State.page(3))
    #expect(state.page.wrappedValue == 3)
    #expect(state[case: \.page] == 3)

    let action = PresentationAction<Counter.Action>.presented(.tick)
    let encoded = try JSONEncoder().encode(action)
    #expect(
      try JSONDecoder().decode(PresentationAction<Counter.Action>.self, from: encoded) == action)
    #expect(action.is(\.presented))
    #expect(action[case: \.tick] != nil)
    #expect(PresentationAction<Counter.Action>.dismiss.is(\.dismiss))
    #expect(Set([action, .dismiss]).count == 2)
  }

  @Test func dismissEffectAndIsPresented() async {
    let count = LockIsolated(0)
    let dismiss = DismissEffect { count.withValue { $0 += 1 } }
    await dismiss()
    #expect(count.value == 1)
    withDependencies {
      $0.dismiss = dismiss
    } operation: {
      @Dependency(\.isPresented) var isPresented
      #expect(isPresented)
    }
    @Dependency(\.isPresented) var isPresented
    #expect(!isPresented)
    let store = Store(initialState: Counter.State()) { Counter() }
    let issues = await issues { await store.send(.close).finish() }
    #expect(issues.headings == ["A reducer requested dismissal, but couldn't be dismissed. …"])
    #expect(issues.all[0].hasPrefix(#"A reducer requested dismissal at "SurfaceTests/"#))
  }

  @Test func aStackOfFeatures() async {
    let store = self.makeStore()
    await store.send(.push) { $0.path.append(.other(Counter.State())) }
    await store.send(\.path.push, (id: 1, state: .counter(Counter.State()))) {
      $0.path[id: 1] = .counter(Counter.State())
    }
    await store.send(.path(.push(id: 2, state: .counter(Counter.State())))) {
      $0.path[id: 2] = .counter(Counter.State())
    }
    await store.send(\.path[id: 1].counter.increment) {
      $0.path[id: 1, case: \.counter]?.count = 1
    }
    await store.send(.path(.element(id: 0, action: .other(.increment)))) {
      $0.path[id: 0]?.modify(\.other) { $0.count = 1 }
    }
    await store.send(\.path[id: 2].counter.close)
    await store.receive(\.path.popFrom, 2) { $0.path.pop(from: 2) }
    await store.send(.path(.popFrom(id: 1))) { $0.path.pop(to: 0) }
    await store.send(.counters(.push(id: 3, state: Counter.State()))) {
      $0.counters = StackState([Counter.State()])
    }
    await store.send(\.counters[id: 3].increment) { $0.counters[id: 3]?.count = 1 }
  }

  @Test func stackStateIsACollection() throws {
    var stack = StackState<Int>()
    stack.append(1)
    stack.append(contentsOf: [2, 3])
    #expect(Array(stack) == [1, 2, 3])
    #expect(stack.last == 3)
    #expect(stack.ids.count == 3)
    for id in stack.ids { stack[id: id]? += 10 }
    stack.removeAll { $0 == 12 }
    #expect(stack.map { $0 } == [11, 13])
    stack.insert(0, at: 0)
    #expect(stack.popLast() == 13)
    stack.removeFirst()
    #expect(stack[0] == 11)
    let copy = stack
    #expect(copy == stack)
    #expect(Set([copy, stack]).count == 1)
    #expect(try JSONEncoder().encode(stack) == Data("[11]".utf8))
    #expect(
      Array(try JSONDecoder().decode(StackState<Int>.self, from: Data("[4,5]".utf8))) == [4, 5])
    let component: StackState<Int>.Component = stack.path[0]
    #expect(component.id == stack.ids[0])
    #expect(component.element == 11)
    let path: StackState<Int>.PathView = stack.path
    #expect(path.count == 1)
    let id: StackElementID = 5
    #expect(String(customDumping: id) == "#5")
  }

  @Test func idsOfElementsCountFromZero() {
    withDependencies {
      $0.stackElementID = .incrementing
    } operation: {
      @Dependency(\.stackElementID) var ids
      #expect(ids.peek() == 0)
      #expect(ids.next() == 0)
      #expect(StackState([7]).ids == [1])
      #expect(ids.next() == 2)
    }
  }

  @Test func actionsOfCollectionsAreValues() throws {
    let rows = IdentifiedActionOf<StoreTests.Row>.element(id: 3, action: .tap)
    #expect(rows.is(\.[id: 3]))
    #expect(!rows.is(\.[id: 4]))
    #expect(rows[case: \.element]?.id == 3)
    typealias Rows = IdentifiedAction<Int, Counter.Action>
    let action = Rows.element(id: 3, action: .tick)
    #expect(try JSONDecoder().decode(Rows.self, from: JSONEncoder().encode(action)) == action)
    #expect(Set([action]).contains(.element(id: 3, action: .tick)))
    typealias Stack = StackActionOf<Counter>
    #expect(Stack.popFrom(id: 1) == .popFrom(id: 1))
    #expect(Set([Stack.element(id: 1, action: .tick), .popFrom(id: 1)]).count == 2)
    #expect(Stack.push(id: 2, state: Counter.State())[case: \.push]?.id == 2)
    #expect(Stack.element(id: 1, action: .tick)[case: \.[id: 1].tick] != nil)
  }

  @Test func mistakesOnAStack() async {
    let issues = await issues {
      let stack = StackState<Path.State>([.counter(Counter.State())])
      let store = self.makeStore(Feature.State(path: stack))
      let id = stack.ids[0]
      await store.send(.path(.element(id: 90, action: .counter(.increment))))
      await store.send(.path(.popFrom(id: 90)))
      store.exhaustivity = .off
      await store.send(.path(.push(id: id, state: .counter(Counter.State()))))
      await store.send(.path(.push(id: 90, state: .counter(Counter.State()))))
    }
    #expect(
      issues.headings == [
        #"A "forEach" received an action for a missing element. …"#,
        #"A "forEach" received a "popFrom" action for a missing element. …"#,
        #"A "forEach" received a "push" action for an element it already contains. …"#,
        #"A "forEach" received a "push" action with an unexpected generational ID. …"#,
      ])
  }
}
