import ComposableArchitecture
import Testing

@Reducer
private struct Feature {
  @ObservableState
  struct State: Equatable {
    @Presents var alert: AlertState<Action.Alert>?
    @Presents var dialog: ConfirmationDialogState<Action.Dialog>?
    var deleted = 0
  }
  enum Action {
    case alert(PresentationAction<Alert>)
    case dialog(PresentationAction<Dialog>)
    case askTapped
    case chooseTapped

    enum Alert: Equatable { case confirm }
    enum Dialog: Equatable { case pick(Int) }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .askTapped:
        state.alert = .deletion
        return .none
      case .chooseTapped:
        state.dialog = ConfirmationDialogState {
          TextState("How many?")
        } actions: {
          for number in 1...3 {
            ButtonState(action: .pick(number)) { TextState("\(number)") }
          }
        }
        return .none
      case .alert(.presented(.confirm)):
        state.deleted += 1
        return .none
      case .dialog(.presented(.pick(let number))):
        state.deleted += number
        return .none
      case .alert, .dialog:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$dialog, action: \.dialog)
  }
}

extension AlertState where Action == Feature.Action.Alert {
  fileprivate static let deletion = Self {
    TextState("Delete?")
  } actions: {
    ButtonState(role: .destructive, action: .confirm) {
      TextState("Delete")
    }
  }
}

@MainActor
@Suite struct AlertFeatureTests {
  @Test func anActionOfTheAlertEndsIt() {
    let store = Store(initialState: Feature.State()) { Feature() }
    store.send(.askTapped)
    #expect(store.alert == .deletion)
    store.send(.alert(.presented(.confirm)))
    #expect(store.alert == nil)
    #expect(store.deleted == 1)
  }

  @Test func dismissalEndsIt() {
    let store = Store(initialState: Feature.State()) { Feature() }
    store.send(.askTapped)
    store.send(.alert(.dismiss))
    #expect(store.alert == nil)
    #expect(store.deleted == 0)
  }

  @Test func anActionOfTheDialogEndsIt() throws {
    let store = Store(initialState: Feature.State()) { Feature() }
    store.send(.chooseTapped)
    let button = try #require(store.dialog?.buttons.last)
    button.withAction { action in
      if let action { store.send(.dialog(.presented(action))) }
    }
    #expect(store.dialog == nil)
    #expect(store.deleted == 3)
  }

  @Test func otherActionsLeaveIt() {
    let store = Store(initialState: Feature.State()) { Feature() }
    store.send(.askTapped)
    store.send(.chooseTapped)
    #expect(store.alert == .deletion)
    #expect(store.dialog?.buttons.count == 3)
  }

  @Test func theStateRoundTripsThroughARecord() throws {
    var state = Feature.State()
    state.alert = .deletion
    let bytes = try RecordWriter.bytes(of: state)
    let copy = try bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      return try Feature.State(from: &reader)
    }
    #expect(copy == state)
    #expect(copy.alert?.buttons.first?.action == .send(.confirm))
  }
}
