public import ComposableArchitecture
import Testing

@Reducer
struct Add {
  @ObservableState
  struct State: Codable, Hashable, Sendable { var text = "" }
  enum Action: Codable, Hashable, Sendable { case type(String), save }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .type(let text) = action { state.text += text }
      return .none
    }
  }
}

@Reducer
struct Limited {
  let limit: Int
  @ObservableState
  struct State: Codable, Hashable, Sendable { var count = 0 }
  enum Action: Codable, Hashable, Sendable { case increment }
  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count = min(state.count + 1, self.limit)
      return .none
    }
  }
}

/// What stands for an alert here.
struct Question<Action>: _EphemeralState {
  var text: String
}

extension Question: Codable, Equatable, Hashable, Sendable {}

@Reducer
struct Meetings {
  @ObservableState
  struct State {
    @Presents var destination: Destination.State?
    var path = StackState<Path.State>()
    var asked = 0
  }
  enum Action {
    case show(Destination.State?)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Path>)
  }

  @Reducer
  enum Destination {
    case add(Add)
    case limited(Limited = Limited(limit: 2))
    case inner(Inner.Body)
    @ReducerCaseEphemeral
    case question(Question<Asked>)
    @ReducerCaseIgnored
    case meeting(Int, name: String)
    @ReducerCaseIgnored
    case plain(Int)
    case nothing
    case alert(AlertState<Asked>)
    #if os(Linux)
      /// Only here.
      case linux(Add)
    #elseif os(macOS)
      case mac(Add)
    #endif

    enum Asked: Codable { case yes, no }
  }

  @Reducer
  enum Path {
    case first(Add)
    case `default`(Add)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .show(let destination): state.destination = destination
      case .destination(.presented(.question(.yes))): state.asked += 1
      case .destination, .path: break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }
}

@Reducer
enum Inner {
  case one(Add), two(Add)
}

extension Meetings.State: Equatable {}
extension Meetings.Destination.State: Codable, Equatable, Hashable, Sendable {}
extension Meetings.Destination.Action: Codable, Equatable, Hashable, Sendable {}
extension Meetings.Path.State: Equatable {}
extension Inner.State: Codable, Hashable, Sendable {}
extension Inner.Action: Codable, Hashable, Sendable {}

@Reducer(state: .equatable, .sendable, action: .equatable, .sendable)
enum WithConformances {
  case add(Add)
}

@Reducer(state: .hashable, .codable)
enum WithStateConformances {
  case add(Add)
}

@Reducer
public enum Visible {
  case page(Page)
}

@Reducer
package enum InPackageEnum {
  case feature(InPackage)
}

@Reducer
fileprivate enum FilePrivateEnum {
  case feature(Add)
}

@Reducer
private enum PrivateEnum {
  case feature(Add)
}

@Reducer
enum NoCases {}

@Reducer
enum OnlyPlain {
  case one, two
}

@Reducer
struct Box<Value: Equatable & Sendable> {
  struct State { var value: Value }
  enum Action { case set(Value) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .set(let value) = action { state.value = value }
      return .none
    }
  }
}

@Reducer
enum GenericEnum<Value: Equatable & Sendable> {
  case box(Box<Value>)
  case other(Add)
}

/// A feature that presents itself through an enum.
@Reducer
struct Recursive {
  @ObservableState
  struct State {
    @Presents var destination: Destination.State?
    var count = 0
  }
  enum Action {
    case tap
    case destination(PresentationAction<Destination.Action>)
  }
  @Reducer
  enum Destination {
    case again(Recursive)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .tap = action else { return .none }
      state.count += 1
      state.destination = .again(Recursive.State())
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

/// Names of the architecture and of the standard library, taken for an application's own purposes.
enum Shadowing {
  struct Scope {}
  struct Reduce {}
  struct Effect {}
  struct Store {}
  struct StoreOf {}
  struct Result {}
  struct Reducer {}
  struct ReducerBuilder {}
  struct EmptyReducer {}
  struct CaseReducer {}
  struct CaseReducerState {}
  struct AnyCasePath {}
  struct Never {}
  struct Void {}

  @Reducer
  enum Destination {
    case add(Add)
    case nothing
  }

  @Reducer
  enum Nothing {
    case nothing
  }
}

extension Meetings {
  @Reducer
  enum InExtension {
    case add(Add)
  }
}

extension Meetings.InExtension.State: Equatable {}

@MainActor
@Suite struct EnumReducerTests {
  private let store = Store(initialState: Meetings.State()) { Meetings() }

  @Test func aFeatureRuns() {
    store.send(.show(.add(Add.State())))
    store.send(.destination(.presented(.add(.type("a")))))
    #expect(store.destination == .add(Add.State(text: "a")))
    #expect(store.destination?.add?.text == "a")
    #expect(store.destination?.is(\.add) == true)
  }

