internal import ActionCoding
internal import ActionLog

/// A place behind a gap in a log from which the numbers of a stream's actions are known again, and as
/// a rule the state: the beginning of the first segment behind the gap that restates what is needed.
struct StreamRestart: Sendable {
  /// The first record whose place in the stream can't be known.
  var gapSequence: UInt64
  /// The first record from which on it can.
  var sequence: UInt64
  /// The number of the stream's last action before the gap.
  var lastNumber: Int
  /// The number of the last action before `sequence`.
  var number: Int
  /// The record of the state after that action.
  var payload: [UInt8]

  /// The numbers of the actions after which the state is not known; `nil` where there are none.
  var missing: ClosedRange<Int>? {
    self.lastNumber + 1 < self.number ? self.lastNumber + 1...self.number - 1 : nil
  }
}

/// A gap in a run's records, and where the run can be read again.
struct RunRestart: Sendable {
  var gapSequence: UInt64
  /// The records of each stream's actions that stand in the block of the gap, before it.
  var actionsBefore: [UInt16: Int]
  var sequence: UInt64
  /// What the segment behind the gap begins with.
  var preamble: [PreambleRecord]

  /// The number of the action that the restated state of a stream belongs to, and the state's record.
  func state(of stream: UInt16) -> (number: Int, payload: [UInt8])? {
    for record in self.preamble where record.kind == .state && record.stream == stream {
      let number = record.payload.withUnsafeBytes { bytes in
        var reader = RecordReader(bytes)
        return try? StateHeader(from: &reader).number
      }
      if let number { return (number, record.payload) }
    }
    return nil
  }
}

extension LogInspector {
  /// The gaps among the records of a run behind which it can be read again: those that the log
  /// tells of itself. What is damaged is none.
  ///
  /// - Parameter blocks: The run's blocks, in order.
  /// - Throws: A `LogError` when one can't be read.
  func restarts(of run: RunSummary, _ blocks: [BlockSummary]) throws(LogError) -> [RunRestart] {
    let known = self.reader.summary.gaps.compactMap(\.sequences)
    var restarts: [RunRestart] = []
    var expected: UInt64?
    for block in blocks where !block.isPreamble {
      defer { expected = block.firstSequence + UInt64(block.count) }
      // Within what an earlier gap makes unreadable.
      if let last = restarts.last, block.firstSequence < last.sequence { continue }
      var gap: UInt64?
      var actions: [UInt16: Int] = [:]
      if let expected, block.firstSequence > expected,
        known.contains(where: { $0.contains(expected) })
      {
        gap = expected
      } else if block.kinds.contains(.gap) {
        (gap, actions) = try self.gap(in: block)
      }
      guard let gap, let (sequence, preamble) = try self.segment(of: run, behind: gap) else {
        continue
      }
      restarts.append(
        RunRestart(
          gapSequence: gap, actionsBefore: actions, sequence: sequence, preamble: preamble))
    }
    return restarts
  }

  /// The first record of a gap in a block, and how many actions of each stream stand before it.
  private func gap(
    in block: BlockSummary
  ) throws(LogError) -> (sequence: UInt64?, actions: [UInt16: Int]) {
    var actions: [UInt16: Int] = [:]
    var cursor = self.records(in: block)
    while let record = try cursor.next() {
      if record.kind == .gap { return (record.sequence, actions) }
      if record.kind == .action { actions[record.stream, default: 0] += 1 }
    }
    return (nil, [:])
  }

  /// The first segment behind a record that restates what is needed to go on.
  private func segment(
    of run: RunSummary, behind sequence: UInt64
  ) throws(LogError) -> (sequence: UInt64, preamble: [PreambleRecord])? {
    let segments = self.reader.summary.segments
    guard
      let segment = segments.first(where: {
        $0.run == run.number && $0.firstSequence > sequence && $0.hasPreamble && !$0.startsRun
      })
    else { return nil }
    return (segment.firstSequence, try self.reader.preamble(of: segment))
  }
}
