public import ActionCoding
internal import ActionLog
internal import Foundation

extension Timeline: StateHistory {
  public func stateValue() throws -> RecordValue {
    try self.value(of: self.encodedState())
  }

  public func stateValue(at path: RecordPath) throws -> RecordValue {
    try self.stateValue().value(at: path)
  }

  public func lastChange(
    of path: RecordPath, upTo number: Int, progress: (Int) -> Void
  ) throws -> ValueChange? {
    // Stretches from the end backwards: the change is usually not far.
    var end = number
    var length = CheckpointSchedule.minimumActions
    try self.checkIsThere(number)
    while end > self.firstPosition {
      // Behind a gap the state is known again, and not what led to it.
      let restart = self.stream.index.restart(upTo: end)
      if let restart, restart.number == end { throw self.unknownChange(before: restart) }
      let start = max(restart?.number ?? self.firstPosition, end - length)
      try self.move(to: start)
      var probe = StateProbe(
        path: path, coder: self.types.stateCoder, schema: self.types.stateSchema)
      probe.begin(with: self.state)
      var found: Int?
      try self.fold(through: end, visitingEach: 1) { timeline in
        if probe.hasChanged(in: timeline.state) { found = timeline.position }
        if timeline.position % 1_024 == 0 { progress(timeline.position) }
      }
      if let found {
        try self.move(to: found)
        let new = probe.value(in: self.state)
        try self.move(to: found - 1)
        let old = probe.value(in: self.state)
        try self.move(to: found)
        return ValueChange(action: found, old: old, new: new)
      }
      end = start
      length *= 2
    }
    return nil
  }

  public func typeChanges() throws -> RecordVerdict {
    guard !self.types.hasSameStates || !self.types.hasSameActions else { return RecordVerdict() }
    var state = RecordUsage(of: self.types.recordedState)
    var action = RecordUsage(of: self.types.recordedAction)
    if let restated = self.stream.restatedState {
      try restated.withUnsafeBytes { try Self.note($0, state: &state) }
    }
    var cursor = StreamCursor(self.inspector, self.stream, from: 0)
    while let record = try cursor.next() {
      switch record.kind {
      case .state:
        try Self.note(record.payload, state: &state)
      case .action:
        var reader = RecordReader(record.payload)
        let header = try ActionHeader(number: cursor.number, from: &reader)
        if !header.isAbsent { try action.note(from: &reader) }
      default: break
      }
    }
    return self.types.verdict(state: state, action: action)
  }

  private static func note(
    _ payload: UnsafeRawBufferPointer, state: inout RecordUsage
  ) throws(RecordDecodingError) {
    var reader = RecordReader(payload)
    guard try StateHeader(from: &reader).reasonForAbsence == nil else { return }
    _ = try SharedValues(from: &reader)
    try state.note(from: &reader)
  }

  public func replay(progress: (Int) -> Void) throws -> ReplayReport {
    try self.move(to: self.firstPosition)
    var report = ReplayReport(actionCount: 0, seconds: 0, statesCompared: 0)
    let clock = ContinuousClock()
    let start = clock.now
    // What a state behind a difference that a digest told has of it.
    var later: Divergence?
    do {
      report.divergence = try self.foldComparing(&report, later: &later, progress)
    } catch let divergence as Divergence {
      report.divergence = divergence
    }
    if let noted = self.divergence, noted.action <= report.divergence?.action ?? .max {
      report.divergence = noted
    }
    report.actionCount = self.position - self.firstPosition - report.missingCount
    let end = self.position
    report.redactions = self.redactions
    report.liveDependencies = self.liveDependencies
    let duration = clock.now - start
    report.seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    if let found = report.divergence, found.path.isEmpty, found.kind == .state {
      var detailed = (try? self.detailed(found)) ?? found
      if detailed.path.isEmpty, let later { detailed = self.refined(found, by: later) }
      report.divergence = detailed
      if self.divergence == found { self.refine(detailed) }
      // Not by a jump, which might begin at a state that was recorded.
      _ = try self.foldOverGaps(through: end) { _ in }
    }
    return report
  }

