import ComposableArchitecture
import IssueReporting

/// Keeps the issues of a test instead of failing it.
final class Issues: IssueReporter {
  private let texts = LockIsolated<[String]>([])

  var all: [String] { self.texts.value }
  var firstLines: [String] {
    self.all.map { $0.split(separator: "\n").first.map(String.init) ?? "" }
  }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text = message() ?? ""
    self.texts.withValue { $0.append(text) }
  }
}

/// Runs an operation and returns the issues that it reported.
@MainActor
func issues(of operation: @MainActor () async throws -> Void) async rethrows -> Issues {
  let issues = Issues()
  try await withIssueReporters([issues]) { try await operation() }
  return issues
}

/// Lets effects go on until a condition holds; gives up after many turns.
@MainActor
func turn(until condition: @MainActor () -> Bool = { false }, limit: Int = 2_000) async {
  for _ in 0..<limit where !condition() { await Task.yield() }
}

/// Lets everything that could happen now happen.
@MainActor
func settle() async {
  await turn(limit: 200)
}

extension Store {
  /// The state, for comparisons in tests.
  var now: State { self.withState { $0 } }
}

/// Counts how many objects are alive.
final class Counted: Sendable {
  let alive: LockIsolated<Int>

  init(_ alive: LockIsolated<Int>) {
    self.alive = alive
    alive.withValue { $0 += 1 }
  }

  deinit {
    self.alive.withValue { $0 -= 1 }
  }
}

/// Does something when the last reference to it goes.
final class OnDeinit: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  deinit {
    self.action()
  }
}
