import ComposableArchitecture

/// A form whose fields are bound.
@Reducer
struct Form {
  @ObservableState
  struct State: Equatable {
    var name = ""
    var isOn = false
    var size = Size()
    var changes: [String] = []
    var lengths = 0

    struct Size: Equatable, Sendable {
      var width = 0
      var height = 0.0
    }
  }

  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
    case submit
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.name) { old, new in
        Reduce { state, _ in
          reached(.onChangeReducer)
          state.changes = state.changes.suffix(3) + ["\(old)-\(new)"]
          return .none
        }
      }
    Reduce { state, action in
      switch action {
      case .binding(\.isOn):
        reached(.bindingMatch)
        reached(.bindingReducer)
        reached(.bindableAction)
        state.size.width &+= state.isOn ? 1 : -1
        return .none
      case .binding(\.size):
        state.lengths += 1
        return .none
      case .binding:
        if let name = action[case: \.binding.name] {
          reached(.bindingCasePath)
          state.lengths &+= name.utf8.count
        }
        return .none
      case .submit:
        state.name = "submitted"
        return .send(.set(\.size, State.Size(width: state.size.width, height: 0.5)))
      }
    }
    .onChange(of: { $0.name.count }) { old, state in
      reached(.onChangeState)
      state.lengths &+= state.name.count - old
      return .none
    }
  }
}

/// A form whose actions are those of a view.
@Reducer
struct Screen {
  @ObservableState
  struct State: Equatable {
    var title = ""
    var level = 0
    var loads = 0
  }

  enum Action: ViewAction, Equatable {
    case view(View)
    case loaded(Int)

    @CasePathable
    enum View: BindableAction, Equatable {
      case binding(BindingAction<State>)
      case load
    }
  }

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .view(.binding):
        reached(.bindingReducerView)
        reached(.viewAction)
        return .none
      case .view(.load):
        return .run { [level = state.level] send in await send(.loaded(level)) }
      case .loaded(let level):
        state.loads += 1
        state.level = level + 1
        return .none
      }
    }
  }
}

@ViewAction(for: Screen.self)
@MainActor
struct ScreenView {
  let store: StoreOf<Screen>

  func load() -> StoreTask {
    reached(.viewActionSending)
    return send(.load)
  }
}
