internal import ConcurrencyExtras
internal import Dependencies
internal import IssueReporting
@_spi(SharedChangeTracking) internal import Sharing

/// What a test store knows of its feature's run, and what of it the test has asserted.
///
/// Effects' actions are reduced as they arrive, like those of a live store; they wait here, each
/// with the state that it left, until the test receives them.
@MainActor
final class TestLedger<State: Equatable, Action> {
  /// An action that an effect sent.
  struct Received {
    let action: Action
    /// The state after it.
    let state: State
    /// The stack element id that was to be made next before it.
    let stackElementID: StackElementID
    /// What its reducer changed in shared state.
    let sharedChanges: SharedChangeTracker
  }

  /// The effects of one action that run.
  struct Running {
    let action: Action
    /// Where the test sent the action from which this one came.
    let place: SourcePlace
    var tasks: [Int: Task<Void, Never>?] = [:]

    /// A cancelled effect counts as ended, however long it takes to notice.
    var isInFlight: Bool { self.tasks.values.contains { $0?.isCancelled != true } }
  }

  /// The state after the last asserted action.
  var state: State
  var received: [Received] = []
  private var running: [Int: Running] = [:]

  var exhaustivity: Exhaustivity = .on
  var dependencies: DependencyValues
  var isDismissed = false
  var sharedChangesAssertion: SharedChangesAssertion = .withNextAssertion

  /// What effects have changed in shared state by themselves.
  let effectChanges = SharedChangeTracker(reportUnassertedChanges: false)
  /// What the reducer of the action that the test sent last has changed in shared state.
  private(set) var sentChanges = SharedChangeTracker(reportUnassertedChanges: false)
  /// Where the test is: at its last assertion in the file in which the store was made.
  private(set) var place: SourcePlace

  private var scopes: [EffectScope] = []
  private var sendPlace: SourcePlace
  private var places: [Int: SourcePlace] = [:]
  private var actionBeingReduced: (action: Action, number: Int, isReceived: Bool)?
  private var stackElementID: StackElementID = 0
  private var sharedChanges = SharedChangeTracker(reportUnassertedChanges: false)

  init(state: State, dependencies: DependencyValues, place: SourcePlace) {
    self.state = state
    self.dependencies = dependencies
    self.place = place
    self.sendPlace = place
  }

  /// The actions with effects in flight, in the order in which they ran.
  var inFlight: [Running] {
    self.running.sorted { $0.key < $1.key }.map(\.value).filter(\.isInFlight)
  }

  var hasEffectsInFlight: Bool {
    self.running.values.contains(where: \.isInFlight)
  }

  /// Lets effects go on, and tasks that a reducer may have started by itself begin.
  func letTasksRun() async {
    if self.scopes.contains(where: \.isRunning) || !uncheckedUseMainSerialExecutor {
      await Task.megaYield()
    } else {
      // Enough for a task to run until it waits for the first time.
      for _ in 0..<4 { await Task.yield() }
    }
  }

  /// Cancels every running effect, and counts none as running any more.
  func cancelEffects() {
    let scopes = self.scopes
    self.scopes = []
    self.running = [:]
    for scope in scopes { scope.cancel() }
  }
}

// MARK: - What the store tells

extension TestLedger {
  /// Notes how far the test has come.
  func didAssert(at place: SourcePlace) {
    if "\(place.filePath)" == "\(self.place.filePath)" { self.place = place }
  }

  /// Notes where the test sends an action.
  func willSend(at place: SourcePlace) {
    self.sendPlace = place
    self.scopes.removeAll { !$0.isRunning }
    guard self.scopes.isEmpty else { return }
    self.running = [:]
    self.places = [:]
  }

  /// Notes the effects of an action that the test sent.
  func didSend(_ scope: EffectScope?) {
    if let scope { self.scopes.append(scope) }
  }

  func actionWillReduce(_ action: Action, number: Int, origin: ActionOrigin) {
    var isReceived = false
    var place = self.sendPlace
    if origin.isEffect, let cause = origin.cause {
      isReceived = true
      place = self.places[cause] ?? place
    }
    self.places[number] = place
    self.actionBeingReduced = (action, number, isReceived)
    self.stackElementID = self.dependencies.stackElementID.peek()
    self.sharedChanges = SharedChangeTracker(reportUnassertedChanges: false)
  }

  /// Runs the reducer, and notes what it changes in shared state.
  func reduce<R>(_ reduce: () -> R) -> R {
    let changes = self.sharedChanges
    let result: R = changes.track(insteadOf: self.effectChanges, reduce)
    // What is changed later by others is not this action's outcome.
    changes.captureOutcome()
    return result
  }

  func actionDidReduce(number: Int, state: State) {
    guard let reduced = self.actionBeingReduced else { return }
    guard reduced.isReceived else {
      self.state = state
      self.sentChanges = self.sharedChanges
      return
    }
    self.received.append(
      Received(
        action: reduced.action, state: state, stackElementID: self.stackElementID,
        sharedChanges: self.sharedChanges))
  }

  func effectDidStart(action number: Int, index: Int) {
    // An action's first effect starts right after it; later ones, as those of a concatenation,
    // find the entry that the first one made.
    if self.running[number] == nil {
      guard let reduced = self.actionBeingReduced, reduced.number == number else { return }
      self.running[number] = Running(
        action: reduced.action, place: self.places[number] ?? self.place)
    }
    self.running[number]?.tasks.updateValue(nil, forKey: index)
  }

  func effectHasTask(_ task: Task<Void, Never>, action number: Int, index: Int) {
    // The entry is gone where the effect was skipped or has ended.
    guard self.running[number]?.tasks[index] != nil else { return }
    self.running[number]?.tasks.updateValue(task, forKey: index)
  }

  func effectDidEnd(action number: Int, index: Int) {
    _ = self.running[number]?.tasks.removeValue(forKey: index)
  }
}
