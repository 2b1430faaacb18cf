import ComposableArchitecture
import Foundation
import Observation

/// One row of a table of times that have nothing to be compared with but a given aim.
struct Row {
  let name: String
  /// Nanoseconds that the row is meant to take at most.
  let aim: Double?
  let steps: Int
  /// Does the work `steps` times.
  let work: @MainActor (_ steps: Int) async throws -> Void
}

/// Measures the rows in turn, round by round, and prints median, spread and aim.
@MainActor
func measure(_ title: String, _ rows: [Row], rounds: Int) async throws {
  print("\(title): nanoseconds a step, median of \(rounds) rounds (least to most), aim")
  var times = [Times](repeating: Times(), count: rows.count)
  let clock = ContinuousClock()
  for round in 0...rounds {
    for (index, row) in rows.enumerated() {
      let start = clock.now
      try await row.work(row.steps)
      let duration = clock.now - start
      // The first round warms up.
      guard round > 0 else { continue }
      let seconds =
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
      times[index].rounds.append(seconds * 1e9 / Double(row.steps))
    }
  }
  for (index, row) in rows.enumerated() {
    let name = row.name.padding(toLength: 46, withPad: " ", startingAt: 0)
    let aim = row.aim.map { String(format: "%9.0f", $0) } ?? "        –"
    print("  \(name) \(times[index].description) \(aim)")
  }
}

