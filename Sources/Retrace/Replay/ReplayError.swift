/// Why a log can't be replayed, or not to the place that was asked for.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of obstacle it is.
  public enum Code: Hashable, Sendable {
    /// There is no such run.
    case noSuchRun
    /// There is no such stream in the run, or more than one and none was named.
    case noSuchStream
    /// The stream has fewer actions.
    case outOfRange
    /// The log was recorded by other types than the program has.
    case otherTypes
    /// A state or an action was recorded without its value.
    case absentValue
    /// A record can't be decoded.
    case undecodable
    /// Records are missing in between.
    case gap
  }

  /// What kind of obstacle it is.
  public var code: Code
  /// What is wrong, where, and what to do.
  public var message: String
  /// The number of the action at which it happened, if it is about one.
  public var action: Int?

  public init(_ code: Code, _ message: String, action: Int? = nil) {
    self.code = code
    self.message = message
    self.action = action
  }

  public var description: String { self.message }
}
