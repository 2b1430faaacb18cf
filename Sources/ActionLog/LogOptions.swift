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
  /// `append` returns when its record is durable; appends that wait together share one sync.
  case each
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
  /// Told once when the log can no longer be written, from a thread of the log's own.
  ///
  /// The application goes on. On a full disk, records are still taken as long as there is room for
  /// them in tails, and are brought into a segment when the log is next opened for writing; what is
  /// appended after that, and after any other failure, is counted as dropped.
  public var onFailure: (@Sendable (LogError) -> Void)?

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
  /// Records that were not taken, since the log could no longer be written.
  public var dropped: UInt64 = 0
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
