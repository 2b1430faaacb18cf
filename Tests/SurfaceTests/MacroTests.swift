public import ComposableArchitecture
import Foundation
import Testing

// The shapes in which features are written; that they compile is half of the test.

@Reducer private struct Nothing {}

@Reducer public struct PublicFeature {
  @ObservableState
  public struct State: Equatable {
    public var count = 0
    public init() {}
  }
  public enum Action { case tap }
  public init() {}
  public var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

@Reducer package struct PackageFeature {
  package var body: some ReducerOf<Self> { EmptyReducer() }
}

@Reducer
private struct Generic<Value: Equatable & Sendable> {
  struct State: Equatable { var value: Value }
  enum Action { case set(Value) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .set(let value):
        state.value = value
        return .none
      }
    }
  }
}

@Reducer
private struct WithoutBody: Sendable {
  typealias State = Int
  enum Action: Equatable { case add(Int) }
  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    if case .add(let number) = action { state += number }
    return .none
  }
}

@available(macOS 14, *)
@Reducer
private struct Newer {
  /// The state.
  struct State: Equatable { var `default` = 0 }

  enum Action {
    /// Documented.
    case plain  // commented
    case `default`(Int) /* both */
    case labelled(first: Int, _ second: String)
    #if DEBUG
      case debug(Counter.Action)
    #else
      case release
    #endif
    indirect case again(Action)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .default(let value): state.default = value
      case .labelled(let first, _): state.default = first
      default: break
      }
      return .none
    }
  }
}

@Reducer
private struct EnumState {
  @ObservableState
  @dynamicMemberLookup
  enum State: Equatable {
    case idle
    case counter(Counter.State)
  }
  enum Action { case begin, counter(Counter.Action) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .begin = action { state = .counter(Counter.State()) }
      return .none
    }
    .ifCaseLet(\.counter, action: \.counter) { Counter() }
  }
}

@Reducer(
  state: .equatable, .hashable, .codable, .sendable,
  action: .equatable, .hashable, .codable, .sendable)
private enum Conforming { case counter(Counter) }

@Reducer(state: .encodable, .decodable)
private enum HalfConforming { case counter(Counter) }

@Reducer private enum Empty {}

@Reducer
private enum Many {
  case counter(Counter)
  case silent
  @ReducerCaseIgnored
  case pair(Int, label: String)
  @ReducerCaseEphemeral
  case alert(AlertState<Never>)
  case inner(Conforming.Body)
  #if DEBUG
    case debug(Counter)
  #endif
}

/// Types with the names of the architecture's do not get into the way of what macros write.
private enum Shadowing {
  struct Scope {}
  struct Effect {}
  struct Store {}
  struct Reducer {}
  struct Result {}

  @ComposableArchitecture.Reducer
  enum Feature { case counter(Counter) }
}

@MainActor
struct MacroTests {
  @Test func structs() async {
    let nothing = Store(initialState: Nothing.State()) { Nothing() }
    #expect(nothing.withState { _ in true })
    _ = Store(initialState: PackageFeature.State()) { PackageFeature() }
    let `public` = TestStore(initialState: PublicFeature.State()) { PublicFeature() }
    await `public`.send(\.tap) { $0.count = 1 }
    let generic = TestStore(initialState: Generic<String>.State(value: "")) { Generic<String>() }
    await generic.send(\.set, "a") { $0.value = "a" }
    let bodyless = TestStore(initialState: 0) { WithoutBody() }
    await bodyless.send(.add(2)) { $0 = 2 }
    await bodyless.send(\.add, 2) { $0 = 4 }
  }

  @Test func casesOfEverySpelling() async {
    let store = TestStore(initialState: Newer.State()) { Newer() }
    await store.send(\.plain)
    await store.send(\.default, 3) { $0.default = 3 }
    await store.send(\.labelled, (first: 4, "x")) { $0.default = 4 }
    await store.send(\.again.plain)
    #if DEBUG
      await store.send(\.debug.increment)
    #endif
  }

  @Test func statesThatAreEnums() async {
    let store = TestStore(initialState: EnumState.State.idle) { EnumState() }
    await store.send(.begin) { $0 = .counter(Counter.State()) }
    await store.send(\.counter.increment) { $0.modify(\.counter) { $0.count = 1 } }
    #expect(store.state.counter?.count == 1)
    let live = Store(initialState: store.state) { EnumState() }
    #expect(live.scope(state: \.counter, action: \.counter)?.count == 1)
  }

  @Test func enumsOfFeatures() throws {
    let state = Conforming.State.counter(Counter.State(count: 1))
    #expect(
      try JSONDecoder().decode(Conforming.State.self, from: JSONEncoder().encode(state)) == state)
    let action = Conforming.Action.counter(.tick)
    #expect(
      try JSONDecoder().decode(Conforming.Action.self, from: JSONEncoder().encode(action)) == action
    )
    #expect(Set([action]).count == Set([state]).count)
    let half = try JSONEncoder().encode(HalfConforming.State.counter(Counter.State()))
    #expect(try JSONDecoder().decode(HalfConforming.State.self, from: half).is(\.counter))

    let store = Store(initialState: Many.State.counter(Counter.State())) { Many.body }
    guard case .counter(let counter) = store.case else {
      Issue.record("The store is in another case.")
      return
    }
    counter.send(.increment)
    #expect(store.withState { $0.counter?.count } == 1)
    let pair = Store(initialState: Many.State.pair(1, label: "a")) { Many.body }
    guard case .pair(1, let label) = pair.case else {
      Issue.record("The store is in another case.")
      return
    }
    #expect(label == "a")
    #expect(Many.State.silent.is(\.silent))
    let empty: any CaseReducerState.Type = Empty.State.self
    #expect("\(empty)" == "State")
    let shadowing = Store(initialState: Shadowing.Feature.State.counter(Counter.State())) {
      Shadowing.Feature.body
    }
    if case .counter(let counter) = shadowing.case { counter.send(.increment) }
    #expect(shadowing.withState { $0.counter?.count } == 1)
  }
}
