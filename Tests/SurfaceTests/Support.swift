import ComposableArchitecture
import Foundation
import IssueReporting

// Each test of this target names a part of the public surface that other people's sources name,
// in the form in which they name it. What the parts do in detail is tested elsewhere.

/// Keeps the issues of a test instead of failing it.
final class Issues: IssueReporter {
  private let texts = LockIsolated<[String]>([])

  var all: [String] { self.texts.value }

  /// The first line of each issue, without the place that some begin with.
  var headings: [String] {
    self.all.map { text in
      let line: Substring = text.prefix { $0 != "\n" }
      guard let open = line.range(of: " at \""),
        let end = line[open.upperBound...].firstIndex(of: "\"")
      else { return String(line) }
      return String(line[..<open.lowerBound] + line[line.index(after: end)...])
    }
  }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text: String = message() ?? ""
    self.texts.withValue { $0.append(text) }
  }

  func expectIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {}
}

/// The issues that are reported while `body` runs.
@MainActor
func issues(_ body: @MainActor () async -> Void) async -> Issues {
  let issues = Issues()
  await withIssueReporters([issues]) { await body() }
  return issues
}

/// A feature that other features embed.
@Reducer
struct Counter {
  @ObservableState
  struct State: Equatable, Hashable, Codable, Sendable {
    var count = 0
  }

  enum Action: Equatable, Hashable, Codable, Sendable {
    case increment, start, tick, close
  }

  enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment, .tick:
        state.count += 1
        return .none
      case .start:
        return .run { send in
          for await _ in self.clock.timer(interval: .seconds(1)) { await send(.tick) }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
      case .close:
        return .run { _ in await self.dismiss() }
      }
    }
  }
}
