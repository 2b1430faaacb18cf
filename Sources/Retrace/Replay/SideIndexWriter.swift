internal import ActionLog
internal import Dispatch
internal import Glibc

/// How densely, and how much of it, a replay leaves states beside the log.
package struct SideIndexPlan: Sendable {
  /// A stream with fewer actions has no side index: the whole of it is folded in no time.
  package var leastActions = 8_192
  /// Folding from one state to the next should take no longer, in nanoseconds.
  package var foldNanoseconds = 100_000.0
  /// The fewest and the most actions between two states.
  package var spacing = 64...16_384
  /// The part of a replay's own time that may go into the states, beside what another thread does.
  package var share = 0.1
  /// The most bytes that the file may take for each that the log takes for the stream.
  package var bytesForEachOfLog = 2.0
  /// The most bytes that the file may take, whatever the log takes.
  package var maximumBytes: Int?

  package init() {}
}

/// Writes a stream's states beside the log while a replay goes through it.
///
/// The replay's thread says which states are wanted; they are encoded, packed and written on another
/// one, unless that falls behind. Whatever fails ends it, and nothing is left then: a folder that
/// can't be written is none of a replay's concern.
final class SideIndexWriter {
  private let plan: SideIndexPlan
  private let output: SideIndexOutput
  private let range: ClosedRange<Int>
  private let maximumBytes: Int
  private let queue = DispatchQueue(label: "retrace.states")
  private var isOver = false
  private var wantedCount = 0

  // What tells how far the next state is away.
  private var nextNumber: Int
  private var spacing: Int
  private var lastNumber: Int
  private var lastTime: UInt64
  private let startTime: UInt64
  private var ownTime: UInt64 = 0

  /// How many states, and of how many bytes, may wait for the other thread: a bound on the memory
  /// that they hold, and enough for it not to matter which of the two gets a processor first.
  private static let waitingLimits = (count: 2...256, bytes: 16 << 20)
  /// What the first states may take of the thread's time, beside their share: once, whatever has to
  /// be made ready.
  private static let timeForStart: UInt64 = 1_000_000

  /// - Parameters:
  ///   - folder: Where the file goes, made if it is not there.
  ///   - range: The numbers of the stream's states.
  ///   - logBytes: What the stream takes in the log.
  init?(
    in folder: String, named name: String, identity: [UInt8], range: ClosedRange<Int>,
    logBytes: Int, plan: SideIndexPlan, fileSystem: any FileSystem = .real
  ) {
    let maximumBytes = plan.maximumBytes ?? Int(Double(logBytes) * plan.bytesForEachOfLog)
    guard
      let output = SideIndexOutput(
        in: folder, named: name, identity: identity, maximumBytes: maximumBytes,
        fileSystem: fileSystem)
    else { return nil }
    self.output = output
    self.range = range
    self.plan = plan
    self.maximumBytes = maximumBytes
    self.spacing = plan.spacing.lowerBound
    self.lastNumber = range.lowerBound
    self.nextNumber = range.lowerBound + self.spacing
    self.startTime = Self.ownNanoseconds()
    self.lastTime = self.startTime
  }

  deinit { self.discard() }

  /// The thread's own time, so that who has to wait for a processor is not taken to be slow.
  private static func ownNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The next number after a place at which a state is wanted.
  var nextStop: Int { self.isOver ? .max : self.nextNumber }

  /// Takes the state after an action, if it is one that is wanted.
  ///
  /// - Parameters:
  ///   - sequence: The first record that a replay goes on with from there.
  ///   - state: The state; `nil` where it could not be had again from bytes.
  func note(_ number: Int, sequence: UInt64, state: () -> SideIndexState?) {
    guard !self.isOver, number >= self.nextStop, self.range.contains(number) else { return }
    let now = Self.ownNanoseconds()
    self.adapt(to: Double(now &- self.lastTime) / Double(number - self.lastNumber))
    self.lastNumber = number
    let progress = self.output.progress
    if progress.hasFailed { return self.discard() }
    if self.allowsOneMore(at: number, now, progress), let state = state() {
      self.take(state, number, sequence, isBehind: self.isBehind(progress))
    }
    self.lastTime = Self.ownNanoseconds()
    self.ownTime += self.lastTime &- now
    self.setNext(after: number)
  }

