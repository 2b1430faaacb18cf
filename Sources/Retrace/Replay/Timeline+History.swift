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
    while end > self.firstPosition {
      let start = max(self.firstPosition, end - length)
      try self.move(to: start)
      let probe = StateProbe(
        path: path, coder: self.types.stateCoder, schema: self.types.stateSchema)
      var before = probe.bytes(in: self.state)
      var found: Int?
      try self.fold(through: end, visitingEach: 1) { timeline in
        let after = probe.bytes(in: timeline.state)
        if after != before {
          found = timeline.position
          before = after
        }
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
    do {
      report.divergence = try self.foldComparing(&report, progress)
    } catch let divergence as Divergence {
      report.divergence = divergence
    }
    if let noted = self.divergence, noted.action <= report.divergence?.action ?? .max {
      report.divergence = noted
    }
    report.actionCount = self.position - self.firstPosition
    report.redactions = self.redactions
    report.liveDependencies = self.liveDependencies
    let duration = clock.now - start
    report.seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    return report
  }

  /// Folds everything, and compares with each recorded state up to the first difference.
  private func foldComparing(
    _ report: inout ReplayReport, _ progress: (Int) -> Void
  ) throws -> Divergence? {
    var lastAgreement = self.firstPosition
    for checkpoint in try self.checkpoints() {
      try self.fold(through: checkpoint.number, visitingEach: 4_096) { timeline in
        progress(timeline.position)
      }
      report.statesCompared += 1
      let found = try self.divergence(at: checkpoint, lastAgreement: lastAgreement)
      // A digest tells at which action, and the state what is another there.
      if let noted = self.divergence, noted.kind == .state {
        return found.map { self.refined(noted, by: $0) } ?? noted
      }
      if let found { return found }
      lastAgreement = checkpoint.number
    }
    try self.fold(through: self.count, visitingEach: 4_096) { timeline in
      progress(timeline.position)
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
    self.refine(refined)
    return refined
  }

  // MARK: - Comparing with recorded states

  /// A state in the log, and where.
  private struct Checkpoint {
    var number: Int
    var sequence: UInt64
  }

  /// The numbers of the actions whose states are in the log, after the first.
  package func checkpointNumbers() throws -> [Int] { try self.checkpoints().map(\.number) }

  /// The states in the log after the first, in the order of their actions.
  private func checkpoints() throws -> [Checkpoint] {
    var found: [Checkpoint] = []
    for entry in self.stream.index.entries where entry.block.kinds.contains(.state) {
      var cursor = self.inspector.records(in: entry.block)
      while let record = try cursor.next() {
        guard record.kind == .state, record.stream == UInt16(self.stream.number) else { continue }
        var reader = RecordReader(record.payload)
        guard let header = try? StateHeader(from: &reader), header.reasonForAbsence == nil,
          header.number > self.firstPosition, header.number <= self.count
        else { continue }
        found.append(Checkpoint(number: header.number, sequence: record.sequence))
      }
    }
    return found.sorted { $0.number < $1.number }
  }

  private func divergence(
    at checkpoint: Checkpoint, lastAgreement: Int
  ) throws -> Divergence? {
    var cursor = self.inspector.reader.cursor(from: checkpoint.sequence)
    guard let record = try cursor.next(), record.sequence == checkpoint.sequence else { return nil }
    var reader = RecordReader(record.payload)
    let header = try StateHeader(from: &reader)
    let values = try SharedValues(from: &reader)
    let recorded = UnsafeRawBufferPointer(rebasing: record.payload.dropFirst(reader.offset))
    guard
      let change = try self.types.difference(
        from: recorded, to: self.state, redacted: header.redacted, self.shared, values)
    else { return nil }
    return Divergence(
      kind: .state, action: checkpoint.number, lastAgreement: lastAgreement, path: change.path,
      expected: change.first.map { "\($0)" } ?? "absent",
      actual: change.second.map { "\($0)" } ?? "absent", place: nil,
      address: self.address(of: checkpoint.number))
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
