internal import ActionCoding

// Stretches of a stream between which records are missing.
extension Timeline {
  /// - Throws: A ``ReplayError`` where the state after an action can't be known, since what led to it
  ///   is missing from the log.
  func checkIsThere(_ number: Int) throws(ReplayError) {
    guard let missing = self.stream.missingStates.first(where: { $0.contains(number) }) else {
      return
    }
    let what =
      missing.count == 1
      ? "The state \(number) of '\(self.stream.name)' is"
      : "The states \(missing.lowerBound) to \(missing.upperBound) of '\(self.stream.name)' are"
    throw ReplayError(
      .gap,
      """
      \(what) missing from '\(self.inspector.path)', which could not be written for a while. It \
      goes on with state \(missing.upperBound + 1). Run 'retrace info' to see what is missing and why.
      """, action: number)
  }

  /// The error for who looks for a change and comes to a gap.
  func unknownChange(before restart: StreamRestart) -> ReplayError {
    ReplayError(
      .gap,
      """
      The value is the same since state \(restart.number) of '\(self.stream.name)'. When it was changed \
      before can't be told: '\(self.inspector.path)' could not be written for a while after action \
      \(restart.lastNumber).
      """, action: restart.number)
  }

  /// The state from which everything up to an action can be folded, if need be: the first one, or the
  /// one behind the last gap.
  func firstState(before number: Int) throws(ReplayError) -> Start {
    guard let restart = self.stream.index.restart(upTo: number) else { return self.firstState }
    return try self.state(behind: restart)
  }

  /// The state with which the log goes on behind a gap.
  private func state(behind restart: StreamRestart) throws(ReplayError) -> Start {
    do throws(RecordDecodingError) {
      return try restart.payload.span.bytes.withUnsafeBytes { (raw) throws(RecordDecodingError) in
        var reader = RecordReader(raw)
        let header = try StateHeader(from: &reader)
        if let reason = header.reasonForAbsence { throw reader.error(reason) }
        let (state, shared) = try self.types.readState(&reader, self.shared)
        return (
          restart.number,
          ReplayMoment(state: state, shared: shared, nextSequence: restart.sequence)
        )
      }
    } catch {
      throw ReplayError(
        .gap,
        """
        '\(self.inspector.path)' could not be written for a while after action \(restart.lastNumber), \
        and the state with which it goes on, that after action \(restart.number), can't be read. \
        \(error)
        """, action: restart.number)
    }
  }

  /// Folds up to an action, over what is missing on the way.
  ///
  /// - Returns: How many actions were missing.
  func foldOverGaps(through last: Int, _ visit: (Timeline) throws -> Void) throws -> Int {
    var missing = 0
    for restart in self.stream.index.restarts
    where restart.lastNumber >= self.position && restart.number <= last {
      try self.fold(through: restart.lastNumber, visitingEach: 4_096, visit: visit)
      self.jump(to: try self.state(behind: restart))
      missing += restart.number - restart.lastNumber
    }
    try self.fold(through: last, visitingEach: 4_096, visit: visit)
    return missing
  }
}
