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

  public init() {}
}
