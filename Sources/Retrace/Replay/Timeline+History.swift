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
      let probe = StateProbe(path: path, coder: self.stateCoder, schema: self.stateSchema)
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

  public func replay(progress: (Int) -> Void) throws -> ReplayReport {
    try self.move(to: self.firstPosition)
    var report = ReplayReport(actionCount: 0, seconds: 0, statesCompared: 0)
    let clock = ContinuousClock()
    let start = clock.now
    var lastAgreement = self.firstPosition
    for checkpoint in try self.checkpoints() {
      try self.fold(through: checkpoint.number, visitingEach: 4_096) { timeline in
        progress(timeline.position)
      }
      report.statesCompared += 1
      if let divergence = try self.divergence(at: checkpoint, lastAgreement: lastAgreement) {
        report.divergence = divergence
        break
      }
      lastAgreement = checkpoint.number
    }
    if report.divergence == nil {
      try self.fold(through: self.count, visitingEach: 4_096) { timeline in
        progress(timeline.position)
      }
    }
    report.actionCount = self.position - self.firstPosition
    let duration = clock.now - start
    report.seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    return report
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
        guard let header = try? StateHeader(from: &reader), case .value(let number) = header,
          number > self.firstPosition, number <= self.count
        else { continue }
        found.append(Checkpoint(number: number, sequence: record.sequence))
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
    _ = try StateHeader(from: &reader)
    let recorded = UnsafeRawBufferPointer(rebasing: record.payload.dropFirst(reader.offset))
    let replayed = try self.encodedState()
    guard !recorded.elementsEqual(replayed) else { return nil }
    let expected = try RecordValue(from: &reader, schema: self.stream.stateSchema)
    let actual = try self.value(of: replayed)
    guard let change = expected.differences(from: actual).first else { return nil }
    return Divergence(
      kind: .state, action: checkpoint.number, lastAgreement: lastAgreement, path: change.path,
      expected: change.first.map { "\($0)" } ?? "absent",
      actual: change.second.map { "\($0)" } ?? "absent", place: nil,
      address: self.address(of: checkpoint.number))
  }

  private func encodedState() throws -> [UInt8] {
    let state = self.state
    let coder = self.stateCoder
    do throws(RecordOverflow) {
      return try coder.bytes(of: state)
    } catch {
      throw ReplayError(
        .absentValue, "The state after action \(self.position) can't be encoded: \(error)",
        action: self.position)
    }
  }

  private func value(of bytes: [UInt8]) throws -> RecordValue {
    try RecordValue(bytes, schema: self.stateSchema)
  }
}
