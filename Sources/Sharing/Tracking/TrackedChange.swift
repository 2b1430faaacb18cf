internal import CustomDump
internal import IssueReporting

/// A reference that was changed while a tracker tracked.
class AnyTrackedChange: @unchecked Sendable {
  /// Whether an assertion has said what is expected.
  var isExpected = false

  fileprivate init() {}

  /// The same change, for another tracker.
  func copy() -> AnyTrackedChange { self }

  /// Takes over the outcome of a later change of the same reference.
  func takeOutcome(of later: AnyTrackedChange) {}

  /// Whether the reference was not changed after the outcome.
  var isLatest: Bool { true }

  /// Keeps what the reference holds now as the outcome of its changes.
  func captureOutcome() {}

  /// Says that the changes were not asserted.
  func report() {}
}

/// A reference of a known type that was changed; the tracker's lock guards it.
final class TrackedChange<Value>: AnyTrackedChange, @unchecked Sendable {
  let reference: RootReference<Value>
  /// What the reference held before, and then what the assertion says that it holds.
  var expectation: Value {
    didSet { isExpected = true }
  }
  /// What the reference held when the changes were over, when that was kept.
  var outcome: Value?
  private var outcomeVersion: UInt64?

  init(_ reference: RootReference<Value>) {
    self.reference = reference
    self.expectation = reference.rawValue
  }

  private init(_ other: TrackedChange) {
    self.reference = other.reference
    self.expectation = other.expectation
    self.outcome = other.outcome
    self.outcomeVersion = other.outcomeVersion
  }

  override func copy() -> AnyTrackedChange { TrackedChange(self) }

  override func captureOutcome() {
    outcome = reference.rawValue
    outcomeVersion = reference.version
  }

  override func takeOutcome(of later: AnyTrackedChange) {
    let later = unsafeDowncast(later, to: TrackedChange.self)
    outcome = later.outcome
    outcomeVersion = later.outcomeVersion
  }

  override var isLatest: Bool {
    outcomeVersion == nil || outcomeVersion == reference.version
  }

  override func report() {
    let type = "Shared<\(Value.self)>"
    let place: SourcePlace = reference.place
    guard
      let difference = diff(expectation, outcome ?? reference.rawValue, format: .proportional)
    else { return }
    let indented: String = difference.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    reportIssue(
      """
      Tracked changes to '\(type)@\(place.fileID):\(place.line)' but failed to assert: …

      \(indented)

      (Before: −, After: +)

      Call '\(type).assert' to exhaustively test these changes, or call 'skipChanges' to ignore \
      them.
      """,
      fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
  }
}
