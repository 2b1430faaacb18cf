/// What opening a log for writing found and did, when the run before had not closed it.
public struct OpeningReport: Hashable, Sendable, CustomStringConvertible {
  /// What is not as it was written, and was met: the whole log is not looked through.
  public var damage: [LogDamage] = []
  /// Records that were brought from tails into a segment.
  public var recoveredRecords: UInt64 = 0
  /// Records that are lost, by their numbers.
  public var lost: [ClosedRange<UInt64>] = []
  /// Files that were put into `quarantine/`, where they are now.
  public var quarantined: [String] = []

  public init() {}

  /// Whether anything is lost.
  public var hasLoss: Bool {
    !lost.isEmpty || damage.contains { $0.effect == .loss }
  }

  /// Sentences for people; empty when there is nothing to say.
  public var description: String {
    var sentences: [String] = []
    if recoveredRecords > 0 {
      let noun = recoveredRecords == 1 ? "record" : "records"
      sentences.append("\(recoveredRecords) \(noun) of a run that was killed were recovered.")
    }
    sentences += damage.map { "\($0)." }
    sentences += lost.map { "\(LogError.records($0)) lost.".capitalizedFirst }
    if !quarantined.isEmpty {
      sentences.append("Kept for a closer look: \(quarantined.joined(separator: ", ")).")
    }
    return sentences.joined(separator: " ")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
