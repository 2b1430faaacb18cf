import ComposableArchitecture

/// A feature that is in one of several phases.
@Reducer
struct Phase {
  @ObservableState
  enum State: Equatable {
    case waiting(Counter.State)
    case working(Worker.State)
    case over(Int)
  }

  enum Action {
    case waiting(Counter.Action)
    case working(Worker.Action)
    case next
    case restart(Int)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.waiting, action: \.waiting) {
      Counter()
      Reduce { _, _ in
        reached(.scopeCase)
        return .none
      }
    }
    Reduce { state, action in
      switch action {
      case .next:
        switch state {
        case .waiting(let counter):
          state = .working(Worker.State(answers: [counter.count]))
        case .working(let worker):
          state = .over(worker.answers.count)
        case .over(let count):
          state = .waiting(Counter.State(count: count))
        }
        return .none
      case .restart(let count):
        state = .working(Worker.State(answers: [count]))
        return .none
      case .waiting, .working:
        return .none
      }
    }
    .ifCaseLet(\.working, action: \.working) {
      Worker()
      Reduce { _, _ in
        reached(.ifCaseLet)
        return .none
      }
    }
  }
}
