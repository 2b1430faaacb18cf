import ActionCoding
import Foundation
import IssueReporting

extension DependencyValues {
  /// The variables of the process's environment; in tests an issue for each that was not set there.
  ///
  ///     @Dependency(\.environmentVariables) var environment
  ///     …
  ///     state.home = environment["HOME"]
  ///
  /// What a reducer asks for is recorded, variable by variable, and a replay answers from the
  /// recording.
  public var environmentVariables: EnvironmentVariables {
    get { self[EnvironmentVariablesKey.self] }
    set { self[EnvironmentVariablesKey.self] = newValue }
  }

  private enum EnvironmentVariablesKey: DependencyKey, UnreadKey {
    static let liveValue = EnvironmentVariables { ProcessInfo.processInfo.environment[$0] }
    static var testValue: EnvironmentVariables {
      EnvironmentVariables { _ in
        guard shouldReportUnimplemented else { return nil }
        reportIssue(#"Unimplemented: @Dependency(\.environmentVariables)"#)
        return nil
      }
    }
  }
}

/// Answers what the value of an environment variable is.
///
///     $0.environmentVariables = ["HOME": "/home/blob"]
public struct EnvironmentVariables: Sendable {
  private let lookUp: @Sendable (String) -> String?
  private var changes: [String: String?] = [:]

  public init(_ lookUp: @escaping @Sendable (_ name: String) -> String?) {
    self.lookUp = lookUp
  }

  /// The variable's value; `nil` where it is not set. Assign to change it for whoever is given
  /// these variables; the process's environment stays as it is.
  public subscript(name: String) -> String? {
    get {
      guard ReducerReads.ofUse != nil else { return value(of: name) }
      return Self.read.read(
        _ReadArguments { (writer) throws(RecordOverflow) in try name.encode(to: &writer) },
        live: { value(of: name) })
    }
    set { changes[name] = .some(newValue) }
  }

  private func value(of name: String) -> String? {
    if let change = changes[name] { return change }
    return lookUp(name)
  }

  private static let read = _ReadKey(
    "environmentVariables", coder: recordCoder(for: String?.self),
    argumentsSchema: RecordSchema(of: Question.self), placeholder: { nil })

  /// What is asked: describes the arguments of a read.
  @Recordable
  struct Question {
    var name: String
  }
}

extension EnvironmentVariables: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { $1 })
  }

  /// These variables and no others.
  public init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }
}
