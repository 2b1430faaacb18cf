import ComposableArchitecture
import Foundation

/// A list of timers that run by themselves; one that is removed stops.
@Reducer
struct TimerList {
  @ObservableState
  struct State: Equatable {
    var timers: IdentifiedArrayOf<KitchenTimer.State> = []

    var runningCount: Int { self.timers.filter(\.isRunning).count }
  }

  enum Action {
    case addButtonTapped(name: String, seconds: Int)
    case deleted(IndexSet)
    case moved(IndexSet, Int)
    case sortButtonTapped
    case timers(IdentifiedActionOf<KitchenTimer>)
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.uuid) var uuid

  enum CancelID { case sort }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped(let name, let seconds):
        let timer = KitchenTimer.State(id: self.uuid(), name: name, secondsLeft: seconds)
        state.timers.append(timer)
        return .none

      case .deleted(let offsets):
        state.timers.remove(atOffsets: offsets)
        return .none

      case .moved(let source, let destination):
        state.timers.move(fromOffsets: source, toOffset: destination)
        return .none

      case .sortButtonTapped:
        state.timers.sort { $0.secondsLeft < $1.secondsLeft }
        return .none

      case .timers(.element(id: _, action: .delegate(.finished))):
        // The order changes once, shortly after the last of several that finish together.
        return .run { send in
          try await self.clock.sleep(for: .milliseconds(300))
          await send(.sortButtonTapped)
        }
        .cancellable(id: CancelID.sort, cancelInFlight: true)

      case .timers(.element(let id, .stopButtonTapped)):
        if state.timers[id: id]?.secondsLeft == 0 { state.timers.remove(id: id) }
        return .none

      case .timers:
        return .none
      }
    }
    .forEach(\.timers, action: \.timers) {
      KitchenTimer()
    }
  }
}
