import ComposableArchitecture
import Foundation

/// One timer that counts down.
@Reducer
struct KitchenTimer {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: UUID
    var name: String
    var secondsLeft: Int
    var isRunning = false
  }

  enum Action {
    case delegate(Delegate)
    case startButtonTapped
    case stopButtonTapped
    case ticked

    @CasePathable
    enum Delegate {
      case finished
    }
  }

  @Dependency(\.continuousClock) var clock

  enum CancelID { case ticking }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .delegate:
        return .none

      case .startButtonTapped:
        state.isRunning = true
        return .run { [clock] send in
          for await _ in clock.timer(interval: .seconds(1)) {
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.ticking, cancelInFlight: true)

      case .stopButtonTapped:
        state.isRunning = false
        return .cancel(id: CancelID.ticking)

      case .ticked:
        state.secondsLeft -= 1
        guard state.secondsLeft <= 0 else { return .none }
        state.isRunning = false
        return .concatenate(
          .cancel(id: CancelID.ticking),
          .send(.delegate(.finished))
        )
      }
    }
  }
}
