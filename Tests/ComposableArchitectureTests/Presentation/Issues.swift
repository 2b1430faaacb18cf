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

/// Lets effects go on until a condition holds; gives up after many turns.
@MainActor
func turn(until condition: @MainActor () -> Bool = { false }, limit: Int = 2_000) async {
  for _ in 0..<limit where !condition() { await Task.yield() }
}

extension Store {
  /// The state, for comparisons in tests.
  var now: State { self.withState { $0 } }
}
