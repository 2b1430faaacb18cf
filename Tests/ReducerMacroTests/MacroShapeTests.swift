package import ComposableArchitecture
import Testing

/// Names of the architecture and of the standard library, taken for an application's own purposes.
private enum Application {
  struct Scope {}
  struct Reduce {}
  struct Effect {}
  struct Store {}
  struct Result {}
  struct Reducer {}
  struct ReducerBuilder {}
  struct EmptyReducer {}
  struct ObservationStateRegistrar {}
  struct ObservableStateID {}
  struct PresentationState {}
  struct AnyCasePath {}
  struct Codable {}
  struct Hashable {}
  struct Sendable {}
  struct Sequence {}
  struct Void {}
  struct Optional {}

  @Reducer
  fileprivate struct Feature {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Child.State?
    }
    enum Action {
      case tap
      case child(Child.Action)
    }
    var body: some ReducerOf<Self> {
      ComposableArchitecture.Reduce { state, action in
        state.count += 1
        return .none
      }
    }
  }

  @Reducer
  fileprivate struct Child {
    enum Action { case tap }
  }
}

@Reducer
package struct InPackage {
  @ObservableState
  package struct State {
    package var count = 0
    package fileprivate(set) var text: String?
    @Presents package var child: Empty3.State?
    package init() {}
  }
  package enum Action {
    case tap
  }
  package init() {}
  package var body: some ReducerOf<Self> {
    ComposableArchitecture.EmptyReducer()
  }
}

@Reducer
package struct Empty3 {}

@Reducer
private struct Generic<Element> {
  @ObservableState
  struct State {
    var elements: [Element] = []
    var sole: Element?
  }
  enum Action {
    case add(Element)
    case reset
  }
  var body: some Reducer<State, Action> {
    ComposableArchitecture.Reduce { state, action in
      switch action {
      case .add(let element): state.elements.append(element)
      case .reset: state.elements = []
      }
      return .none
    }
  }
}

enum Namespace {
  @Reducer
  struct Nested {
    struct State { var count = 0 }
    enum Action {
      #if DEBUG
        case debug(Int)
      #endif
      case release
    }
    var body: some ReducerOf<Self> {
      ComposableArchitecture.EmptyReducer()
    }
  }
}

extension Namespace {
  @Reducer
  struct InExtension {
    typealias State = Int
    enum Action { case `default`, `switch`(Bool) }
    var body: some ReducerOf<Self> {
      ComposableArchitecture.EmptyReducer()
    }
  }
}

@Reducer
private struct WithoutBuilder {
  struct State {}
  enum Action {}
  let inner: String
  var body: some Reducer<State, Action> {
    ComposableArchitecture.EmptyReducer()
    ComposableArchitecture.EmptyReducer()
  }
}

@ObservableState
private struct Properties {
  var `default` = 0
  var watched = 0 {
    didSet { changes += watched - oldValue }
  }
  @ObservationStateIgnored var changes = 0
  var implicit: Int!
  var computed: Int { `default` }
  static var shared: Int { 0 }
  lazy var later = 3
  var closure: () -> Int = { 1 }
  var tuple = (1, "a")
  var object = Object()
  var any: (any Error)?
  weak var owner: Object?
  let constant = 4
  final class Object {}
}

@ObservableState
private struct Initialised {
  var a: Int
  var b: String
  init(a: Int) {
    self.a = a
    self.b = "\(a)"
  }
}

nonisolated(unsafe) private var made = 0

private func makeID() -> Int {
  made += 1
  return made
}

@ObservableState
private struct MadeOnce {
  var id = makeID()
}

@ObservableState
@CasePathable
@dynamicMemberLookup
private enum Route {
  case home
  case detail(id: Int)
  #if DEBUG
    case debug(Properties)
  #endif
  indirect case nested(Route)
}

@Suite struct MacroShapeTests {
  @Test func shadowedNames() {
    var state = Application.Feature.State(count: 1, child: Application.Child.State())
    _ = Application.Feature()._reduce(into: &state, action: .tap)
    #expect(state.count == 2)
  }

  @Test func generics() {
    var state = Generic<String>.State()
    _ = Generic<String>()._reduce(into: &state, action: .add("a"))
    _ = Generic<String>()._reduce(into: &state, action: (\Generic<String>.Action.Cases.add)("b"))
    #expect(state.elements == ["a", "b"])
  }

  @Test func packageAccess() {
    var state = InPackage.State()
    state.child = Empty3.State()
    state.text = "a"
    #expect(state.text == "a")
  }

  @Test func properties() {
    var state = Properties()
    state.`default` = 3
    state.watched = 4
    state.watched += 1
    #expect(state.changes == 5)
    #expect(state.computed == 3)
    #expect(state.later == 3)
    state.closure = { 2 }
    #expect(state.closure() == 2)
    state.tuple.0 = 5
    #expect(state.tuple == (5, "a"))
    #expect(state.any == nil)
    #expect(Initialised(a: 3).b == "3")
  }

  @Test func initialValuesAreMadeOnce() {
    made = 0
    _ = MadeOnce()
    #expect(made == 1)
    _ = MadeOnce(id: 7)
    #expect(made == 1)
  }

  @Test func routes() {
    var route = Route.detail(id: 3)
    #expect(route.detail == 3)
    route._$willModify()
    #expect(route.detail == 3)
    #expect(Route.home._$id == Route.home._$id)
    #expect(Route.detail(id: 1)._$id != Route.detail(id: 1)._$id)
  }
}
