public import Dependencies
internal import ConcurrencyExtras

/// A store for tests: it asserts how a feature's state changes as actions come in, and what its
/// effects send back.
///
/// ```swift
/// @Test
/// func fact() async {
///   let store = TestStore(initialState: Feature.State()) {
///     Feature()
///   } withDependencies: {
///     $0.numberFact.fetch = { "\($0) is a good number" }
///   }
///
///   await store.send(.incrementButtonTapped) {
///     $0.count = 1
///   }
///   await store.send(.factButtonTapped)
///   await store.receive(\.factResponse) {
///     $0.fact = "1 is a good number"
///   }
/// }
/// ```
///
/// By default it is *exhaustive*: a change of the state that is not described, an action of an
/// effect that is not received and an effect that still runs at the end of the test are failures.
/// Turn that off with ``exhaustivity`` to assert only some of it.
///
/// Actions of effects are reduced as soon as they arrive, in the order of a live store, and wait
/// for the test with the state that they left.
@preconcurrency @MainActor
public final class TestStore<State: Equatable, Action> {
  let ledger: TestLedger<State, Action>
  let core: StoreCore<State, Action>
  let probe = EffectProbe()

  /// How long to wait for effects where an assertion says nothing else, in nanoseconds; 1 second
  /// at first.
  public var timeout: UInt64 = 1_000_000_000

  // Read by the deinitializer, when nobody else can change it.
  private nonisolated(unsafe) var claimsMainSerialExecutor = false

  /// Makes a test store.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - reducer: The reducer that runs the feature.
  ///   - prepareDependencies: Changes dependencies for this store. They also hold while the initial
  ///     state and the reducer are made.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let (state, reducer, dependencies) = Dependencies.withDependencies(prepareDependencies) {
      (initialState(), reducer(), DependencyValues._current)
    }
    let ledger = TestLedger<State, Action>(
      state: state, dependencies: dependencies,
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    self.ledger = ledger
    self.core = makeTestCore(initialState: state, reducer: reducer, ledger: ledger)
    self.useMainSerialExecutor = true
  }

  deinit {
    let ledger = self.ledger
    // Found on the main actor, told here: the caller's task knows the test.
    let left = onMainActor { ledger.whatIsLeft() }
    left.report()
    if self.claimsMainSerialExecutor { MainSerialExecutor.leave() }
  }
}

/// The test store of a reducer.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable

extension TestStore {
  /// The state after the last asserted action.
  ///
  /// Changes by actions that wait to be received are not in it yet.
  public var state: State {
    self.ledger.state
  }

  /// The dependencies with which the feature runs. A change holds from the next action on.
  public var dependencies: DependencyValues {
    get { self.ledger.dependencies }
    set { self.ledger.dependencies = newValue }
  }

  /// How much of what the feature does has to be asserted; everything at first.
  public var exhaustivity: Exhaustivity {
    get { self.ledger.exhaustivity }
    set { self.ledger.exhaustivity = newValue }
  }

  /// Where changes of shared state are asserted that the actions of effects make: with the next
  /// assertion at first.
  ///
  /// Set it before the actions are sent. What effects change by themselves belongs to no action in
  /// either case: it may be asserted with any, and has to be asserted by
  /// ``assert(_:fileID:file:line:column:)`` at the latest.
  public var sharedChangesAssertion: SharedChangesAssertion {
    get { self.ledger.sharedChangesAssertion }
    set { self.ledger.sharedChangesAssertion = newValue }
  }

  /// Whether the feature has asked to be dismissed. It gets no more actions then.
  public var isDismissed: Bool {
    self.ledger.isDismissed
  }

  /// Whether every task of the process runs on the main actor's executor, in the order in which
  /// tasks are started.
  ///
  /// A test store turns it on as long as it lives.
  public var useMainSerialExecutor: Bool {
    get { uncheckedUseMainSerialExecutor }
    set {
      guard newValue != self.claimsMainSerialExecutor else { return }
      self.claimsMainSerialExecutor = newValue
      if newValue { MainSerialExecutor.enter() } else { MainSerialExecutor.leave() }
    }
  }
}
