/// Which actions and states a stream has: what positions are resolved against.
struct StreamSpan: Hashable, Sendable {
  var run: Int
  var stream: String
  /// The first action that is still in the log; 1 unless older ones were pruned.
  var firstAction: Int
  /// The last action, or `firstAction - 1` where there is none.
  var lastAction: Int

  init(run: Int, stream: String, firstAction: Int = 1, lastAction: Int) {
    self.run = run
    self.stream = stream
    self.firstAction = firstAction
    self.lastAction = lastAction
  }

  var isEmpty: Bool { lastAction < firstAction }

  /// `2:cart/1200`.
  func address(_ number: Int) -> String { "\(run):\(stream)/\(number)" }

  /// The number of the action at a position.
  func action(_ position: Position) throws(PositionError) -> Int {
    guard !isEmpty else {
      throw PositionError(description: "Stream \(stream) of run \(run) has no action.")
    }
    let number: Int? = resolved(position, first: firstAction)
    guard let number, number >= firstAction, number <= lastAction else {
      let zero: String =
        position == .number(0) ? " State 0 is the initial state, before the first action." : ""
      throw PositionError(
        description: "Action \(Phrase.position(position)) does not exist: stream \(stream) of "
          + "run \(run) has \(list("action", firstAction)).\(zero)")
    }
    return number
  }

  /// The number of the state at a position; state 0 is the initial one.
  func state(_ position: Position) throws(PositionError) -> Int {
    let first: Int = firstAction - 1
    let number: Int? = resolved(position, first: first)
    guard let number, number >= first, number <= lastAction else {
      throw PositionError(
        description: "State \(Phrase.position(position)) does not exist: stream \(stream) of "
          + "run \(run) has \(list("state", first)).")
    }
    return number
  }

  /// The numbers of the actions of a range.
  func actions(_ range: AddressRange) throws(PositionError) -> ClosedRange<Int> {
    let lower: Int = try action(range.lower)
    let upper: Int = try action(range.upper)
    guard lower <= upper else {
      throw PositionError(
        description: "The range \(lower)-\(upper) is the wrong way round; "
          + "write \(upper)-\(lower).",
        isWrongUse: true)
    }
    return lower...upper
  }

  private func resolved(_ position: Position, first: Int) -> Int? {
    switch position {
    case .number(let number): return Int(exactly: number)
    case .end: return lastAction
    case .fromEnd(let count):
      guard let count = Int(exactly: count), count <= lastAction - first + 1 else { return nil }
      return lastAction - (count - 1)
    }
  }

  private func list(_ noun: String, _ first: Int) -> String {
    first == lastAction ? "only \(noun) \(first)" : "\(noun)s \(first) to \(lastAction)"
  }
}

/// A position that a stream does not have, or places that stand the wrong way round.
struct PositionError: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String
  /// Whether no stream at all has what was asked for.
  var isWrongUse = false
}
