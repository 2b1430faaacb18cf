@testable import ComposableArchitecture
import Testing

@ObservableState
private struct Form: Equatable, Codable {
  var name = ""
  var `default` = 0
  var address = Address()
  var nickname: String?
  var size: Size = .small
  @Presents var child: Child?
  @ObservationStateIgnored var draft = false

  var shout: String {
    get { name.uppercased() }
    set { name = newValue.lowercased() }
  }
  var count: Int { name.count }

  enum Size: String, Codable, Equatable { case small, large }

  @ObservableState
  struct Address: Equatable, Codable {
    var city = ""
    var lines: [String] = []
  }
  @ObservableState
  struct Child: Equatable, Codable {
    var text = ""
  }
}

@ObservableState
private struct GenericForm<Value: Codable & Equatable & Sendable> {
  var value: Value
  var other = 0
}

@ObservableState
private struct Opaque {
  var closure: () -> Void = {}
  var object = Object()
  var count = 0

  final class Object {}
}

/// Values that can be compared and recorded, but not sent: no binding writes them.
@ObservableState
private struct Unsendable: Equatable {
  var tree = Tree.leaf
  var object: Object? = nil

  indirect enum Tree: Equatable, Codable { case leaf, node(Tree, String) }

  final class Object: Equatable, Codable {
    static func == (lhs: Object, rhs: Object) -> Bool { lhs === rhs }
  }
}

/// A form as a feature has it, with `Reduce` in a file that sees the module's internals.
@Reducer
private struct FormFeature {
  @ObservableState
  struct State: Equatable {
    var form = Form()
    var changes = 0
  }
  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case reset
  }
  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      if case .reset = action { state.form = Form() }
      return .none
    }
    .onChange(of: \.form) { _, _ in
      Reduce { state, _ in
        state.changes += 1
        return .none
      }
    }
  }
}

/// The list of properties by which binding actions are recorded.
@Suite struct BindableStateTests {
  @Test func properties() {
    #expect(
      Form._$bindableProperties.map(\.name) == [
        "name", "default", "address", "address.city", "address.lines", "nickname", "size", "child",
        "draft", "shout",
      ])
    #expect(GenericForm<Int>._$bindableProperties.map(\.name) == ["value", "other"])
    #expect(Opaque._$bindableProperties.map(\.name) == ["count"])
    #expect(Unsendable._$bindableProperties.map(\.name) == ["tree", "object"])
  }

  @Test func roundTrips() throws {
    let actions: [BindingAction<Form>] = [
      .set(\.name, "a"), .set(\.default, 3), .set(\.address.city, "b"),
      .set(\.address, Form.Address(city: "c", lines: ["d"])), .set(\.nickname, "e"),
      .set(\.nickname, nil), .set(\.size, .large), .set(\.child, Form.Child(text: "f")),
      .set(\.draft, true), .set(\.shout, "G"),
    ]
    for action in actions {
      let read = try roundTrip(action)
      #expect(read == action)
      var state = Form()
      var expected = Form()
      read.run(on: &state)
      action.run(on: &expected)
      #expect(state == expected)
    }
    let generic = BindingAction<GenericForm<[Int]>>.set(\.value, [1, 2])
    #expect(try roundTrip(generic) == generic)
    #expect("\(generic)" == #".set(\.value, [1, 2])"#)
  }

  @Test func actionsOfAFeature() throws {
    let action = FormFeature.Action.set(\.form.address.city, "a")
    let coder: ValueCoder<FormFeature.Action> = recordCoder(for: FormFeature.Action.self)
    let read = try coder.value(of: try coder.bytes(of: action))
    var state = FormFeature.State()
    _ = FormFeature()._reduce(into: &state, action: read)
    #expect(state.form.address.city == "a")
    #expect(read[case: \.binding] == action[case: \.binding])
    #expect(state.changes == 0)
    _ = FormFeature()._reduce(into: &state, action: .reset)
    #expect(state.changes == 1)
  }

  private func roundTrip<Root>(
    _ action: BindingAction<Root>
  ) throws -> BindingAction<Root> where BindingAction<Root>: Recordable {
    let coder: ValueCoder<BindingAction<Root>> = recordCoder(for: BindingAction<Root>.self)
    return try coder.value(of: try coder.bytes(of: action))
  }
}