  /// Folds everything, and compares with each recorded state up to the first difference.
  private func foldComparing(
    _ report: inout ReplayReport, later: inout Divergence?, _ progress: (Int) -> Void
  ) throws -> Divergence? {
    var lastAgreement = self.firstPosition
    self.beginSideIndex()
    defer { self.endSideIndex(through: nil) }
    var states = RecordedStates(self.inspector, self.stream, from: self.firstPosition)
    while let recorded = try states.next() {
      // What was written too late to be compared where it stands, and in time once more.
      if recorded.number < self.position { continue }
      report.missingCount += try self.foldOverGaps(through: recorded.number) { timeline in
        progress(timeline.position)
      }
      let found: Divergence?
      do {
        found = try self.divergence(from: recorded, lastAgreement: lastAgreement)
      } catch is RecordDecodingError {
        if report.unreadableStates.count < 100 { report.unreadableStates.append(recorded.number) }
        continue
      }
      report.statesCompared += 1
      // A digest tells at which action, and the state what is another there.
      if let noted = self.divergence, noted.kind == .state {
        later = found
        return noted
      }
      if let found {
        return try self.firstDivergence(between: lastAgreement, and: recorded.number) ?? found
      }
      lastAgreement = recorded.number
    }
    report.missingCount += try self.foldOverGaps(through: self.count) { timeline in
      progress(timeline.position)
    }
    if self.divergence == nil { self.endSideIndex(through: lastAgreement) }
    return nil
  }

  /// Looks at every state in the log of which only some were compared.
  private func firstDivergence(between agreement: Int, and last: Int) throws -> Divergence? {
    // The state there is as it was recorded; from it on nothing is taken from the log.
    try self.move(to: agreement)
    defer { try? self.fold(through: last) }
    var lastAgreement = agreement
    var states = RecordedStates(
      self.inspector, self.stream, from: agreement, through: last, isThorough: true)
    while let recorded = try states.next(), recorded.number < last {
      try self.fold(through: recorded.number)
      do {
        if let found = try self.divergence(from: recorded, lastAgreement: lastAgreement) {
          return found
        }
      } catch is RecordDecodingError {
        continue
      }
      lastAgreement = recorded.number
    }
    return nil
  }

  /// A difference that a digest told, with what a later state tells of it.
  private func refined(_ noted: Divergence, by found: Divergence) -> Divergence {
    var refined = noted
    refined.path = found.path
    let later = found.action == noted.action ? "" : " after action \(found.action)"
    refined.expected = found.expected + later
    refined.actual = found.actual + later
    return refined
  }

  // MARK: - Comparing with recorded states

  /// The numbers of the actions whose states are in the log, after the first.
  package func checkpointNumbers() throws -> [Int] {
    var states = RecordedStates(
      self.inspector, self.stream, from: self.firstPosition, isThorough: true)
    var numbers: [Int] = []
    while let state = try states.next() { numbers.append(state.number) }
    return numbers
  }

  private func divergence(from recorded: RecordedState, lastAgreement: Int) throws -> Divergence? {
    let change = try recorded.payload.withUnsafeBytes { payload in
      var reader = RecordReader(payload)
      let header = try StateHeader(from: &reader)
      let values = try SharedValues(from: &reader)
      return try self.types.difference(
        from: UnsafeRawBufferPointer(rebasing: payload.dropFirst(reader.offset)), to: self.state,
        redacted: header.redacted, self.shared, values)
    }
    guard let change else { return nil }
    return Divergence(
      kind: .state, action: recorded.number, lastAgreement: lastAgreement, path: change.path,
      expected: change.first.map { "\($0)" } ?? "absent",
      actual: change.second.map { "\($0)" } ?? "absent", place: nil,
      address: self.address(of: recorded.number), hint: self.shared.hint(at: recorded.number))
  }

  func encodedState() throws -> [UInt8] {
    let state = self.state
    let coder = self.types.stateCoder
    do throws(RecordOverflow) {
      return try coder.bytes(of: state)
    } catch {
      throw ReplayError(
        .absentValue, "The state after action \(self.position) can't be encoded: \(error)",
        action: self.position)
    }
  }

  private func value(of bytes: [UInt8]) throws -> RecordValue {
    SharedResolution().resolve(try RecordValue(bytes, schema: self.types.stateSchema))
  }
}
