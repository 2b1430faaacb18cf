import ComposableArchitecture
import TestSupport
import Testing

@Reducer
struct RecordedChild {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 0
    var text = ""
  }
  enum Action: Equatable { case type(String) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .type(let text): state.text += text
      }
      return .none
    }
  }
}

@Reducer
struct RecordedParent {
  @ObservableState
  struct State: Equatable {
    @Presents var child: RecordedChild.State?
    var path = StackState<RecordedChild.State>()
    var rows: IdentifiedArrayOf<RecordedChild.State> = []
  }
  enum Action: Equatable {
    case child(PresentationAction<RecordedChild.Action>)
    case path(StackActionOf<RecordedChild>)
    case rows(IdentifiedActionOf<RecordedChild>)
  }
  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifLet(\.$child, action: \.child) { RecordedChild() }
      .forEach(\.path, action: \.path) { RecordedChild() }
      .forEach(\.rows, action: \.rows) { RecordedChild() }
  }
}

/// Features with children of every kind, as a log holds them.
@Suite(.mainSerialExecutor)
struct FeatureRecordTests {
  private func roundTrip<Value: Recordable>(_ value: Value) throws -> Value {
    let bytes = try RecordWriter.bytes(of: value)
    return try bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      let read = try Value(from: &reader)
      try reader.finish()
      return read
    }
  }

  @Test func statesAndActionsComeBack() throws {
    var state = RecordedParent.State()
    #expect(try roundTrip(state) == state)
    withDependencies {
      $0.stackElementID = .incrementing(from: 4)
    } operation: {
      state.child = RecordedChild.State(text: "a")
      state.path.append(RecordedChild.State(text: "b"))
      state.rows.append(RecordedChild.State(id: 9, text: "c"))
    }
    let read = try roundTrip(state)
    #expect(read == state)
    #expect(read.path.ids == [4])
    let actions: [RecordedParent.Action] = [
      .child(.dismiss), .child(.presented(.type("a"))), .path(.popFrom(id: 4)),
      .path(.element(id: 4, action: .type("b"))), .rows(.element(id: 9, action: .type("c"))),
    ]
    for action in actions { #expect(try roundTrip(action) == action) }
  }

  @Test func nothingIsOpaque() {
    for schema in [
      RecordSchema(of: RecordedParent.State.self), RecordSchema(of: RecordedParent.Action.self),
    ] {
      for type in schema.types {
        switch type {
        case .opaque(let name, _), .codable(let name), .described(let name, _):
          Issue.record("'\(name)' is not written by its own code.")
        default: break
        }
      }
    }
  }
}
