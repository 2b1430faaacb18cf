import ActionCoding
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Which action changed a value last, for values of every kind.
@MainActor
@Suite struct WhyTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  /// Only `Codable`.
  struct Notebook: Codable, Equatable {
    var pages = 0
  }

  @Reducer
  struct Desk {
    @ObservableState
    struct State: Equatable {
      var number = 0
      var zero = 0.0
      var lines: [String] = []
      var sizes: [String: Int] = [:]
      var place = Place()
      var choice = Choice.none
      var notebook = Notebook()
      @Shared(.inMemory("why-tests-count")) var count = 0
      @Presents var child: Child.State?
    }
    struct Place: Equatable {
      var city = ""
      var streets: [String] = ["a", "b"]
    }
    enum Choice: Equatable {
      case none
      case named(String, weight: Double)
    }
    @Reducer
    struct Child {
      struct State: Equatable { var taps = 0 }
      enum Action { case tapped }
      var body: some ReducerOf<Self> {
        Reduce { state, _ in
          state.taps += 1
          return .none
        }
      }
    }
    enum Action {
      case nothing
      case number(Int)
      case negate
      case line(Int, String)
      case size(String, Int)
      case street(String)
      case choose(String, Double)
      case write
      case share
      case show
      case child(PresentationAction<Child.Action>)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .nothing: break
        case .number(let number): state.number = number
        case .negate: state.zero = -state.zero
        case .line(let index, let text):
          if index < state.lines.count {
            state.lines[index] = text
          } else {
            state.lines.append(text)
          }
        case .size(let name, let size): state.sizes[name] = size
        case .street(let name): state.place.streets[1] = name
        case .choose(let name, let weight): state.choice = .named(name, weight: weight)
        case .write: state.notebook.pages += 1
        case .share: state.$count.withLock { $0 += 1 }
        case .show: state.child = Child.State()
        case .child: break
        }
        return .none
      }
      .ifLet(\.$child, action: \.child) { Child() }
    }
  }

  /// The number of the action that changed a value last.
  private func lastChange(_ path: String, _ actions: [Desk.Action]) throws -> Int? {
    let recording = try Recording(at: self.path)
    try withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Desk.State()) { Desk().recorded(by: recording) }
      for action in actions { store.send(action) }
      try recording.close()
    }
    let timeline = try Timeline(of: self.path) { Desk() }
    return try timeline.lastChange(
      of: try RecordPath(parsing: path), upTo: timeline.count, progress: { _ in })?.action
  }

  @Test(
    arguments: [
      ("number", [.number(1), .number(2), .number(2), .nothing], 2),
      ("number", [.number(1), .number(0), .nothing], 2),
      ("zero", [.nothing, .negate, .nothing], 2),
      ("lines", [.line(0, "a"), .line(0, "b"), .line(0, "b"), .nothing], 2),
      ("lines[1]", [.line(0, "a"), .line(1, "b"), .line(0, "c"), .line(2, "d")], 2),
      ("lines[0]", [.line(0, "a long text that is kept elsewhere"), .line(0, "b"), .nothing], 2),
      ("sizes", [.size("a", 1), .size("b", 1), .size("a", 1), .nothing], 2),
      ("sizes[\"a\"]", [.size("a", 1), .size("a", 2), .size("b", 3), .nothing], 2),
      ("place.city", [.street("x"), .street("y")], nil),
      ("place.streets", [.street("x"), .street("y"), .street("y"), .number(1)], 2),
      ("place.streets[0]", [.street("x"), .street("y")], nil),
      ("choice", [.choose("a", 1), .choose("a", 2), .choose("a", 2), .nothing], 2),
      ("choice.weight", [.choose("a", 1), .choose("b", 2), .choose("c", 2), .nothing], 2),
      ("choice.named.weight", [.choose("a", 1), .choose("b", 2), .choose("c", 2)], 2),
      ("choice.named", [.choose("a", 1), .choose("b", 2), .nothing], 2),
      ("notebook", [.write, .write, .nothing], 2),
      ("notebook.pages", [.write, .write, .nothing], 2),
      ("count", [.share, .share, .nothing], 2),
      ("child", [.show, .child(.presented(.tapped)), .nothing], 2),
      ("child.taps", [.show, .child(.presented(.tapped)), .nothing], 2),
      ("child", [.show, .child(.presented(.tapped)), .child(.dismiss), .nothing], 3),
    ] as [(String, [Desk.Action], Int?)])
  func theLastChangeIsFound(path: String, actions: [Desk.Action], expected: Int?) throws {
    #expect(try self.lastChange(path, actions) == expected, "\(path)")
  }

  /// The whole state is one of several cases.
  @Reducer
  struct Switch {
    enum State: Equatable {
      case off(count: Int)
      case on(text: String, count: Int)
    }
    enum Action {
      case toggle
      case count
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch (action, state) {
        case (.toggle, .off(let count)): state = .on(text: "a text of some length", count: count)
        case (.toggle, .on(_, let count)): state = .off(count: count)
        case (.count, .off(let count)): state = .off(count: count + 1)
        case (.count, .on(let text, let count)): state = .on(text: text, count: count + 1)
        }
        return .none
      }
    }
  }

  @Test(arguments: [("count", 3), ("on.text", 2), ("on", 3), ("text", 2), ("on.count", 3)])
  func inAStateOfSeveralCases(path: String, expected: Int) throws {
    let recording = try Recording(at: self.path)
    let store = Store(initialState: .off(count: 0)) { Switch().recorded(by: recording) }
    for action in [Switch.Action.count, .toggle, .count] { store.send(action) }
    try recording.close()
    let timeline = try Timeline(of: self.path) { Switch() }
    let change = try timeline.lastChange(
      of: try RecordPath(parsing: path), upTo: timeline.count, progress: { _ in })
    #expect(change?.action == expected)
  }

  /// The same array, changed again and again where it is.
  @Test func aLongArrayThatIsChangedInPlace() throws {
    var actions: [Desk.Action] = (0..<50).map { .line($0, "line \($0)") }
    actions += (0..<3_000).map { .line($0 % 49, "\($0)") }
    actions += [.nothing, .nothing]
    #expect(try self.lastChange("lines[49]", actions) == 50)
  }
}
