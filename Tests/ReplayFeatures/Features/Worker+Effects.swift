import ComposableArchitecture

extension Worker {
  /// The effect that a plan describes.
  func effect(_ plan: Plan) -> Effect<Action> {
    switch plan {
    case .nothing:
      return .none
    case .send(let number):
      reached(.effectSend)
      return .send(.answer(number))
    case .run, .named, .failing, .throwing, .result, .scoped, .cancelLater, .timer:
      return self.running(plan)
    case .sequence(let numbers):
      return .publisher {
        reached(.effectPublisher)
        return AsyncStream<Action> { continuation in
          for number in numbers { continuation.yield(.answer(number)) }
          continuation.finish()
        }
      }
    case .inner(let plan):
      let effect = self.effect(plan)
      return .publisher {
        reached(.effectPublisherSequence)
        return _EffectPublisher(effect)
      }
    case .mapped(let plan):
      return self.effect(plan).map { action in
        reached(.effectMap)
        if case .answer(let number) = action { return .answer(number &+ 1_000) }
        return action
      }
    case .merge, .pair, .list, .chain:
      return self.composed(plan)
    case .cancellable, .cancel, .debounced, .throttled:
      return self.cancelled(plan)
    }
  }

  private func running(_ plan: Plan) -> Effect<Action> {
    switch plan {
    case .run(let wait, let numbers):
      return .run { [gates] send in
        reached(.effectRun)
        reached(.sendValue)
        for number in numbers {
          try await gates.pass(wait)
          await send(.answer(number))
        }
      }
    case .named(let wait, let number):
      return .run(priority: .high, name: "work \(number % 3)") { send in
        reached(.effectRunName)
        try await self.gates.pass(wait)
        await send(.answer(number))
      }
    case .failing(let wait, let number):
      return .run { [gates] _ in
        try await gates.pass(wait)
        throw Failure(number: number)
      } catch: { error, send in
        reached(.effectRunCatch)
        await send(.failed(String(describing: error)))
      }
    case .throwing(let wait):
      return .run { [gates] _ in
        try await gates.pass(wait)
        throw CancellationError()
      }
    case .result(let wait, let number):
      return .run { [gates] send in
        try await gates.pass(wait)
        await send(.result(TaskResult { number }))
      }
    case .scoped(let id, let wait, let number):
      return .run { [gates] send in
        reached(.withTaskCancellation)
        try await withTaskCancellation(id: CancelID.work(id), cancelInFlight: number % 2 == 0) {
          try await gates.pass(wait)
          await send(.answer(number))
        }
      }
    case .cancelLater(let id, let wait):
      return .run { [gates] _ in
        try await gates.pass(wait)
        reached(.taskCancel)
        Task.cancel(id: CancelID.work(id))
      }
    case .timer(let id, let count):
      return .run { [clock] send in
        for number in 0..<count {
          try await clock.sleep(for: .seconds(1))
          await send(.answer(number))
        }
      }
      .cancellable(id: CancelID.work(id), cancelInFlight: true)
    default:
      return .none
    }
  }

  private func composed(_ plan: Plan) -> Effect<Action> {
    switch plan {
    case .merge(let plans):
      if plans.count == 2 {
        reached(.effectMerge)
        return .merge(self.effect(plans[0]), self.effect(plans[1]))
      }
      reached(.effectMergeSequence)
      return .merge(plans.map { self.effect($0) })
    case .pair(let first, let second):
      reached(.effectMergeWith)
      return self.effect(first).merge(with: self.effect(second))
    case .list(let plans):
      if plans.count == 2 {
        reached(.effectConcatenate)
        return .concatenate(self.effect(plans[0]), self.effect(plans[1]))
      }
      reached(.effectConcatenateCollection)
      return .concatenate(plans.map { self.effect($0) })
    case .chain(let first, let second):
      reached(.effectConcatenateWith)
      return self.effect(first).concatenate(with: self.effect(second))
    default:
      return .none
    }
  }

  private func cancelled(_ plan: Plan) -> Effect<Action> {
    switch plan {
    case .cancellable(let id, let cancelInFlight, let plan):
      reached(cancelInFlight ? .effectCancelInFlight : .effectCancellable)
      return self.effect(plan)
        .cancellable(id: CancelID.work(id), cancelInFlight: cancelInFlight)
    case .cancel(let id):
      reached(.effectCancel)
      return .cancel(id: CancelID.work(id))
    case .debounced(let id, let plan):
      reached(.effectDebounce)
      return self.effect(plan)
        .debounce(id: CancelID.pause(id), for: .seconds(1), clock: self.clock)
    case .throttled(let id, let latest, let plan):
      reached(.effectThrottle)
      return self.effect(plan)
        .throttle(id: CancelID.pause(id), for: .seconds(1), clock: self.clock, latest: latest)
    default:
      return .none
    }
  }
}
