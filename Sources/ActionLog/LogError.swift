/// Why the log could not do what it was asked to.
///
/// The message says what happened, where, and what to do about it.
public struct LogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// There is nothing at the path.
    public static let notFound = Self(rawValue: "notFound")
    /// What is at the path is not a log.
    public static let notALog = Self(rawValue: "notALog")
    /// The directory is there and holds no log.
    public static let empty = Self(rawValue: "empty")
    /// A newer version of the format, or a feature that this version does not know.
    public static let newerFormat = Self(rawValue: "newerFormat")
    /// Bytes that were written are not those that are read.
    public static let damaged = Self(rawValue: "damaged")
    /// The system does not permit it.
    public static let permission = Self(rawValue: "permission")
    /// The disk or the quota is full.
    public static let diskFull = Self(rawValue: "diskFull")
    /// The log has the bytes that its retention allows, and nothing of it can be removed.
    public static let limitReached = Self(rawValue: "limitReached")
    /// Another program writes the log.
    public static let locked = Self(rawValue: "locked")
    /// The writer was closed before.
    public static let closed = Self(rawValue: "closed")
    /// A record is larger than the format allows.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// An argument makes no sense.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// A sequence number that the log does not hold.
    public static let outOfRange = Self(rawValue: "outOfRange")
    /// Records that were to be read were deleted meanwhile.
    public static let deleted = Self(rawValue: "deleted")
    /// Any other failure of the system.
    public static let system = Self(rawValue: "system")
  }

  public var code: Code
  /// What happened, where, and what to do.
  public var message: String
  /// The file or directory that it happened to.
  public var path: String?
  /// The system's error number, if it was the system that failed.
  public var errno: Int32?

  public init(_ code: Code, _ message: String, path: String? = nil, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.errno = errno
  }

  public var description: String { message }
}

extension LogError {
  static let emptyPath = LogError(
    .invalidArgument,
    "The path of the log is empty. Name the directory of a log, such as session.retrace.",
    path: "")

  static func notADirectory(_ path: String) -> LogError {
    LogError(
      .notALog,
      "\"\(path)\" is a file, and a log is a directory, such as session.retrace. Check the path.",
      path: path)
  }

  static func newer(_ path: String, _ what: String) -> LogError {
    LogError(
      .newerFormat,
      """
      "\(path)" was written with \(what), which this program does not know. Open it with a newer \
      version of the program.
      """, path: path)
  }
}
