public import CasePaths
internal import CustomDump
internal import IssueReporting

/// What came of asynchronous work: a value, or an error of any type.
///
/// ```swift
/// enum Action {
///   case factResponse(TaskResult<String>)
/// }
///
/// return .run { send in
///   await send(.factResponse(TaskResult { try await client.fact() }))
/// }
/// ```
///
/// Other than a `Result` with `any Error` it can be compared. Two errors are equal when they are of
/// one type that can be compared, and equal under that.
@CasePathable
@dynamicMemberLookup
public enum TaskResult<Success: Sendable>: Sendable {
  /// The work gave a value.
  case success(Success)

  /// The work failed.
  case failure(any Error)

  /// What came of `body`.
  public init(catching body: @Sendable () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }

  /// The same as a `Result`.
  public init<Failure>(_ result: Result<Success, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  /// The value; throws the error where there is none.
  public var value: Success {
    get throws {
      switch self {
      case .success(let value): return value
      case .failure(let error): throw error
      }
    }
  }

  /// The result with another value.
  public func map<NewSuccess>(
    _ transform: (Success) -> NewSuccess
  ) -> TaskResult<NewSuccess> {
    switch self {
    case .success(let value): .success(transform(value))
    case .failure(let error): .failure(error)
    }
  }

  /// The result of going on with the value.
  public func flatMap<NewSuccess>(
    _ transform: (Success) -> TaskResult<NewSuccess>
  ) -> TaskResult<NewSuccess> {
    switch self {
    case .success(let value): transform(value)
    case .failure(let error): .failure(error)
    }
  }
}

extension Result where Success: Sendable, Failure == any Error {
  /// The same as a `TaskResult`.
  public init(_ result: TaskResult<Success>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }
}

extension TaskResult: Equatable where Success: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.success(let lhs), .success(let rhs)):
      return lhs == rhs
    case (.failure(let lhs), .failure(let rhs)):
      guard let comparable = (lhs as Any) as? any Equatable else {
        if type(of: lhs) == type(of: rhs) { reportMissing("Equatable", of: lhs) }
        return false
      }
      return isEqual(comparable, rhs)
    default:
      return false
    }
  }
}

extension TaskResult: Hashable where Success: Hashable {
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .success(let value):
      hasher.combine(0)
      hasher.combine(value)
    case .failure(let error):
      hasher.combine(1)
      if let error = (error as Any) as? any Hashable {
        hasher.combine(error)
      } else {
        reportMissing("Hashable", of: error)
      }
    }
  }
}

private func isEqual<T: Equatable>(_ lhs: T, _ rhs: any Error) -> Bool {
  guard let rhs = rhs as? T else { return false }
  return lhs == rhs
}

private func reportMissing(_ conformance: String, of error: any Error) {
  let type = shortTypeName(type(of: error))
  reportIssue(
    """
    "\(type)" is not \(conformance.lowercased()). …

    Results that hold an error of this type can't be told apart. Let it conform:

        extension \(type): \(conformance) {}
    """)
}
