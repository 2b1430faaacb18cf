/// One thing that happens in a generated run.
///
/// What exactly it is follows from a random word and from the state at that time, so that steps can
/// be left out of a run that fails.
package struct RunStep: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// An action is sent to the root.
    case send
    /// An action is sent to a store of a part.
    case sendToPart
    /// An effect that is held goes on.
    case release
    /// All that waits for its turn has one, so many times.
    case yield(Int)
    /// Time goes on.
    case advance
    /// What an earlier action has started is cancelled.
    case cancel
    /// Somebody changes what all share.
    case share
  }

  var kind: Kind
  var word: UInt64
}

/// A generated run: a store with parts chosen by chance, and what happens to it.
package struct GeneratedRun: Sendable {
  package let seed: UInt64
  package var steps: [RunStep]

  /// - Parameters:
  ///   - seed: All that is chosen by chance follows from it.
  ///   - length: The most steps.
  package init(seed: UInt64, length: Int = 28) {
    self.seed = seed
    var random = SplitMix(seed: seed)
    // Some are so long that their logs have several segments.
    let count = 1 + random.below(random.once(in: 80) ? 8 * length : length)
    self.steps = (0..<count).map { _ in
      let kind: RunStep.Kind =
        switch random.below(20) {
        case 0, 1, 2, 3: .sendToPart
        case 4, 5, 6: .release
        case 7, 8, 9: .yield(1 + random.below(6))
        case 10: .advance
        case 11: .cancel
        case 12: .share
        default: .send
        }
      return RunStep(kind: kind, word: random.next())
    }
  }
}
