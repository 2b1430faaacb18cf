import ComposableArchitecture
import IssueReporting

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

/// Keeps the issues of a test instead of failing it.
final class Issues: IssueReporter {
  private let texts = LockIsolated<[String]>([])

  var all: [String] { self.texts.value }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text = message() ?? ""
    self.texts.withValue { $0.append(text) }
  }
}

/// A sequence that gives values as they are sent, to those who listen at that time.
final class Subject<Element: Sendable>: Sendable {
  private let continuations = LockIsolated<[AsyncStream<Element>.Continuation]>([])

  var stream: AsyncStream<Element> {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    self.continuations.withValue { $0.append(continuation) }
    return stream
  }

  func send(_ element: Element) {
    self.continuations.withValue { for continuation in $0 { continuation.yield(element) } }
  }

  func finish() {
    self.continuations.withValue { for continuation in $0 { continuation.finish() } }
  }
}
