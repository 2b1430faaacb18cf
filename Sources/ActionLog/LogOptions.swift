/// When what was appended is made safe against a loss of power.
///
/// Against the end of the process, SIGKILL included, every record is safe once `append` returns,
/// whatever the policy.
public enum SyncPolicy: Hashable, Sendable {
  /// The system decides; a loss of power may take what was appended since the last full tail.
  case none
  /// A loss of power takes at most what was appended in the last `milliseconds` and while the
  /// disk was writing.
  case interval(milliseconds: Int)
  /// `append` returns when its record is durable, and all that wait meanwhile share one sync of
  /// the log's thread: the most durable records a second from many threads.
  case group
  /// `append` itself makes its record durable before it returns: the shortest wait for one thread.
  case each

  /// Whether `append` waits for the disk.
  var isAwaited: Bool { self == .group || self == .each }
}

/// What happens to records while the log can't be written: the disk is full, say, or was taken
/// away.
///
/// In each case the owner is told once through `onFailure`, and records are taken as long as there
/// is room for them in tails. A failed sync ends the writing for good, whatever the policy: what it
/// was to make safe may be gone.
public enum FailurePolicy: Hashable, Sendable {
  /// The log is given up. What was taken is brought into a segment when it is next opened.
  case fail
  /// `append` waits, and with it the application, until writing works again.
  case pause
  /// Writing is tried again and again. Once there is no room, the oldest records that are not
  /// durable are let go, a tail at a time; where none may be, the new ones are not taken. A gap
  /// record tells of them once writing works again.
  case dropOldest
}

/// How much of a log is kept.
///
/// What is over is removed by whole segments, the oldest first, and never one that is needed to
/// replay what stays: a segment goes only when a later one begins a run, or with a complete cut.
///
/// Where a writer's cuts are not complete, since a state can't be encoded, or where it never cuts,
/// nothing may go. Then `maximumBytes` limits what is written: new records are not taken, under any
/// failure policy, and the owner is told once. A complete cut ends that; a gap record says what was
/// not taken.
public struct Retention: Hashable, Sendable {
  /// Bytes of segments; nil for any number.
  ///
  /// A log that is being written takes two blocks more at most, what is in its tails, and where it
  /// restates states that are large, as much as twice the room of these.
  public var maximumBytes: UInt64?
  /// Seconds since a segment was sealed; nil for any age.
  ///
  /// The times of the records in it do not count.
  public var maximumAge: UInt64?

  public init(maximumBytes: UInt64? = nil, maximumAge: UInt64? = nil) {
    self.maximumBytes = maximumBytes
    self.maximumAge = maximumAge
  }
}

/// How a log is written.
public struct LogOptions: Sendable {
  /// When records are made safe against a loss of power.
  ///
  /// Each 100 milliseconds unless set.
  public var syncPolicy: SyncPolicy = .interval(milliseconds: 100)
  /// Bytes of records that are compressed together; 64 KiB is where LZ4 stops getting better.
  public var blockSize = 64 << 10
  /// Bytes of a segment after which `wantsCut` asks for the next one.
  public var segmentSize = 64 << 20
  /// Bytes of the first tail.
  ///
  /// Small, so that a short recording takes little space.
  public var initialTailSize = 64 << 10
  /// Bytes up to which tails grow, each twice the one before it.
  public var maximumTailSize = 8 << 20
  /// What happens to records while the log can't be written.
  public var failurePolicy: FailurePolicy = .dropOldest
  /// The most bytes of tails that may wait for the disk: 512 MiB.
  ///
  /// While the log can be written, whoever appends faster than that goes on waits here; only a disk
  /// that takes nothing at all for 30 seconds counts as one that fails.
  package var maximumBacklog = 512 << 20
  /// What is removed when a segment ends; nothing unless set.
  public var retention = Retention()
  /// Whether segments that are finished are packed better in the background, in a file of their own
  /// that then takes the place of the first.
  public var repacksColdSegments = false
  /// Told once when the log can't be written, from whichever thread finds out.
  ///
  /// It is told again only when the log could be written meanwhile, and when it is given up for good
  /// after it had been tried again, since a sync failed. The application goes on; see `failurePolicy`
  /// for the records.
  public var onFailure: (@Sendable (LogError) -> Void)?
  /// Told when the log can be written again after a failure, with what was lost meanwhile.
  public var onRecovery: (@Sendable (LogGap) -> Void)?

  public init() {}
}

extension LogOptions {
  /// Throws when a size is one that the format cannot work with.
  func check() throws(LogError) {
    try Self.check("blockSize", blockSize, 1 << 10, 4 << 20)
    try Self.check("segmentSize", segmentSize, 4 << 10, 1 << 40)
    try Self.check("initialTailSize", initialTailSize, 4 << 10, Format.maximumTail)
    try Self.check("maximumTailSize", maximumTailSize, 4 << 10, Format.maximumTail)
    if case .interval(let milliseconds) = syncPolicy {
      try Self.check("the milliseconds of syncPolicy", milliseconds, 1, 3_600_000)
    }
    if let bytes = retention.maximumBytes {
      try Self.check("maximumBytes of retention", Int(clamping: bytes), 1 << 10, .max)
    }
  }

  private static func check(
    _ name: String, _ value: Int, _ least: Int, _ most: Int
  ) throws(LogError) {
    if value < least || value > most {
      throw LogError(
        .invalidArgument,
        "\(name) is \(value), and must be from \(least) to \(most). Choose another value.")
    }
  }
}

/// What a writer has done so far.
public struct LogStatistics: Hashable, Sendable {
  /// Those of a writer that has done nothing.
  public init() {}

  /// Records appended in this run.
  public var records: UInt64 = 0
  /// Records that were not taken, since the log could not be written.
  public var dropped: UInt64 = 0
  /// Records that were taken and let go again, since the log could not be written.
  public var lost: UInt64 = 0
  /// How often writing stopped, whether or not it goes on.
  public var failures: UInt64 = 0
  /// Bytes of payload appended in state records.
  public var stateBytes: UInt64 = 0
  /// Bytes of payload appended in all other records.
  public var otherBytes: UInt64 = 0
  /// Bytes on disk that state records took so far; of a block that holds others as well, the
  /// share that their payloads have in it.
  public var storedStateBytes: UInt64 = 0
  /// Bytes on disk that all other records took so far.
  public var storedOtherBytes: UInt64 = 0
  /// Records that are in a block by now.
  public var sealedRecords: UInt64 = 0
  /// The last sequence number that is safe against a loss of power.
  public var durableSequence: UInt64 = 0
  /// Records by kind; kinds from 16 on are counted under 0.
  public var recordsByKind: [UInt64] = []

  /// How many records of a kind were appended in this run.
  public func records(of kind: RecordKind) -> UInt64 {
    let slot = kind.rawValue < 16 ? Int(kind.rawValue) : 0
    return slot < recordsByKind.count ? recordsByKind[slot] : 0
  }
}