/// What the runtime of the architecture costs.
@MainActor
func architecture(only filter: String?, steps fixedSteps: Int?) async throws {
  var rows: [Row] = []
  func row(
    _ name: String, aim: Double?, steps: Int = 100_000,
    _ work: @escaping @MainActor (_ steps: Int) async throws -> Void
  ) {
    if let filter, !name.contains(filter) { return }
    rows.append(Row(name: name, aim: aim, steps: fixedSteps ?? steps, work: work))
  }

  row("UUID(), for comparison", aim: nil, steps: 10_000) { steps in
    for _ in 0..<steps { withExtendedLifetime(UUID()) {} }
  }

  let plain = Store(initialState: Counter.State()) { Counter() }
  row("send, root, plain", aim: 90) { steps in
    for _ in 0..<steps { plain.send(.increment) }
  }
  let overridden = Store(initialState: Counter.State()) {
    Counter()
  } withDependencies: {
    $0.uuid = .incrementing
  }
  row("send, root, plain, a dependency overridden", aim: 150) { steps in
    for _ in 0..<steps { overridden.send(.increment) }
  }
  let observable = Store(initialState: ObservableCounter.State()) { ObservableCounter() }
  row("send, root, observable", aim: 300) { steps in
    for _ in 0..<steps { observable.send(.increment) }
  }
  let observed = Store(initialState: ObservableCounter.State()) { ObservableCounter() }
  row("send, root, observable, one observer", aim: 1_500) { steps in
    for _ in 0..<steps {
      withObservationTracking {
        _ = observed.count
      } onChange: {
      }
      observed.send(.increment)
    }
  }
  row("read store.count, observable", aim: 100) { steps in
    var sum = 0
    for _ in 0..<steps { sum &+= observable.count }
    if sum == .min { print("") }
  }

  let plainLevels = Store(initialState: Plain1.State()) { Plain1() }
  let plain2 = plainLevels.scope(state: \.child, action: \.child)
  let plain4 = plain2.scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
  let plain6 = plain4.scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
  let one = Store(initialState: Plain5.State()) { Plain5() }
  let oneChild = one.scope(state: \.child, action: \.child)
  row("send, scoped 1 deep, plain", aim: 460) { steps in
    for _ in 0..<steps { oneChild.send(.increment) }
  }
  row("send, scoped 5 deep, plain", aim: 2_000) { steps in
    for _ in 0..<steps { plain6.send(.increment) }
  }
  let observedLevels = Store(initialState: Observed1.State()) { Observed1() }
  let observed3 = observedLevels.scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
  let observed6 = observed3.scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child).scope(state: \.child, action: \.child)
  let observedOne = Store(initialState: Observed5.State()) { Observed5() }
  let observedChild = observedOne.scope(state: \.child, action: \.child)
  row("send, scoped 1 deep, observable", aim: 960) { steps in
    for _ in 0..<steps { observedChild.send(.increment) }
  }
  row("send, scoped 5 deep, observable", aim: 4_000) { steps in
    for _ in 0..<steps { observed6.send(.increment) }
  }
  row("Store.scope, cached", aim: 200) { steps in
    for _ in 0..<steps {
      if plainLevels.scope(state: \.child, action: \.child) === plain4 { print("") }
    }
  }
  let nested = Store(initialState: Nested.State(depth: 10)) { Nested() }
  row("send to the innermost of 10 nested ifLet", aim: 27_000, steps: 2_000) { steps in
    let action = Nested.increment(depth: 10)
    for _ in 0..<steps { nested.send(action) }
  }

  row("fold, counter with a body", aim: 10) { steps in
    var state = Counter.State()
    let counter = Counter()
    for _ in 0..<steps { _ = counter._reduce(into: &state, action: .increment) }
    if state.count == .min { print("") }
  }
  row("fold, bare Reduce", aim: 10) { steps in
    var state = Counter.State()
    let reduce = Reduce<Counter.State, Counter.Action> { state, action in
      state.count += 1
      return .none
    }
    for _ in 0..<steps { _ = reduce._reduce(into: &state, action: .increment) }
    if state.count == .min { print("") }
  }
  let deepPlain = Plain1.Action.child(.child(.child(.child(.child(.increment)))))
  row("fold through 5 nested scopes, plain", aim: 1_000) { steps in
    var state = Plain1.State()
    let feature = Plain1()
    for _ in 0..<steps { _ = feature._reduce(into: &state, action: deepPlain) }
  }
  let deepObserved = Observed1.Action.child(.child(.child(.child(.child(.increment)))))
  row("fold through 5 nested scopes, observable", aim: 1_500) { steps in
    var state = Observed1.State()
    let feature = Observed1()
    for _ in 0..<steps { _ = feature._reduce(into: &state, action: deepObserved) }
  }
  row("fold through forEach over 1,000, plain", aim: 1_500, steps: 20_000) { steps in
    var state = PlainRows.State(count: 1_000)
    let feature = PlainRows()
    for index in 0..<steps {
      _ = feature._reduce(
        into: &state, action: .rows(.element(id: index % 1_000, action: .increment)))
    }
  }
  row("fold through forEach over 1,000, observable", aim: 3_000, steps: 20_000) { steps in
    var state = ObservedRows.State(count: 1_000)
    let feature = ObservedRows()
    for index in 0..<steps {
      _ = feature._reduce(
        into: &state, action: .rows(.element(id: index % 1_000, action: .increment)))
    }
  }
  for count in [1_000, 10_000] where filter.map({ "row stores".contains($0) }) ?? true {
    let list = Store(initialState: ObservedRows.State(count: count)) { ObservedRows() }
    let stores = Array(list.scope(state: \.rows, action: \.rows))
    for store in stores {
      withObservationTracking {
        _ = store.count
      } onChange: {
      }
    }
    row("send to a row while \(count) row stores live", aim: 5_000, steps: 2_000) { steps in
      for index in 0..<steps { stores[index % count].send(.increment) }
    }
  }

  @Shared(.inMemory("benchmarks-count")) var shared = 0
  let counter = $shared
  row("@Shared(.inMemory), withLock { $0 += 1 }", aim: 500) { steps in
    for _ in 0..<steps { counter.withLock { $0 += 1 } }
  }
  row("@Shared(.inMemory), read", aim: 100) { steps in
    var sum = 0
    for _ in 0..<steps { sum &+= counter.wrappedValue }
    if sum == .min { print("") }
  }
  let tested = TestStore(initialState: Counter.State()) { Counter() }
  row("TestStore step, send and assert", aim: 10_000, steps: 2_000) { steps in
    for _ in 0..<steps { await tested.send(.increment) { $0.count += 1 } }
  }

  let answering = Store(initialState: Answering.State()) { Answering() }
  row(".run round trip", aim: 60_000, steps: 2_000) { steps in
    for _ in 0..<steps { await answering.send(.ask).finish() }
  }
  row(".send(.response) round trip", aim: 700) { steps in
    for _ in 0..<steps { answering.send(.askAtOnce) }
  }
  row("a root store of an observable counter", aim: 1_500, steps: 20_000) { steps in
    for _ in 0..<steps {
      let store = Store(initialState: ObservableCounter.State()) { ObservableCounter() }
      withExtendedLifetime(store) {}
    }
  }
  try await measure("Architecture", rows, rounds: fixedSteps == nil ? 9 : 1)
}
