internal import ActionLog
internal import Synchronization

/// How often states are written among the actions of a recording.
package enum CheckpointDensity: Sendable {
  /// As their size, and that of the actions between them, allows.
  case bySize
  /// After so many actions, whatever it costs, for tests of short recordings; `atOnce` on the
  /// store's thread, so that it is told by the actions alone where they stand.
  case every(Int, atOnce: Bool)
}

/// Says when a state is to be written among the actions.
///
/// A checkpoint is due when the log has grown, since the last one, by as much as a checkpoint takes:
/// then they make up at most half of the log, and a seek folds at most that much. Both are counted
/// as they are on disk, compressed.
final class CheckpointSchedule: Sendable {
  /// At least so many actions lie between two checkpoints, since a small state would otherwise be
  /// written after nearly every action.
  static let minimumActions = 1_024
  /// How many actions pass between two looks at the log's statistics.
  static let strideOfChecks = 256

  private let density: CheckpointDensity
  private let state = Mutex(State())

  private struct State {
    var isRunning = false
    var lastRawSize = 0
    /// How many records the log had once the last state was in it.
    var recordsAtLast: UInt64 = 0
  }

  init(_ density: CheckpointDensity = .bySize) {
    self.density = density
  }

  /// Whether a state is written before the action's `send` goes on.
  var writesAtOnce: Bool {
    if case .every(_, atOnce: true) = self.density { true } else { false }
  }

  /// Whether a state is to be written, so many actions after the last one.
  func isDue(after actions: Int, _ writer: LogWriter) -> Bool {
    if case .every(let interval, _) = self.density {
      return actions >= interval && self.state.withLock { !$0.isRunning }
    }
    guard actions >= Self.minimumActions, actions % Self.strideOfChecks == 0 else { return false }
    let last = self.state.withLock { $0 }
    // What the last one takes is known once it is compressed.
    guard !last.isRunning, writer.sealedRecords >= last.recordsAtLast else { return false }
    return writer.statistics.allowsState(of: last.lastRawSize)
  }

  /// How many actions after the last state to ask again, `actions` after it.
  func nextLook(after actions: Int) -> Int {
    if case .every(let interval, _) = self.density {
      return max(min(interval, 1 << 40), actions + 1)
    }
    return max(Self.minimumActions, (actions / Self.strideOfChecks + 1) * Self.strideOfChecks)
  }

  func begin() {
    self.state.withLock { $0.isRunning = true }
  }

  func end(size: Int, _ writer: LogWriter) {
    let records = writer.statistics.records
    self.state.withLock { state in
      state.isRunning = false
      state.lastRawSize = size
      state.recordsAtLast = records
    }
  }
}

extension LogStatistics {
  /// Whether one more state leaves the states no larger than the actions, as both are on disk.
  ///
  /// What a state will take is told from the last one's size and from how well states were
  /// compressed so far, with a quarter added since states grow, and a tenth of all to spare. What is
  /// not compressed yet is taken to become as small as what was, and a quarter where nothing was.
  func allowsState(of lastRawSize: Int) -> Bool {
    let others = Double(self.records - self.records(of: .state))
    guard self.records > 0, others > 0 else { return false }
    let sealed = Double(self.sealedRecords) / Double(self.records)
    let stateRatio =
      self.storedStateBytes == 0 || self.stateBytes == 0
      ? 1 : min(1, Double(self.storedStateBytes) / Double(self.stateBytes))
    let otherRatio =
      self.storedOtherBytes == 0
      ? 0.25 : min(1, Double(self.storedOtherBytes) / (Double(self.otherBytes) * sealed))
    let states = (Double(self.stateBytes) + 1.25 * Double(lastRawSize)) * stateRatio
    let actions = Double(self.records(of: .action)) / others * Double(self.otherBytes) * otherRatio
    return 1.1 * states <= actions
  }
}
