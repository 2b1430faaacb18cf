internal import ActionLog
internal import Synchronization

/// Cuts the power of a program that writes a log, at every kind of moment, and looks whether what
/// is left keeps the sync policy's promise.
///
/// One round is a program that appends, syncs, changes tails and segments; its disk is captured
/// before calls that change something, and from each capture several states are made that a loss
/// of power may leave. A round goes on with what an earlier one left, now and then.
package struct PowerCutCampaign {
  package enum Policy: String, CaseIterable, Sendable {
    case none, interval, group, each

    var syncPolicy: SyncPolicy {
      switch self {
      case .none: .none
      case .interval: .interval(milliseconds: 1)
      case .group: .group
      case .each: .each
      }
    }
  }

  package struct Counts: Sendable {
    package var rounds = 0
    /// Distinct by all names and bytes.
    package var states: Set<UInt64> = []
    /// Distinct by which names, pages and sectors were kept.
    package var shapes: Set<UInt64> = []
    /// States whose tails, segments and copies were more than one of a kind.
    package var changes = 0
    /// States in which records that were never promised are lost.
    package var losses = 0
  }

  /// A promise that was not kept.
  package struct Failure: Error, CustomStringConvertible {
    package var policy: Policy
    package var seed: UInt64
    package var message: String
    /// What was left, to be looked at.
    package var fileSystem: MemoryFileSystem

    package var description: String { "\(policy.rawValue), seed \(seed): \(message)" }
  }

  package let policy: Policy
  package var counts = Counts()
  /// What an earlier round left, and the records that must be in it.
  private var ground: (fileSystem: MemoryFileSystem, records: UInt64)?

  package init(_ policy: Policy) {
    self.policy = policy
  }

  private static let path = "/x"
  private static let momentsInARound = 12
  private static let statesOfAMoment = 12

  /// Runs a program, cuts its power and looks at what is left.
  package mutating func round(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // On some disks tails are written by calls instead of being mapped.
    let isMapped = !generator.chance(250)
    let start =
      ground ?? (MemoryFileSystem(losesPower: true, isMappingSafe: isMapped), 0)
    ground = nil
    let program = try Program(
      policy: policy, seed: generator.next(), on: start.fileSystem, behind: start.records)
    let moments = try program.run(moments: Self.momentsInARound)
    counts.rounds += 1
    for moment in moments {
      for _ in 0..<Self.statesOfAMoment {
        let remains = moment.disk.powerCut(&generator)
        let isNew = counts.states.insert(remains.contentHash).inserted
        counts.shapes.insert(remains.shapeHash)
        if !isNew { continue }
        note(remains.fileSystem)
        let kept = try check(remains.fileSystem, moment, seed: seed)
        if let kept, generator.chance(3) { ground = (remains.fileSystem, kept) }
      }
    }
  }

  private mutating func note(_ fileSystem: MemoryFileSystem) {
    let paths = fileSystem.paths
    let isChange = [".segment", ".tail", ".copy"].contains { suffix in
      paths.count { $0.hasSuffix(suffix) } > 1
    }
    if isChange { counts.changes += 1 }
  }

  /// Looks whether the promise was kept; returns the number of the last record after recovery
  /// when all before it are there.
  private mutating func check(
    _ fileSystem: MemoryFileSystem, _ moment: Program.Moment, seed: UInt64
  ) throws -> UInt64? {
    // Recovery changes the disk: a failure shows it as the power left it.
    let left = fileSystem.copyAfterKill()
    func fail(_ message: String) -> Failure {
      Failure(
        policy: policy, seed: seed,
        message: message + "; durable were \(moment.durable), appended \(moment.appended)",
        fileSystem: left)
    }
    do {
      if let reader = try reader(fileSystem, mustBe: moment.durable > 0) {
        try checkPrefix(reader, moment, fail, "before recovery")
        try checkSalvage(fileSystem, moment, fail)
      }
      // Small tails, since one is made for each of very many states.
      var options = LogOptions()
      options.initialTailSize = 4 << 10
      options.maximumTailSize = 4 << 10
      let writer = try LogWriter(at: Self.path, options: options, fileSystem: fileSystem)
      let own = try writer.append(.note, stream: 9, payload: [7])
      if own <= moment.durable {
        throw fail("a new record was given number \(own), which a durable one has")
      }
      try writer.close()
      let again = try LogReader(at: Self.path, fileSystem: fileSystem)
      let end = try checkPrefix(again, moment, fail, "after recovery")
      if end < moment.appended { counts.losses += 1 }
      guard try has(own, in: again) else { throw fail("a record behind the recovery is lost") }
      let whole = Program.Moment(disk: moment.disk, durable: 0, appended: own)
      return try checkPrefix(again, whole, fail, "at the end") == own ? own : nil
    } catch let error as LogError {
      throw fail("the log does not open or read: \(error.message)")
    }
  }

  /// The reader of a log; nil when there is none, and nothing was promised.
  private func reader(_ fileSystem: MemoryFileSystem, mustBe: Bool) throws -> LogReader? {
    do throws(LogError) {
      return try LogReader(at: Self.path, fileSystem: fileSystem)
    } catch {
      if !mustBe && (error.code == .empty || error.code == .notFound) { return nil }
      throw error
    }
  }

  /// Every durable record is there, in order and whole, and nothing is there that was not appended.
  @discardableResult
  private func checkPrefix(
    _ reader: LogReader, _ moment: Program.Moment, _ fail: (String) -> Failure, _ when: String
  ) throws -> UInt64 {
    var cursor = reader.cursor()
    var last: UInt64 = 0
    do throws(LogError) {
      while last < moment.appended, let record = try cursor.next() {
        guard record.sequence == last + 1 else { break }
        // Numbers that were never durable may be given to others by a recovery.
        if !Program.isRight(record) {
          if record.sequence > moment.durable { break }
          throw LogError(.damaged, "record \(record.sequence) is not what was appended")
        }
        last = record.sequence
      }
    } catch {
      if last < moment.durable { throw fail("\(when) \(error.message)") }
    }
    if last < moment.durable {
      throw fail("\(when) only records up to \(last) are there: \(reader.summary.damage)")
    }
    return last
  }

  /// What salvage finds was appended, and what it does not find is told.
  private func checkSalvage(
    _ fileSystem: MemoryFileSystem, _ moment: Program.Moment, _ fail: (String) -> Failure
  ) throws {
    let reader = try LogReader(at: Self.path, mode: .salvage, fileSystem: fileSystem)
    let report = try reader.verify()
    var cursor = reader.cursor()
    var last: UInt64 = 0
    var missing: UInt64 = 0
    while let record = try cursor.next() {
      if !Program.isRight(record) {
        throw fail("salvage made record \(record.sequence) up")
      }
      // The first may have any number, since older segments may have been deleted.
      if last > 0 { missing += record.sequence - last - 1 }
      last = record.sequence
    }
    let told = cursor.gaps.reduce(0) { $0 + UInt64($1.count) }
    if missing > told { throw fail("\(missing) records are missing, and \(told) are told") }
    if missing > 0 && report.isGood { throw fail("what is missing is not noticed") }
  }

  private func has(_ sequence: UInt64, in reader: LogReader) throws -> Bool {
    var cursor = reader.cursor()
    try cursor.seek(to: sequence)
    guard let record = try cursor.next() else { return false }
    return record.sequence == sequence && record.stream == 9
  }
}
