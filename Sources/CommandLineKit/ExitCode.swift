/// How a program ends: the one place that maps what happened to a number.
package enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
  /// What was asked for is done, or holds.
  case done = 0
  /// It failed, or does not hold.
  case failed = 1
  /// A replay did not do what the recording did.
  case divergence = 2
  /// Something was recovered, and something was lost.
  case recoveredWithLoss = 3
  /// The command line itself is wrong (`EX_USAGE`).
  case wrongUse = 64
  /// Whoever read standard output went away: what a shell shows for a death by `SIGPIPE`.
  case closedPipe = 141

  /// What the status means, for the manual page.
  package var meaning: String {
    switch self {
    case .done: "Done, or it holds."
    case .failed: "It failed, or does not hold."
    case .divergence: "The replay does not do what the recording did."
    case .recoveredWithLoss: "Recovered, but something was lost."
    case .wrongUse: "Wrong use of the command line."
    case .closedPipe: "The reader of standard output went away."
    }
  }
}
