public import ActionCoding

/// What a recording holds beside the actions, and what it must not hold.
///
/// ```swift
/// var contents = RecordingContents()
/// contents.digestInterval = 1
/// contents.redaction = RecordRedaction { path, type, value in
///   type == "AccessToken" ? .redact : .keep
/// }
/// let recording = try Recording(at: "session.retrace", contents: contents)
/// ```
public struct RecordingContents: Sendable {
  /// After how many actions a digest of the state is written; `nil` for never.
  ///
  /// With 1, a replay names the very action after which the state differs, where otherwise it can
  /// only tell between which states of the log that was. The state is encoded on the store's thread
  /// for each digest, so that it costs the more the larger the state is.
  public var digestInterval: Int?
  /// Takes out what nobody may read in the log; everything is written when `nil`.
  ///
  /// It is the one gate for actions, states, shared values, what reducers read, and the texts of
  /// errors; those have the path `error`. Nothing is in the log's files before it has been asked.
  /// Fields marked `@Redacted` never come to it, since they are not encoded at all.
  public var redaction: RecordRedaction?
  /// Whether a recording says on standard error, as a store begins, which of its actions can't be
  /// replayed since they hold something that has no form in bytes.
  public var reportsUnreplayable = true
  /// How many bytes of a text are kept of each value in an action or a read that has no form in
  /// bytes; `nil`, as at first, for none: of such a value a log tells its type alone.
  ///
  /// The text is what a mirror of the value shows. `redaction` is asked for the value, with its path
  /// and type, and for each part of it, with the path that goes on there; what is marked `@Redacted`
  /// in types that can be recorded does not show. `retrace show` prints it. It is of no use to a
  /// replay. 1,024 is enough for most values, and no more than ``opaqueTextByteLimit`` are taken.
  /// With it, every action is encoded in memory before it is written, so that recording costs more.
  public var opaqueTextBytes: Int?

  /// The most bytes of one of these texts, 65,536: with all others of a record it stays far below what
  /// a record may take.
  public static let opaqueTextByteLimit = 65_536

  public init() {}
}
