import ComposableArchitecture
import Testing

// Each type here is a shape that the generated code must survive.

/// Names of the architecture, taken for an application's own purposes.
private enum Application {
  struct Scope {}
  struct Reduce {}
  struct Effect {}
  struct Store {}
  struct Result {}
  struct Reducer {}
  struct CaseReducer {}
  struct ReducerBuilder {}
  struct EmptyReducer {}
  struct CasePathable {}
  struct CaseKeyPath {}
  struct PartialCaseKeyPath {}
  struct IfLet {}
  struct IndexingIterator {}

  @Reducer
  fileprivate struct Feature {
    @ObservableState
    struct State: Equatable { var count = 0 }
    enum Action { case tap }
    var body: some ReducerOf<Self> {
      ComposableArchitecture.Reduce { state, _ in
        state.count += 1
        return .none
      }
    }
  }

  @Reducer
  fileprivate enum Destination {
    case feature(Feature)
    case plain
  }
}

extension Application.Destination.State: Equatable {}

@Reducer
private enum Payloadless {
  case one
  case two
}

/// Values that can be compared and recorded, and are not sendable: a recursive enum is not by itself,
/// nor is a public type of another module.
@Reducer
private struct NotSendable {
  @ObservableState
  struct State: Equatable {
    var tree: Tree = .leaf
    var user = User()
  }
  indirect enum Tree: Equatable {
    case leaf
    case node(Tree, Tree)
  }
  enum Action { case grow }
  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.tree = .node(state.tree, .leaf)
      state.user.name += "a"
      return .none
    }
  }
}

public struct User: Codable, Equatable {
  public var name = ""
  public var friend: Box?
  public final class Box: Codable, Equatable {
    var name = ""
    public static func == (lhs: Box, rhs: Box) -> Bool { lhs.name == rhs.name }
  }
}

/// Comments after what a macro reads.
@Reducer
private struct Commented {  // a feature
  @ObservableState  // its state
  struct State: Equatable {  // comes here
    var count = 0  // a number
    var text: String = "a" /* a text */
    var optional: Int?  // may be absent
    @Presents var child: Child.State?  // a child
  }
  enum Action {  // its actions
    case tap  // a tap
    case set(Int) /* a number */
    case pair(Int /* first */, second: String)  // two
    // before a case
    case child(PresentationAction<Child.Action>)  // the child's
  }
  var body: some ReducerOf<Self> {  // the body
    Reduce { state, action in
      if case .set(let count) = action { state.count = count }
      return .none
    }
    .ifLet(\.$child, action: \.child) { Child() }
  }

  @Reducer
  struct Child {
    @ObservableState
    struct State: Equatable {}
  }
}

@Reducer
private enum CommentedDestination {
  case first(Commented)  // the first
  case second(Commented.Child) /* the second */
  case third  // nothing
}

@DependencyClient
private struct CommentedClient {
  var plain: () -> Void  // nothing
  var number: (_ id: Int) -> Int = { _ in 1 }  // a number
  var text: @Sendable () async throws -> String /* a text */
  var optional: () -> Int? = { nil } /* maybe */
  // or not
  // before
  var several:
    (
      _ first: Int,  // first
      _ second: String  // second
    ) -> Bool = { _, _ in true }
}

/// Sources that generated code once did not get along with.
@MainActor
@Suite
struct MacroShapeTests {
  @Test func namesThatAnApplicationTakes() {
    var state = Application.Destination.State.feature(Application.Feature.State())
    _ = Application.Destination.body._reduce(into: &state, action: .feature(.tap))
    #expect(state == .feature(Application.Feature.State(count: 1)))
  }

  @Test func destinationsWithoutFeatures() {
    var state = Payloadless.State.one
    let store = Store(initialState: state) { Payloadless.body }
    if case .two = store.state { Issue.record("The state is another one.") }
    state = .two
    if case .one = state { Issue.record("The state is another one.") }
    #expect("\(type(of: Payloadless.body))".contains("EmptyReducer"))
  }

  @Test func valuesThatAreNotSendable() {
    let store = Store(initialState: NotSendable.State()) { NotSendable() }
    store.send(.grow)
    #expect(store.tree == .node(.leaf, .leaf))
    #expect(store.user.name == "a")
  }

  @Test func comments() {
    let store = Store(
      initialState: Commented.State(child: Commented.Child.State())
    ) { Commented() }
    store.send(.set(3))
    #expect(store.count == 3)
    #expect(Commented.Action.pair(1, second: "b")[case: \.pair]?.second == "b")
    let state = CommentedDestination.State.first(store.now)
    #expect(state[case: \.first]?.count == 3)
    #expect(state[case: \.second] == nil)
  }

  @Test func commentsInClients() async throws {
    var client = CommentedClient()
    client.plain = {}
    client.number = { $0 }
    client.text = { "a" }
    client.optional = { nil }
    client.several = { _, _ in true }
    client.plain()
    #expect(client.number(2) == 2)
    #expect(try await client.text() == "a")
    #expect(client.optional() == nil)
    #expect(client.several(1, "b"))
  }
}