  /// Sets where the next state is wanted: as near as a fold should be short, and as far as room and
  /// time last when they are spread evenly over the whole way.
  private func setNext(after number: Int) {
    let first = self.range.lowerBound
    let whole = Double(self.range.upperBound - first)
    let progress = self.output.progress
    let room = Double(progress.size(withMore: progress.waiting + 1))
    let elapsed = max(Double(self.lastTime &- self.startTime), 1)
    let needed = Double(self.countedTime) / max(self.plan.share, 1e-9)
    // A little behind where there is just enough, since neither can be told exactly.
    let next = max(
      Double(number + self.spacing),
      Double(first) + 1.01 * whole * room / max(Double(self.maximumBytes), 1),
      Double(first) + 1.01 * Double(number - first) * needed / elapsed)
    self.nextNumber = Int(min(next.rounded(.up), Double(self.range.upperBound) + 1))
  }

  private func isBehind(_ progress: SideIndexOutput.Progress) -> Bool {
    let limits = Self.waitingLimits
    // Until one is there, nobody knows how large they are.
    let limit = progress.usualRawSize == 0 ? 0 : limits.bytes / progress.usualRawSize
    return progress.waiting >= min(max(limit, limits.count.lowerBound), limits.count.upperBound)
  }

  private func take(_ state: SideIndexState, _ number: Int, _ sequence: UInt64, isBehind: Bool) {
    self.wantedCount += 1
    switch state {
    case .later(let bytes) where !isBehind:
      self.output.expectOne()
      self.queue.async { [output] in
        output.add(bytes(), number, sequence, wasExpected: true)
      }
    case .later(let bytes):
      self.output.add(bytes(), number, sequence)
    case .bytes(let bytes):
      self.output.add(bytes, number, sequence)
    }
  }

  /// Sets the distance to the next state by what an action has taken since the last.
  private func adapt(to nanoseconds: Double) {
    let wanted = self.plan.foldNanoseconds / max(nanoseconds, 0.5)
    // Whoever was interrupted meanwhile has not become slower.
    let limited = min(max(wanted, Double(self.spacing) / 2), Double(self.spacing) * 2)
    self.spacing = min(
      max(Int(limited), self.plan.spacing.lowerBound), self.plan.spacing.upperBound)
  }

  private var countedTime: UInt64 { self.ownTime - min(self.ownTime, Self.timeForStart) }

  /// Whether states have taken no more room and no more time than they may up to here.
  private func allowsOneMore(
    at number: Int, _ now: UInt64, _ progress: SideIndexOutput.Progress
  ) -> Bool {
    guard self.wantedCount < SideIndexFile.countLimit else { return false }
    guard self.wantedCount > 0 else { return true }
    let whole = Double(self.range.upperBound - self.range.lowerBound)
    let part = Double(number - self.range.lowerBound) / max(whole, 1)
    let size = progress.size(withMore: progress.waiting + 1)
    return Double(size) <= part * Double(self.maximumBytes)
      && Double(self.countedTime) <= self.plan.share * Double(now &- self.startTime)
  }

  /// Gives the file its name.
  ///
  /// - Parameters:
  ///   - last: The last number whose state is believed.
  ///   - lastSequence: The log's last record.
  /// - Returns: Whether there is a file now.
  @discardableResult
  func finish(through last: Int, lastSequence: UInt64) -> Bool {
    guard !self.isOver else { return false }
    self.queue.sync {}
    guard
      self.output.finish(through: last, lastSequence: lastSequence)
    else {
      self.discard()
      return false
    }
    self.isOver = true
    return true
  }

  /// Leaves nothing behind.
  func discard() {
    guard !self.isOver else { return }
    self.isOver = true
    self.queue.sync {}
    self.output.discard()
  }
}
