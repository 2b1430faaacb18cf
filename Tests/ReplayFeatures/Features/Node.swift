import ComposableArchitecture
import Foundation

/// A feature made of all others, and of itself: in a tree, in stacks, in lists, alone or presented.
@Reducer
struct Node {
  /// What is presented.
  @Reducer
  enum Destination {
    case alert(AlertState<Choice>)
    case dialog(ConfirmationDialogState<Choice>)
    case form(Form)
    case worker(Worker)
    case node(Node)
  }

  /// What a stack holds.
  @Reducer
  enum Path {
    case leaf(Row)
    case worker(Worker)
    case node(Node)
  }

  @CasePathable
  enum Choice: Equatable, Sendable {
    case yes
    case number(Int)
  }

  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var leaf: Leaf.State
    var optional: Leaf.State?
    var note: AlertState<Choice>?
    var rows: IdentifiedArrayOf<Row.State> = []
    var children: IdentifiedArrayOf<Node.State> = []
    @Presents var destination: Destination.State?
    @Presents var sheet: Worker.State?
    @Presents var alert: AlertState<Choice>?
    var path = StackState<Path.State>()
    var pages = StackState<Counter.State>()
    var choices: [Int] = []
    var actions = 0
    var dismissals = 0
  }

  indirect enum Action {
    case leaf(Leaf.Action)
    case optional(Leaf.Action)
    case note(Choice)
    case rows(IdentifiedActionOf<Row>)
    case children(IdentifiedActionOf<Node>)
    case destination(PresentationAction<Destination.Action>)
    case sheet(PresentationAction<Worker.Action>)
    case alert(PresentationAction<Choice>)
    case path(StackActionOf<Path>)
    case pages(StackActionOf<Counter>)
    case edit(Edit)
  }

  /// What happens to the parts.
  enum Edit: Equatable {
    case addRow(Kind)
    case removeRow(Int)
    case moveRow(Int, Int)
    case addChild(Kind)
    case removeChild(Int)
    case setOptional(Kind?)
    case show(Screen)
    case showNote
    case hide
    case push(Kind)
    case pushNode(Kind)
    case pop(Int)
    case popTo(Int)
    case replacePath(Int)
    case pushPage(Int)
    case touchPages
  }

  /// The kinds of small features.
  enum Kind: Int, CaseIterable, Equatable {
    case counter
    case reader
    case bag
    case form
    case screen
    case phase
    case worker
    case popup
    case vault
  }

  /// The kinds of what is presented.
  enum Screen: Int, CaseIterable, Equatable {
    case alert
    case dialog
    case form
    case worker
    case node
    case sheet
    case presentedAlert
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    self.parts
    self.presented
    Reduce { state, action in
      state.actions &+= 1
      self.mark(action)
      return .none
    }
  }

  private var parts: some ReducerOf<Self> {
    CombineReducers {
      Scope(state: \.leaf, action: \.leaf) { Leaf.body }
      Reduce { state, action in
        reached(.scopeState)
        return self.removals(in: &state, action)
      }
      .ifLet(\.optional, action: \.optional) { Leaf.body }
      .ifLet(\.note, action: \.note)
      .forEach(\.rows, action: \.rows) {
        Row()
          .dependency(Pace(factor: 3))
          .dependency(\.locale, Locale(identifier: "fr_FR"))
      }
      .forEach(\.children, action: \.children) {
        Node()
          .transformDependency(\.self) { $0[Pace.self].factor += 1 }
      }
    }
    .dependency(Pace(factor: 2))
  }

  private var presented: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .edit(let edit) = action else { return .none }
      self.apply(edit, to: &state)
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .ifLet(\.$sheet, action: \.sheet) { Worker() }
    .ifLet(\.$alert, action: \.alert)
    .forEach(\.path, action: \.path)
    .forEach(\.pages, action: \.pages) { Counter(isShort: true, bonus: 2) }
    ._printChanges(nil)
  }

  /// What a parent does when its children say so.
  private func removals(in state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .rows(.element(let id, .remove)):
      state.rows.remove(id: id)
      return .none
    case .note(let choice), .alert(.presented(let choice)),
      .destination(.presented(.alert(let choice))), .destination(.presented(.dialog(let choice))):
      if case .number(let number) = choice { state.choices.append(number) }
      return .none
    case .destination(.dismiss), .sheet(.dismiss), .alert(.dismiss):
      state.dismissals += 1
      return state.dismissals % 3 == 0 ? .send(.edit(.addRow(.worker))) : .none
    case .path(.popFrom):
      return .run(name: "popped") { send in await send(.edit(.touchPages)) }
    default:
      return .none
    }
  }
}

extension Node.Destination.State: Equatable {}
extension Node.Path.State: Equatable {}
