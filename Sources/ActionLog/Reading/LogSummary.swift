/// How a log is read where it is not whole.
public enum ReadMode: Hashable, Sendable {
  /// Nothing may be wrong, not even a torn end.
  case strict
  /// An end torn by a kill or a loss of power is where the log ends; anything else that is wrong
  /// is an error where it is met.
  case tolerateTail
  /// Everything that can be read is, and the gaps are told.
  case salvage
}

/// A place in a log that is not what was written.
public struct LogDamage: Hashable, Sendable, CustomStringConvertible {
  /// What it costs.
  public enum Effect: Hashable, Sendable {
    /// Records are lost.
    case loss
    /// An end that was being written when the process or the power went; nothing before it.
    case tornEnd
    /// Nothing is lost: what is damaged is there twice, or can be found by looking.
    case none
  }

  public var effect: Effect
  /// The file, or the directory when no file holds what is missing.
  public var path: String
  /// Where in the file it begins, in bytes.
  public var offset: UInt64?
  /// The records that cannot be read, when their numbers are known.
  public var sequences: ClosedRange<UInt64>?
  public var message: String

  public var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "\(path)\(place): \(message)"
  }
}

/// What a run left in the log.
public struct RunSummary: Hashable, Sendable {
  public var number: UInt32
  public var firstSequence: UInt64
  public var lastSequence: UInt64
  /// The earliest and the latest time of its records, in microseconds since 1970.
  public var firstTime: UInt64
  public var lastTime: UInt64
  /// The number of action records by stream, in order of the streams.
  public var actions: [(stream: UInt16, count: UInt64)] {
    counts.sorted { $0.key < $1.key }.map { (stream: $0.key, count: $0.value) }
  }
  /// Whether the program closed the log.
  public var endedCleanly = false
  /// Whether a program is writing it now.
  public var isBeingWritten = false
  /// The actions that were in their reducers when it ended without closing, or are now.
  public var inFlight: [InFlight] = []
  /// The process that wrote it, when that is known.
  public var process: UInt32?

  var counts: [UInt16: UInt64] = [:]
}

/// A file of blocks.
public struct SegmentSummary: Hashable, Sendable {
  public var path: String
  public var run: UInt32
  public var firstSequence: UInt64
  /// The number after its last record's.
  public var nextSequence: UInt64
  public var blocks: Int
  /// Bytes on disk.
  public var size: UInt64
  /// Microseconds since 1970.
  public var created: UInt64
  /// Whether it opens with what is needed to replay it by itself.
  public var hasPreamble: Bool
  /// Whether that is all that is needed to replay every stream from there.
  public var isComplete: Bool
  /// Whether it is the first of its run.
  public var startsRun: Bool
  /// Whether recovery made it from a killed run's tails.
  public var isRecovered: Bool
  /// Whether it was packed again, thoroughly.
  public var isRepacked: Bool
  /// Whether it ends with an index.
  public var hasIndex: Bool
}

/// What a log holds, as of the last look at it.
public struct LogSummary: Sendable {
  public var path: String
  public var runs: [RunSummary] = []
  public var segments: [SegmentSummary] = []
  /// The number of the first record; more than 1 when older segments were deleted.
  public var firstSequence: UInt64 = 1
  /// The number after the last record's.
  public var nextSequence: UInt64 = 1
  /// Records that are in no segment yet.
  public var tailRecords: UInt64 = 0
  /// Bytes of the segments on disk.
  public var segmentBytes: UInt64 = 0
  /// Bytes of the tails and their copies on disk.
  public var tailBytes: UInt64 = 0
  /// Records that are missing, as the log itself recorded: it could not be written, or recovery
  /// found them lost.
  public var gaps: [LogGap] = []
  /// What is not as it was written, as far as it is seen without reading the blocks.
  public var damage: [LogDamage] = []
  /// Whether a program is writing the log now; nil when the system cannot tell.
  public var isBeingWritten: Bool?
  /// The process that does.
  public var writer: UInt32?

  public var records: UInt64 {
    runs.reduce(0) { $0 + ($1.lastSequence + 1 - $1.firstSequence) }
  }

  /// The action that was in its reducer when the last run ended without closing, or is now.
  public var inFlight: InFlight? { runs.last?.inFlight.first }
}

/// What is known of a block without reading it.
public struct BlockSummary: Hashable, Sendable {
  public var run: UInt32
  public var firstSequence: UInt64
  public var count: Int
  public var kinds: RecordKindSet
  /// The number of action records of each stream.
  public var actions: [UInt16: UInt64]
  /// The earliest and the latest time of its records, in microseconds since 1970.
  public var earliest: UInt64
  public var latest: UInt64
  /// Whether its records restate what a segment needs, and take no sequence numbers.
  public var isPreamble: Bool
  /// Whether it is not a block yet, but a stretch of a tail.
  public var isTail: Bool
  /// Bytes on disk, and bytes of the records unpacked.
  public var storedSize: Int
  public var rawSize: Int
}
