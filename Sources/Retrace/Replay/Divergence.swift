/// The first place at which a replay does not do what the recording did.
public struct Divergence: Error, Hashable, Sendable, CustomStringConvertible {
  /// In what it differs.
  public enum Kind: String, Hashable, Sendable {
    /// A value of the state.
    case state
    /// What a reducer reads from outside: another thing, more or less of it, or with other arguments.
    case read
    /// An effect that a reducer starts, or an action that it sends.
    case effect
    /// A shared value that a reducer meets, makes or changes.
    case shared
    /// A dependency whose answers are not in the log was asked.
    case dependency
  }

  /// In what it differs.
  public var kind: Kind
  /// The number of the action in which, or for a state after which, it differs.
  public var action: Int
  /// The number of the last action after which all was known to agree.
  public var lastAgreement: Int
  /// For a state the path of the first value that differs; otherwise the name of what it is about,
  /// empty where it has none.
  public var path: String
  /// What was recorded.
  public var expected: String
  /// What the replay does.
  public var actual: String
  /// Where the effect that differs is made, as `Module/File.swift:12`; `nil` where that is not known.
  public var place: String?
  /// The address of the action in the tool, as `2:cart/1200`.
  public var address: String
  /// What has happened before that no replay can do, and that may be why it differs.
  public var hint: String?

  public var description: String {
    self.hint.map { "\(self.fact) \($0)" } ?? self.fact
  }

  /// In what it differs, in a sentence.
  private var fact: String {
    switch self.kind {
    case .state where self.path.isEmpty:
      """
      The replay differs from the recording after action \(self.action): the state had \
      \(self.expected), and has \(self.actual) now. The states after action \(self.lastAgreement) \
      agreed.
      """
    case .state:
      """
      The replay differs from the recording after action \(self.action): '\(self.path)' was \
      \(self.expected), and is \(self.actual) now. The states after action \(self.lastAgreement) \
      agreed.
      """
    case .read, .effect, .shared, .dependency:
      """
      The replay differs from the recording in action \(self.action): \(self.expected) was \
      recorded, and now there is \(self.actual)\(self.place.map { " (\($0))" } ?? "").
      """
    }
  }
}
