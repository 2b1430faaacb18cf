internal import CActionLog
internal import Glibc

/// Says which segments a retention lets go.
struct Pruning {
  /// What is known of a segment by its name, its size and its header.
  struct Facts {
    var name: String
    var size: UInt64
    /// Nil when it can't be read.
    var header: SegmentHeader?
  }

  /// A choice among the segments.
  struct Plan {
    /// How many go, the oldest first.
    var count = 0
    /// Bytes that stay.
    var rest: UInt64 = 0
    /// Whether more would have to go, and can't: what stays needs it.
    var isOver = false
    /// Whether more could go if it had to.
    var isMoreRemovable = false
  }

  /// The segments in order.
  ///
  /// Of each only the header is read.
  static func survey(
    _ directory: String, _ fileSystem: any FileSystem
  ) throws(FileError) -> [Facts] {
    var result: [Facts] = []
    for name in try fileSystem.list(directory).sorted() where FileName.segmentNumber(name) != nil {
      do throws(FileError) {
        let file = try fileSystem.open(join(directory, name), .read)
        defer { file.close() }
        let bytes = try file.readBytes(Format.segmentStart, at: 0)
        var header: SegmentHeader?
        if case .header(let found, _) = bytes.withUnsafeBytes({ SegmentHeader.find(in: $0) }) {
          header = found
        }
        result.append(Facts(name: name, size: try file.size(), header: header))
      } catch {
        // Another program may remove it meanwhile.
        if error.number != ENOENT { throw error }
      }
    }
    return result
  }

  /// Chooses the segments that go at the time `now`, in microseconds since 1970.
  ///
  /// They go in groups: from one that stands alone to the next one that does, so that what is left
  /// always begins with one that can be replayed by itself.
  static func plan(_ facts: [Facts], _ retention: Retention, now: UInt64) -> Plan {
    var plan = Plan()
    plan.rest = facts.reduce(0) { $0 + $1.size }
    let sealed = sealTimes(facts)
    let starts = facts.indices.filter { $0 > 0 && facts[$0].header?.standsAlone == true }
    for start in starts {
      let isOver = retention.maximumBytes.map { plan.rest > $0 } ?? false
      let limit = retention.maximumAge.map { $0 > now / 1_000_000 ? 0 : now - $0 * 1_000_000 }
      let isOld = limit.map { sealed[start - 1] < $0 } ?? false
      guard isOver || isOld else { break }
      for segment in facts[plan.count..<start] { plan.rest -= segment.size }
      plan.count = start
    }
    plan.isOver = retention.maximumBytes.map { plan.rest > $0 } ?? false
    plan.isMoreRemovable = starts.contains { $0 > plan.count }
    return plan
  }

  /// When each segment was sealed: when the next one was made.
  ///
  /// A clock that was wrong for a while makes none look younger than those behind it.
  private static func sealTimes(_ facts: [Facts]) -> [UInt64] {
    var times = [UInt64](repeating: .max, count: facts.count)
    var time = UInt64.max
    for index in facts.indices.reversed() {
      times[index] = time
      if let created = facts[index].header?.created { time = min(time, created) }
    }
    return times
  }
}

/// What a pruning removed, or would.
public struct PruneResult: Hashable, Sendable {
  /// The files, the oldest first.
  public var paths: [String] = []
  /// Their bytes.
  public var bytes: UInt64 = 0
  /// The first record that stays.
  public var firstSequence: UInt64 = 1
  /// Segments that stay, and their bytes.
  public var keptSegments = 0
  public var keptBytes: UInt64 = 0
  /// Whether more would have to go by the number of bytes, and can't, since what stays needs it.
  public var isOver = false
}

/// Removes the segments of a log that a retention lets go.
///
/// Readers go on with what they have open. Records that are in tails only are not looked at.
///
/// - Parameters:
///   - retention: What is to stay.
///   - isDryRun: Whether to remove nothing, and only to say what would be.
/// - Throws: `locked` while another program writes the log: that one has a retention of its own;
///   `notFound`, `notALog` and `empty` where there is no log; and what the system refuses.
public func prune(
  at path: String, _ retention: Retention, isDryRun: Bool = false,
  fileSystem: any FileSystem = .real
) throws(LogError) -> PruneResult {
  try Opening.checkIsLog(path, fileSystem)
  let lock: (any OpenFile)? = isDryRun ? nil : try Opening.takeLock(path, fileSystem)
  defer { lock?.close() }
  var result = PruneResult()
  do throws(FileError) {
    let facts = try Pruning.survey(path, fileSystem)
    let plan = Pruning.plan(facts, retention, now: al_system_microseconds())
    for segment in facts[..<plan.count] {
      let file = join(path, segment.name)
      if !isDryRun { try fileSystem.unlink(file) }
      result.paths.append(file)
      result.bytes += segment.size
    }
    if !isDryRun && plan.count > 0 { try fileSystem.syncDirectory(path) }
    let kept = facts[plan.count...]
    result.firstSequence = kept.first.flatMap { FileName.segmentNumber($0.name) } ?? 1
    result.keptSegments = kept.count
    result.keptBytes = plan.rest
    result.isOver = plan.isOver
  } catch {
    throw LogError(error, doing: "The log \"\(path)\" cannot be pruned")
  }
  return result
}
