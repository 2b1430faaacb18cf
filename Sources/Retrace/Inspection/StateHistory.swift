public import ActionCoding

/// The past states of a stream, as values that need no types: what the tool's verbs work on.
///
/// ``Timeline`` is one for every reducer.
public protocol StateHistory: AnyObject {
  /// The log.
  var inspector: LogInspector { get }
  /// The stream.
  var stream: StreamInfo { get }
  /// The number of the last action.
  var count: Int { get }
  /// The number of the action after which the present state stands.
  var position: Int { get }

  /// Goes to the state after an action.
  ///
  /// - Throws: A ``ReplayError`` or a `LogError`.
  func move(to number: Int) throws

  /// The present state.
  ///
  /// - Throws: A ``ReplayError`` when it can't be encoded.
  func stateValue() throws -> RecordValue

  /// A value of the present state.
  ///
  /// - Throws: A `RecordPathError` when the state has no such path.
  func stateValue(at path: RecordPath) throws -> RecordValue

  /// The last action up to `number` that changed the value at `path`, with the value before and
  /// after.
  ///
  /// - Parameters:
  ///   - progress: Called now and then with the number of the action that is looked at.
  func lastChange(
    of path: RecordPath, upTo number: Int, progress: (Int) -> Void
  ) throws -> ValueChange?

  /// What the types' change since the recording does to the values that the log has; nothing where
  /// they are the same. It goes through the whole log.
  ///
  /// - Throws: A `LogError` for damage.
  func typeChanges() throws -> RecordVerdict

  /// Folds everything from the start, and compares with every state in the log.
  func replay(progress: (Int) -> Void) throws -> ReplayReport
}

/// A change of one value by one action.
public struct ValueChange: Sendable {
  /// The number of the action.
  public var action: Int
  /// The value before; `nil` where the path was not there.
  public var old: RecordValue?
  /// The value after; `nil` where the path is not there.
  public var new: RecordValue?
}

/// What a replay of a whole stream found.
public struct ReplayReport: Sendable {
  /// How many actions were folded.
  public var actionCount: Int
  /// How many actions are missing from the log, since it could not be written for a while.
  public var missingCount = 0
  /// How long that took, in seconds.
  public var seconds: Double
  /// How many recorded states were compared.
  public var statesCompared: Int
  /// The numbers of the actions after which the log has a state that can't be read, though no record
  /// is damaged: the replay went on without it. The first 100.
  public var unreadableStates: [Int] = []
  /// The first difference, if there is one.
  public var divergence: Divergence?
  /// What had only placeholders, since it was redacted: a difference may come from there.
  public var redactions = Redactions()
  /// Dependencies that reducers asked although their answers are not recorded, by name.
  public var liveDependencies: [String] = []
}
