internal import CustomDump
internal import Dependencies
internal import IssueReporting
@_spi(SharedChangeTracking) internal import Sharing

/// A step of the state, to be compared with what a test expects.
struct StateChange<State> {
  /// The state that an exhaustive test's closure starts from.
  let before: State
  let after: State
  /// The stack element id that was to be made next before the step: a closure that puts elements
  /// on a stack gives them the ids that the reducer gave them.
  let stackElementID: StackElementID
  /// What was changed in shared state.
  let shared: SharedStep
  /// Whether the closure tells the state as it is now, instead of a step: it may then leave
  /// everything as it is.
  var isAsItIs = false
}

extension TestStore {
  /// Asserts the state as it is now.
  ///
  /// ```swift
  /// store.assert {
  ///   $0.isLoading = false
  /// }
  /// ```
  ///
  /// For what a test does not assert with an action: a change that an effect made to a shared value,
  /// or the outcome of a test that is not exhaustive.
  ///
  /// - Parameter updateStateToExpectedResult: Changes the state to what is expected. Where the state
  ///   is as expected, it changes nothing.
  public func assert(
    _ updateStateToExpectedResult: @escaping (_ state: inout State) throws -> Void,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let state: State = self.state
    let received =
      self.sharedChangesAssertion == .atTheirAction
      ? [] : self.ledger.received.map(\.sharedChanges)
    self.assertStateChange(
      StateChange(
        before: state, after: state,
        stackElementID: self.dependencies.stackElementID.peek(),
        shared: SharedStep(required: [self.ledger.effectChanges], optional: received),
        isAsItIs: true),
      update: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Compares a step with what the test expects of it, and reports a difference.
  func assertStateChange(
    _ change: StateChange<State>, update: ((inout State) throws -> Void)?, at place: SourcePlace
  ) {
    do {
      switch self.exhaustivity {
      case .on:
        try self.assertWholeChange(change, update: update, at: place)
      case .off(let showSkippedAssertions):
        try self.assertPartOfChange(
          change, update: update, showSkippedAssertions: showSkippedAssertions, at: place)
      }
    } catch {
      place.report("Threw error: \(error)")
    }
  }

  private func assertWholeChange(
    _ change: StateChange<State>, update: ((inout State) throws -> Void)?, at place: SourcePlace
  ) throws {
    let shared = change.shared
    defer { shared.finish() }
    var outcome: Outcome = .asExpected
    var expected: State = change.before
    try shared.assert {
      expected = try self.updated(change.before, by: update, change)
      let hasOptional = shared.leaveUnexpected()
      if expected != change.after,
        !shared.holdsWithLaterChanges({ expected == change.after })
      {
        outcome = .different(differenceText(expected, change.after, actualName: "Actual"))
      } else if update != nil, !change.isAsItIs, !shared.hasChanges, !hasOptional,
        expected == change.before
      {
        outcome = .unchanged
      }
    }
    // Outside of the assertion shared values equal themselves: only the rest is compared here.
    let isOnlyShared: Bool =
      shared.hasChanges && !change.isAsItIs && expected == change.before
      && change.before == change.after
    self.report(
      outcome, isDescribed: update != nil && !isOnlyShared, self.exhaustivity, at: place)
  }

  /// What the closure sets has to hold already in the actual state; whatever else changed is skipped.
  private func assertPartOfChange(
    _ change: StateChange<State>, update: ((inout State) throws -> Void)?,
    showSkippedAssertions: Bool, at place: SourcePlace
  ) throws {
    // Shared values are told from what they are now, too.
    self.ledger.effectChanges.reset()
    let changes = SharedChangeTracker(reportUnassertedChanges: false)
    var outcome: Outcome = .asExpected
    try changes.assert {
      let expected = try self.updated(change.after, by: update, change)
      guard expected != change.after else { return }
      outcome = .different(differenceText(expected, change.after, actualName: "Actual"))
    }
    guard case .asExpected = outcome else {
      self.report(outcome, isDescribed: update != nil, .on, at: place)
      return
    }
    guard showSkippedAssertions else { return }

    // Told again from the state before, to show what an exhaustive test would have to say. The
    // closure's own failures were reported the first time.
    withExpectedIssue(
      isIntermittent: true, fileID: place.fileID, filePath: place.filePath, line: place.line,
      column: place.column
    ) {
      changes.assert {
        do {
          let expected = try self.updated(change.before, by: update, change)
          if expected != change.after {
            outcome = .different(differenceText(expected, change.after, actualName: "Actual"))
          } else if update != nil, !change.isAsItIs, expected == change.before {
            outcome = .unchanged
          }
        } catch {
          place.report("Skipped assertions. …\n\nThrew error: \(error)")
        }
      }
    }
    self.report(outcome, isDescribed: update != nil, self.exhaustivity, at: place)
  }

  /// A state after a test's closure, which runs with the dependencies of the store.
  private func updated(
    _ state: State, by update: ((inout State) throws -> Void)?, _ change: StateChange<State>
  ) throws -> State {
    guard let update else { return state }
    var values: DependencyValues = self.dependencies
    values.stackElementID = .incrementing(from: change.stackElementID)
    var state = state
    try values.install { try update(&state) }
    return state
  }

  private func report(
    _ outcome: Outcome, isDescribed: Bool, _ exhaustivity: Exhaustivity, at place: SourcePlace
  ) {
    switch outcome {
    case .asExpected: break
    case .unchanged:
      self.ledger.report(
        """
        Expected state to change, but no change occurred.

        The trailing closure made no observable modifications to state. If no change to state is \
        expected, omit the trailing closure.
        """, at: place, exhaustivity: exhaustivity)
    case .different(let difference):
      let heading: String =
        isDescribed
        ? "A state change does not match expectation"
        : "State was not expected to change, but a change occurred"
      self.ledger.report("\(heading): …\n\n\(difference)", at: place, exhaustivity: exhaustivity)
    }
  }
}

/// What the comparison of a step with its expectation gave.
private enum Outcome {
  case asExpected
  /// There was nothing to be described.
  case unchanged
  case different(String)
}

/// How two values differ, with a key to the marks; both of them where no difference shows.
func differenceText<Value>(_ expected: Value, _ actual: Value, actualName: String) -> String {
  if let difference = diff(expected, actual, format: .proportional) {
    return "\(difference.indented(by: 4))\n\n(Expected: −, \(actualName): +)"
  }
  return """
    Expected:
    \(String(describing: expected).indented(by: 2))

    \(actualName):
    \(String(describing: actual).indented(by: 2))
    """
}
