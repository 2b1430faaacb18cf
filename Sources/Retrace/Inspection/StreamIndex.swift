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

  /// - Parameter first: The number of the last action before the blocks.
  init(blocks: [BlockSummary], stream: UInt16, startingAt first: Int) {
    self.actionCount = first
    for block in blocks where !block.isPreamble {
      let actions = Int(block.actions[stream] ?? 0)
      if actions > 0 || block.kinds.contains(.state) {
        self.entries.append(
          Entry(block: block, actionsBefore: self.actionCount, actions: actions))
      }
      self.actionCount += actions
    }
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
