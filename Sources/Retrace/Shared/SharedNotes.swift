internal import ActionLog

/// Finds what records tell of shared values from some position on.
struct SharedNotes {
  /// The position from which a replay goes on: what is told up to there it knows.
  private let position: Int
  /// What the records of that position have told. Those before its reducer's end are out of date.
  private var waiting: [[UInt8]] = []

  init(position: Int) {
    self.position = position
  }

  /// Takes a record that is passed by.
  ///
  /// - Parameter number: That of the action that it is or belongs to.
  /// - Returns: Whether there is something that waits for the next action.
  mutating func pass(_ record: LogRecord, number: Int, to player: SharedPlayer) -> Bool {
    if number > self.position { self.settle(player) }
    guard record.kind == .shared, number >= self.position else { return !self.waiting.isEmpty }
    switch record.payload.first {
    case SharedRecord.value.rawValue, SharedRecord.valueBefore.rawValue,
      SharedRecord.valueAhead.rawValue, SharedRecord.exchange.rawValue,
      SharedRecord.exchangeAhead.rawValue:
      if number > self.position {
        player.take(record.payload, after: number)
      } else if record.payload.first != SharedRecord.valueBefore.rawValue {
        self.waiting.append(Array(record.payload))
      }
    case SharedRecord.exchanged.rawValue where number > self.position:
      player.exchanges.note(record.payload, after: number)
    case SharedRecord.trace.rawValue where number == self.position:
      self.waiting = []
    default:
      break
    }
    return !self.waiting.isEmpty
  }

  /// The position is left.
  mutating func settle(_ player: SharedPlayer) {
    guard !self.waiting.isEmpty else { return }
    for payload in self.waiting {
      payload.withUnsafeBytes { player.take($0, after: self.position) }
    }
    self.waiting = []
  }
}