  @Test func aFeatureWithArguments() {
    store.send(.show(.limited(Limited.State())))
    for _ in 1...3 { store.send(.destination(.presented(.limited(.increment)))) }
    #expect(store.destination?.limited?.count == 2)
  }

  @Test func anEnumInAnEnum() {
    store.send(.show(.inner(.two(Add.State()))))
    store.send(.destination(.presented(.inner(.two(.type("a"))))))
    #expect(store.destination?.inner?.two?.text == "a")
  }

  @Test func aQuestionEndsWithItsAnswer() {
    store.send(.show(.question(Question(text: "?"))))
    store.send(.destination(.presented(.question(.yes))))
    #expect(store.destination == nil)
    #expect(store.asked == 1)
  }

  @Test func anAlertEndsWithItsButton() {
    let alert = AlertState<Meetings.Destination.Asked> {
      TextState("Sure?")
    } actions: {
      ButtonState(action: .yes) { TextState("Yes") }
    }
    store.send(.show(.alert(alert)))
    #expect(store.destination?.alert?.title == TextState("Sure?"))
    store.send(.destination(.presented(.alert(.no))))
    #expect(store.destination == nil)
  }

  @Test func storesOfTheCases() throws {
    store.send(.show(.meeting(1, name: "a")))
    let destination = try #require(
      store.scope(state: \.destination, action: \.destination.presented))
    switch destination.case {
    case .meeting(let number, let name):
      #expect(number == 1)
      #expect(name == "a")
    default: Issue.record("another case")
    }
    store.send(.show(.add(Add.State())))
    switch destination.case {
    case .add(let store): store.send(.type("b"))
    default: Issue.record("another case")
    }
    #expect(store.destination?.add?.text == "b")
    store.send(.show(.nothing))
    guard case .nothing = destination.case else {
      Issue.record("another case")
      return
    }
    store.send(.show(.question(Question(text: "?"))))
    #expect(destination.case.question?.text == "?")
  }

  @Test func onAStack() {
    store.send(.path(.push(id: 0, state: .default(Add.State()))))
    store.send(.path(.element(id: 0, action: .default(.type("a")))))
    #expect(store.path[id: 0, case: \.default]?.text == "a")
  }

  @Test func conditions() {
    #if os(Linux)
      store.send(.show(.linux(Add.State())))
      store.send(.destination(.presented(.linux(.type("a")))))
      #expect(store.destination?.linux?.text == "a")
    #endif
  }

  @Test func recursion() {
    let store = Store(initialState: Recursive.State()) { Recursive() }
    store.send(.tap)
    store.send(.destination(.presented(.again(.tap))))
    #expect(store.destination?.again?.count == 1)
    #expect(store.destination?.again?.destination?.again?.count == 0)
  }

  @Test func generics() {
    let store = Store(initialState: GenericEnum<Int>.State.box(Box.State(value: 1))) {
      GenericEnum<Int>.body
    }
    store.send(.box(.set(2)))
    #expect(store.box?.value == 2)
    guard case .box = store.case else {
      Issue.record("another case")
      return
    }
  }

  @Test func conformances() throws {
    #expect(WithConformances.State.add(Add.State()) == .add(Add.State()))
    #expect(WithConformances.Action.add(.save) == .add(.save))
    let state = Meetings.Destination.State.meeting(3, name: "a")
    #expect(Set([state, state]).count == 1)
    #expect(isRecordable(Meetings.Destination.State.self))
    #expect(isRecordable(Meetings.Destination.Action.self))
    #expect(isRecordable(Meetings.Destination.Asked.self))
    #expect(!isRecordable(Meetings.Destination.CaseScope.self))
    #expect(isRecordable(PresentationAction<Meetings.Destination.Action>.self))
    #expect(isRecordable(StackActionOf<Meetings.Path>.self))
  }

  @Test func withoutFeatures() {
    let store = Store(initialState: OnlyPlain.State.one) { OnlyPlain.body }
    guard case .one = store.case else {
      Issue.record("another case")
      return
    }
    #expect(Array(NoCases.State.allCasePaths).isEmpty)
  }

  @Test func roundTrips() throws {
    let states: [Meetings.Destination.State] = [
      .add(Add.State(text: "a")), .inner(.two(Add.State(text: "b"))),
      .question(Question(text: "?")), .meeting(1, name: "x"), .plain(4), .nothing,
    ]
    for state in states { #expect(try roundTrip(state) == state) }
    let actions: [Meetings.Destination.Action] = [
      .add(.type("a")), .question(.yes), .limited(.increment),
    ]
    for action in actions { #expect(try roundTrip(action) == action) }
  }
}

private func isRecordable<T>(_ type: T.Type) -> Bool {
  type is any Recordable.Type
}

private func roundTrip<T: Recordable>(_ value: T) throws -> T {
  let coder: ValueCoder<T> = recordCoder(for: T.self)
  return try coder.value(of: try coder.bytes(of: value))
}
