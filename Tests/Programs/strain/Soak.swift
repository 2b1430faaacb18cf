import ComposableArchitecture
import Foundation

@Reducer
private struct Element {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
  }
  enum Action { case tap, work, stop }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap:
        state.count += 1
        return .none
      case .work:
        return .run { _ in try await Task.never() }
          .cancellable(id: "work", cancelInFlight: true)
      case .stop:
        return .cancel(id: "work")
      }
    }
  }
}

@Reducer
private struct Everything {
  @ObservableState
  struct State: Equatable {
    @Shared var total: Int
    @Presents var sheet: Element.State?
    var rows: IdentifiedArrayOf<Element.State> = []
    var path = StackState<Element.State>()
  }
  enum Action {
    case come(Int)
    case go
    case echo(Int)
    case sheet(PresentationAction<Element.Action>)
    case rows(IdentifiedActionOf<Element>)
    case path(StackActionOf<Element>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .come(let round):
        state.sheet = Element.State(id: round)
        state.rows = [Element.State(id: round), Element.State(id: round + 1)]
        state.path.append(Element.State(id: round))
        return .none
      case .go:
        state.sheet = nil
        state.rows = []
        state.path.removeAll()
        return .none
      case .echo(let left):
        state.$total.withLock { $0 += 1 }
        return left == 0 ? .none : .merge(.send(.echo(left - 1)), .run { _ in })
      case .sheet, .rows, .path:
        return .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) { Element() }
    .forEach(\.rows, action: \.rows) { Element() }
    .forEach(\.path, action: \.path) { Element() }
  }
}

/// Runs rounds in which features with running effects come and go, and compares the memory of the
/// process after a warm-up with that at the end.
@MainActor
func runSoak(rounds: Int) async {
  let store = Store(initialState: Everything.State(total: Shared(value: 0))) { Everything() }
  await run(store, rounds: 0..<rounds)
  let beforehand = residentBytes()
  await run(store, rounds: rounds..<rounds * 2)
  let growth = residentBytes() - beforehand
  // The allocator keeps up to 600 KB in reserve, however many rounds there are. A round starts a
  // dozen effects: 40 bytes of each that stayed would be more than a thousand rounds may take. An
  // address sanitizer keeps what is freed, and looks for leaks by itself.
  let isSanitized = dlsym(nil, "__asan_init") != nil
  let isBounded = growth < 1 << 20 || isSanitized
  print("soak \(rounds): \(isBounded ? "bounded" : "grew by \(growth) bytes")")
}

@MainActor
private func run(_ store: StoreOf<Everything>, rounds: Range<Int>) async {
  for round in rounds {
    var tasks: [StoreTask] = [store.send(.come(round))]
    if let sheet = store.scope(state: \.sheet, action: \.sheet.presented) {
      tasks += [sheet.send(.work), sheet.send(.work), sheet.send(.tap)]
    }
    for row in store.scope(state: \.rows, action: \.rows) { tasks.append(row.send(.work)) }
    if let id = store.path.ids.first {
      tasks.append(store.send(.path(.element(id: id, action: .work))))
    }
    tasks.append(store.send(.echo(1)))
    withObservationTracking {
      _ = store.sheet?.count
    } onChange: {
    }
    store.send(.rows(.element(id: round, action: .stop)))
    store.send(.go)
    // Everything that was started has been cancelled.
    for task in tasks { await task.finish() }
  }
}

/// What the process has in memory.
private func residentBytes() -> Int {
  let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
    .split(separator: " ")
  guard let fields, fields.count > 1, let pages = Int(fields[1]) else { return 0 }
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
