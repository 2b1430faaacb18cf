internal import ActionLog
internal import Foundation

/// How densely, and how much of it, a replay leaves states beside the log.
package struct SideIndexPlan: Sendable {
  /// A stream with fewer actions has no side index: the whole of it is folded in no time.
  package var leastActions = 8_192
  /// Folding from one state to the next should take no longer, in nanoseconds.
  package var foldNanoseconds = 100_000.0
  /// The fewest and the most actions between two states.
  package var spacing = 64...16_384
  /// The part of a replay's time that may go into writing the states.
  package var share = 0.1
  /// The most bytes that the file may take; as many as the log takes for the stream when `nil`.
  package var maximumBytes: Int?

  package init() {}
}

/// Writes a stream's states beside the log while a replay goes through it.
///
/// Whatever fails ends it, and nothing is left then: a folder that can't be written is none of a
/// replay's concern.
final class SideIndexWriter {
  private let plan: SideIndexPlan
  private let path: String
  private let partialPath: String
  private let file: any OpenFile
  private let fileSystem: any FileSystem
  private let identity: [UInt8]
  private let range: ClosedRange<Int>
  private let maximumBytes: Int

  private var entries: [SideIndexFile.Entry] = []
  private var buffer: [UInt8] = []
  private var flushed: UInt64 = 0
  private var isOver = false

  // What tells how far the next state is away.
  private var spacing: Int
  private var lastNumber: Int
  private var lastTime: UInt64
  private let startTime: UInt64
  private var ownTime: UInt64 = 0

  /// - Parameters:
  ///   - folder: Where the file goes, made if it is not there.
  ///   - range: The numbers of the stream's states.
  ///   - logBytes: What the stream takes in the log.
  init?(
    in folder: String, named name: String, identity: [UInt8], range: ClosedRange<Int>,
    logBytes: Int, plan: SideIndexPlan, fileSystem: any FileSystem = .real
  ) {
    guard identity.count <= SideIndexFile.identityLimit else { return nil }
    if (try? fileSystem.type(of: folder)) == nil { try? fileSystem.makeDirectory(folder) }
    Self.removeRemains(folder, fileSystem)
    self.path = "\(folder)/\(name)"
    self.partialPath = "\(folder)/\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).partial"
    guard let file = try? fileSystem.open(self.partialPath, .create) else { return nil }
    self.file = file
    self.fileSystem = fileSystem
    self.identity = identity
    self.range = range
    self.plan = plan
    self.maximumBytes = plan.maximumBytes ?? logBytes
    self.spacing = plan.spacing.lowerBound
    self.lastNumber = range.lowerBound
    self.startTime = DispatchTime.now().uptimeNanoseconds
    self.lastTime = self.startTime
    self.buffer = SideIndexFile.magic
    self.buffer.put(little: SideIndexFile.version)
    self.buffer.put(little: UInt32(identity.count))
    self.buffer += identity
  }

  deinit {
    if !self.isOver { self.discard() }
  }

  /// Removes what replays that were killed have left half done.
  private static func removeRemains(_ folder: String, _ fileSystem: any FileSystem) {
    for name in (try? fileSystem.list(folder)) ?? [] where name.hasSuffix(".partial") {
      let parts = name.split(separator: ".")
      guard parts.count >= 3, let process = Int32(parts[parts.count - 3]), process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? fileSystem.unlink("\(folder)/\(name)")
    }
  }

  /// The next number after a place at which a state is wanted.
  var nextStop: Int {
    self.isOver ? .max : self.lastNumber.addingReportingOverflow(self.spacing).partialValue
  }

  /// Takes the state after an action, if it is one that is wanted.
  ///
  /// - Parameters:
  ///   - sequence: The first record that a replay goes on with from there.
  ///   - state: The state's bytes; `nil` where it has none that could be read again.
  func note(_ number: Int, sequence: UInt64, state: () -> [UInt8]?) {
    guard !self.isOver, number >= self.nextStop, self.range.contains(number) else { return }
    let now = DispatchTime.now().uptimeNanoseconds
    self.adapt(to: Double(now - self.lastTime) / Double(number - self.lastNumber))
    self.lastNumber = number
    if self.allowsOneMore(at: number, now) {
      if let state = state(), !self.add(state, number, sequence) { self.discard() }
    }
    self.lastTime = DispatchTime.now().uptimeNanoseconds
    self.ownTime += self.lastTime - now
  }

  /// Sets the distance to the next state by what an action has taken since the last.
  private func adapt(to nanoseconds: Double) {
    let wanted = self.plan.foldNanoseconds / max(nanoseconds, 0.5)
    // Whoever was interrupted meanwhile has not become slower.
    let limited = min(max(wanted, Double(self.spacing) / 2), Double(self.spacing) * 2)
    self.spacing = min(
      max(Int(limited), self.plan.spacing.lowerBound), self.plan.spacing.upperBound)
  }

  /// Whether states have taken no more room and no more time than they may up to here.
  private func allowsOneMore(at number: Int, _ now: UInt64) -> Bool {
    guard self.entries.count < SideIndexFile.countLimit else { return false }
    guard let last = self.entries.last else { return true }
    let whole = Double(self.range.upperBound - self.range.lowerBound)
    let part = Double(number - self.range.lowerBound) / max(whole, 1)
    let size = Double(
      self.size + UInt64(last.storedSize) + UInt64(self.entries.count + 2)
        * UInt64(SideIndexFile.entrySize) + UInt64(SideIndexFile.endSize))
    return size <= part * Double(self.maximumBytes)
      && Double(self.ownTime) <= self.plan.share * Double(now - self.startTime)
  }

  private var size: UInt64 { self.flushed + UInt64(self.buffer.count) }

  /// - Returns: Whether it could be written.
  private func add(_ state: [UInt8], _ number: Int, _ sequence: UInt64) -> Bool {
    guard !state.isEmpty, state.count <= SideIndexFile.stateLimit else { return true }
    let stored = PackedBytes.pack(state) ?? state
    self.entries.append(
      SideIndexFile.Entry(
        number: number, sequence: sequence, offset: self.size, storedSize: UInt32(stored.count),
        size: UInt32(state.count)))
    self.buffer += stored
    self.buffer.put(little: PackedBytes.sum(stored))
    return self.buffer.count < 1 << 16 || self.flush()
  }

  private func flush() -> Bool {
    guard (try? self.file.writeFully(self.buffer, at: self.flushed)) != nil else { return false }
    self.flushed += UInt64(self.buffer.count)
    self.buffer.removeAll(keepingCapacity: true)
    return true
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
    self.entries.removeAll { $0.number > last }
    let offset = self.size
    var table: [UInt8] = []
    for entry in self.entries { entry.put(to: &table) }
    self.buffer += table
    self.buffer.put(little: offset)
    self.buffer.put(little: UInt64(self.entries.count))
    self.buffer.put(little: lastSequence)
    self.buffer.put(little: PackedBytes.sum(self.identity))
    self.buffer.put(little: PackedBytes.sum(table))
    self.buffer += SideIndexFile.magic
    guard !self.entries.isEmpty, self.size <= UInt64(max(self.maximumBytes, 0)), self.flush(),
      (try? self.fileSystem.rename(self.partialPath, to: self.path)) != nil
    else {
      self.discard()
      return false
    }
    self.isOver = true
    self.file.close()
    return true
  }

  /// Leaves nothing behind.
  func discard() {
    guard !self.isOver else { return }
    self.isOver = true
    self.file.close()
    try? self.fileSystem.unlink(self.partialPath)
  }
}
