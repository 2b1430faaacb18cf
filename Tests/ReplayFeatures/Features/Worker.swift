import ComposableArchitecture

/// Starts effects of every form, put together as its actions say.
@Reducer
struct Worker {
  @ObservableState
  struct State: Equatable {
    var answers: [Int] = []
    var failures = 0
    var starts = 0
    var isPresented = false
  }

  enum Action: Equatable {
    case start(Plan)
    case answer(Int)
    case result(TaskResult<Int>)
    case failed(String)
    case close
  }

  /// How an effect waits before it answers.
  enum Wait: Equatable, Sendable {
    case none
    case yields(Int)
    /// Until it is let go.
    case held
    /// On another thread.
    case elsewhere(Int)
  }

  /// What an effect does.
  indirect enum Plan: Equatable, Sendable {
    case nothing
    case send(Int)
    case run(Wait, [Int])
    case named(Wait, Int)
    case failing(Wait, Int)
    case throwing(Wait)
    case result(Wait, Int)
    case sequence([Int])
    case inner(Plan)
    case mapped(Plan)
    case merge([Plan])
    case pair(Plan, Plan)
    case list([Plan])
    case chain(Plan, Plan)
    case cancellable(Int, cancelInFlight: Bool, Plan)
    case cancel(Int)
    case scoped(Int, Wait, Int)
    case cancelLater(Int, Wait)
    case debounced(Int, Plan)
    case throttled(Int, latest: Bool, Plan)
    case timer(Int, count: Int)
  }

  enum CancelID: Hashable, Sendable {
    case work(Int)
    case pause(Int)
  }

  struct Failure: Error, Equatable {
    var number: Int
  }

  @Dependency(Gates.self) var gates
  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.isPresented) var isPresented

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start(let plan):
        state.starts += 1
        if self.isPresented {
          reached(.isPresented)
          state.isPresented = true
        }
        return self.effect(plan)
      case .answer(let number):
        state.answers.append(number)
        state.answers.removeFirst(max(0, state.answers.count - 12))
        return number % 17 == 16 ? self.effect(.run(.yields(1), [number + 1])) : .none
      case .result(.success(let number)):
        reached(.taskResult)
        state.answers.append(number &* 2)
        return .none
      case .result(.failure):
        state.failures += 100
        return .none
      case .failed:
        state.failures += 1
        return .none
      case .close:
        guard self.isPresented else { return .none }
        return .run { _ in
          reached(.dismissEffect)
          await self.dismiss()
        }
      }
    }
  }
}
