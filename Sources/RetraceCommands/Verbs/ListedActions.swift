internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// The actions of a stream, passing over those in blocks that can't be read and saying so.
struct ListedActions {
  private let log: OpenLog
  private let stream: StreamInfo
  private let last: Int
  private var nextNumber: Int
  private var actions: LoggedActions
  /// The action before which records were missing the last time.
  private var stuck: Int?
  /// Whether actions were passed over.
  private(set) var hasLost = false

  init(_ log: OpenLog, stream: StreamInfo, from first: Int, through last: Int) {
    self.log = log
    self.stream = stream
    self.last = last
    nextNumber = first
    actions = log.inspector.actions(of: stream, from: first, through: last)
  }

  /// The next action that can be read.
  ///
  /// - Throws: Where what is lost can't be counted, and all that is not damage.
  mutating func next() throws -> LoggedAction? {
    while nextNumber <= last {
      do {
        if let action = try actions.next() {
          nextNumber = action.number + 1
          return action
        }
        // The end came early: what is missing are the last blocks.
        if try passOver() { continue }
        return nil
      } catch let error as ReplayError where error.code == .gap {
        guard try passOver() else { throw error }
      }
    }
    return nil
  }

  /// Goes on behind what can't be read; false where no one can say how many actions that were.
  private mutating func passOver() throws -> Bool {
    var before: Int = stream.firstPosition
    var end: UInt64?
    for block in log.inspector.reader.blocks
    where block.run == UInt32(stream.run) && !block.isPreamble {
      if let end, block.firstSequence > end { return false }
      end = block.firstSequence + UInt64(block.count)
      before += Int(block.actions[UInt16(stream.number)] ?? 0)
      guard before >= nextNumber else { continue }
      if try log.inspector.isReadable(block) {
        // Without actions, what is lost lay before it.
        if stuck == nextNumber { return false }
        stuck = nextNumber
      } else {
        let upper: Int = min(before, last)
        log.console.note(
          nextNumber == upper
            ? "note: Action \(nextNumber) is lost: its block can't be read."
            : "note: The actions \(nextNumber) to \(upper) are lost: their block can't be read.")
        hasLost = true
        nextNumber = before + 1
      }
      actions = log.inspector.actions(of: stream, from: nextNumber, through: last)
      return true
    }
    return false
  }
}
