import ComposableArchitecture

/// Presents a worker, as features did before their states were observed.
@Reducer
struct Popup {
  struct State: Equatable {
    @PresentationState var worker: Worker.State?
    var openings = 0
  }

  enum Action {
    case open
    case worker(PresentationAction<Worker.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open:
        state.worker = Worker.State()
        state.openings += 1
        return .none
      case .worker(.dismiss):
        state.openings -= 1
        return .none
      case .worker:
        if state.$worker.starts != nil { reached(.presentationState) }
        return .none
      }
    }
    .ifLet(\.$worker, action: \.worker) { Worker() }
  }
}
