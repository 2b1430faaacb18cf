internal import ActionLog

/// In which block of a run an action of a stream stands.
struct StreamIndex: Sendable {
  struct Entry: Sendable {
    var block: BlockSummary
    /// The stream's actions before the block.
    var actionsBefore: Int
    var actions: Int
  }

  /// The blocks that hold actions or states of the stream's run, in order.
  private(set) var entries: [Entry] = []
  private(set) var actionCount: Int
  /// Where the stream can be read again behind a gap, in order.
  private(set) var restarts: [StreamRestart] = []

  /// - Parameters:
  ///   - first: The number of the last action before the blocks.
  ///   - gaps: The gaps of the run behind which it can be read again.
  init(
    blocks: [BlockSummary], stream: UInt16, startingAt first: Int, gaps: [RunRestart] = []
  ) {
    self.actionCount = first
    var gaps = gaps[...]
    for block in blocks where !block.isPreamble {
      // Actions in a block that is cut by a gap are those before it.
      var cut: RunRestart?
      if let gap = gaps.first, block.firstSequence >= gap.sequence {
        gaps.removeFirst()
        self.restart(behind: gap, stream)
      } else if let gap = gaps.first,
        block.firstSequence + UInt64(block.count) > gap.gapSequence
      {
        if block.firstSequence >= gap.gapSequence { continue }
        cut = gap
      }
      let actions = cut.map { $0.actionsBefore[stream] ?? 0 } ?? Int(block.actions[stream] ?? 0)
      if actions > 0 || block.kinds.contains(.state) {
        self.entries.append(
          Entry(block: block, actionsBefore: self.actionCount, actions: actions))
      }
      self.actionCount += actions
    }
  }

  private mutating func restart(behind gap: RunRestart, _ stream: UInt16) {
    guard let (number, payload) = gap.state(of: stream), number >= self.actionCount else { return }
    self.restarts.append(
      StreamRestart(
        gapSequence: gap.gapSequence, sequence: gap.sequence, lastNumber: self.actionCount,
        number: number, payload: payload))
    self.actionCount = number
  }

  /// The last restart at or before an action.
  func restart(upTo number: Int) -> StreamRestart? {
    self.restarts.last { $0.number <= number }
  }

  /// The entry that holds action `number`, or the last one before it.
  func entryIndex(ofAction number: Int) -> Int? {
    var low = 0
    var high = self.entries.count
    while low < high {
      let middle = (low + high) / 2
      if self.entries[middle].actionsBefore < number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}
