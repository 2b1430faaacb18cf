internal import ActionLog

// States that a replay leaves beside the log, and that later jumps begin at.
extension Timeline {
  /// The last state in the side index that belongs to an action between the two, and whether the
  /// next one there is behind.
  func stateBeside(upTo number: Int, after first: Int) -> (Start, isNearest: Bool)? {
    guard let plan = self.sidePlan, number - first > plan.spacing.lowerBound else { return nil }
    // Where it is on disk alone, it is read while the state is.
    let block = self.stream.index.entryIndex(ofAction: number).map {
      self.stream.index.entries[$0].block.firstSequence
    }
    if let block { self.inspector.reader.expectRead(of: block) }
    guard let index = self.sideIndex, let last = index.place(upTo: number) else { return nil }
    for place in (0...last).reversed() {
      // What can't be read is passed over: the fold from an earlier one gives the same state.
      guard let entry = index.entry(at: place) else { continue }
      guard entry.number <= number, entry.number - first > plan.spacing.lowerBound else { break }
      if entry.sequence > 0, entry.sequence < block ?? 0 {
        self.inspector.reader.expectRead(of: entry.sequence)
      }
      if let bytes = index.state(entry),
        var moment = try? self.types.moment(of: bytes, self.shared)
      {
        moment.nextSequence = entry.sequence
        return ((entry.number, moment), last + 1 < index.count)
      }
    }
    return nil
  }

  /// Where this stream's states are beside the log, and what the file has to begin with.
  private var sidePlace: (folder: String, name: String, identity: [UInt8], run: RunInfo)? {
    guard self.sidePlan != nil, let build = ProcessFacts.buildID,
      let run = try? self.inspector.run(self.stream.run),
      let identity = SideIndexIdentity.bytes(of: self.stream, in: run, self.types, build: build)
    else { return nil }
    return (
      SideIndexFile.folder(of: self.inspector.path), SideIndexFile.name(of: self.stream), identity,
      run
    )
  }

  func openSideIndex() -> SideIndex? {
    guard let (folder, name, identity, run) = self.sidePlace else { return nil }
    return SideIndex(
      at: "\(folder)/\(name)", identity: identity, lastSequence: run.summary.lastSequence)
  }

  /// Begins to leave states beside the log, where none are or the log has grown since.
  func beginSideIndex() {
    guard let plan = self.sidePlan, self.count - self.firstPosition >= plan.leastActions,
      self.types.hasSameStates, self.types.hasSameActions, !self.isFirstStateGiven,
      let (folder, name, identity, run) = self.sidePlace
    else { return }
    if let index = self.sideIndex, index.lastSequence >= run.summary.lastSequence { return }
    let segments = self.inspector.reader.summary.segments.filter { $0.run == run.summary.number }
    let bytes = segments.reduce(0) { $0 + Double($1.size) }
    let actions = run.summary.actions.reduce(0) { $0 + Double($1.count) }
    let part = Double(self.count - self.firstPosition) / max(actions, 1)
    self.sideWriter = SideIndexWriter(
      in: folder, named: name, identity: identity, range: self.firstPosition...self.count,
      logBytes: Int(bytes * min(part, 1)), plan: plan)
  }

  /// Keeps the states that were left, up to one that is as it was recorded.
  ///
  /// - Parameter last: Its number; `nil` to keep none.
  func endSideIndex(through last: Int?) {
    guard let writer = self.sideWriter else { return }
    self.sideWriter = nil
    guard let last, self.redactions.count == 0,
      writer.finish(through: last, lastSequence: self.stream.lastSequence)
    else { return writer.discard() }
    self.sideIndex = self.openSideIndex()
  }
}
