import ComposableArchitecture
import Testing

@Reducer
private struct Note {
  @ObservableState
  struct State: Equatable { var text = "" }
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

/// What stands for an alert here.
private struct Question: _EphemeralState, Equatable {
  enum Action: Equatable { case yes }
}

/// An enum of features, written by hand as the macro writes it.
private enum Destination: CaseReducer {
  @CasePathable
  @dynamicMemberLookup
  @ObservableState
  enum State: Equatable, CaseReducerState {
    typealias StateReducer = Destination
    case note(Note.State)
    case other(Note.State)
    case question(Question)
  }
  @CasePathable
  enum Action: Equatable {
    case note(Note.Action)
    case other(Note.Action)
    case question(Question.Action)
  }
  @CasePathable
  enum CaseScope {
    case note(StoreOf<Note>)
    case other(StoreOf<Note>)
    case question(Question)
  }
  case note(Note)
  case other(Note)

  @ReducerBuilder<State, Action>
  static var body: some Reducer<State, Action> {
    Scope(state: \.note, action: \.note) { Note() }
    Scope(state: \.other, action: \.other) { Note() }
  }

  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope {
    switch store.state {
    case .note: .note(store.scope(state: \.note, action: \.note)!)
    case .other: .other(store.scope(state: \.other, action: \.other)!)
    case .question(let question): .question(question)
    }
  }
}

@Reducer
private struct Parent {
  @ObservableState
  struct State: Equatable {
    @Presents var destination: Destination.State?
    var path = StackState<Destination.State>()
    var answers = 0
  }
  enum Action: Equatable {
    case show(Destination.State)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Destination>)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .show(let destination): state.destination = destination
      case .destination(.presented(.question)): state.answers += 1
      case .destination, .path: break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }
}

/// Enums of features, presented and on stacks.
@MainActor
@Suite
struct CaseReducerTests {
  private let store = Store(initialState: Parent.State()) { Parent() }

  @Test func theCaseThatIsPresentedRuns() throws {
    store.send(.show(.note(Note.State())))
    store.send(.destination(.presented(.note(.type("a")))))
    #expect(store.destination?.note?.text == "a")
    let note = try #require(
      store.scope(state: \.destination?.note, action: \.destination.note))
    note.send(.type("b"))
    #expect(note.text == "ab")
    #expect(store.scope(state: \.destination?.other, action: \.destination.other) == nil)
  }

  @Test func anEphemeralCaseEndsWithItsOwnAction() {
    store.send(.show(.question(Question())))
    store.send(.destination(.presented(.question(.yes))))
    #expect(store.destination == nil)
    #expect(store.answers == 1)
  }

  @Test func theStoreOfACase() throws {
    store.send(.path(.push(id: 0, state: .other(Note.State()))))
    let element = store.scope(state: \.path, action: \.path)
      .scope(component: store.withState { $0.path.path[0] })
    guard case .other(let other) = element.case else {
      Issue.record("The store is in another case.")
      return
    }
    other.send(.type("c"))
    #expect(store.path[id: 0, case: \.other]?.text == "c")
  }
}
