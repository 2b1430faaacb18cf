import Synchronization
import Testing

@testable import IssueReporting

/// Keeps what it is handed, as text.
private final class Recorder: IssueReporter {
  private let all = Mutex<[String]>([])
  var lines: [String] { all.withLock { $0 } }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text = "\(fileID):\(line): \(message() ?? "nil")"
    all.withLock { $0.append(text) }
  }

  func expectIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let text = "expected: \(message() ?? "nil")"
    all.withLock { $0.append(text) }
  }
}

private struct Failure: Error {}

@Suite struct IssueReporterTests {
  private let file = "IssueReportingTests/IssueReporterTests.swift"

  @Test func reportersOfAScopeTakeItsIssues() async {
    let recorder = Recorder()
    let line = #line + 2
    await withIssueReporters([recorder]) {
      reportIssue("A")
      reportIssue()
      reportIssue(Failure(), "B")
      await Task { reportIssue("C", severity: .warning) }.value
    }
    #expect(
      recorder.lines == [
        "\(file):\(line): A", "\(file):\(line + 1): nil",
        "\(file):\(line + 2): B\nCaught error: Failure()", "\(file):\(line + 3): C",
      ])
  }

  @Test func reportersOfAScopeHearOfExpectedIssues() async {
    let recorder = Recorder()
    let line = #line + 9
    await withIssueReporters([recorder]) {
      withExpectedIssue { reportIssue("A") }
      withExpectedIssue { throw Failure() }
      withExpectedIssue("Z", isIntermittent: true) {}
      await withExpectedIssue {
        await Task.yield()
        reportIssue("B")
      }
      withExpectedIssue("C") {}
      await withExpectedIssue { await Task.yield() }
    }
    #expect(
      recorder.lines == [
        "expected: A", "expected: Caught error: Failure()", "expected: B",
        "\(file):\(line): Known issue was not recorded: C",
        "\(file):\(line + 1): Known issue was not recorded",
      ])
  }

  @Test func theDefaultReporterIsTheRuntimeWarning() {
    #expect(IssueReporters.defaults.count == 1)
    #expect(IssueReporters.defaults.first is RuntimeWarningReporter)
  }

  @Test func anUnimplementedClosureReportsAndGivesItsPlaceholder() async throws {
    let recorder = Recorder()
    let line = #line + 1
    let plain: @Sendable (Int, String) -> Int = unimplemented("plain", placeholder: 3)
    let throwing: @Sendable () throws -> Int = unimplemented("throwing")
    let asynchronous: @Sendable (Int) async -> String = unimplemented("async", placeholder: "x")
    let both: @Sendable (Int) async throws -> Void = unimplemented("both")
    let nothing: @Sendable () -> Void = unimplemented()
    await withIssueReporters([recorder]) {
      #expect(plain(1, "a") == 3)
      #expect(throws: UnimplementedFailure(description: "throwing")) { try throwing() }
      #expect(await asynchronous(1) == "x")
      await #expect(throws: UnimplementedFailure.self) { try await both(1) }
      nothing()
    }
    func text(_ name: String, _ offset: Int, _ arguments: String?) -> String {
      let invoked: String = arguments.map { "\n\n  Invoked with:\n    \($0)" } ?? ""
      return "\(file):\(line + offset): Unimplemented\(name) …\n\n  Defined at:\n    "
        + "\(file):\(line + offset)\(invoked)"
    }
    #expect(
      recorder.lines == [
        text(": plain", 0, #"(1, "a")"#), text(": throwing", 1, nil),
        text(": async", 2, "1"), text(": both", 3, "1"), text("", 4, nil),
      ])
  }

  @Test func theErrorOfAnOperationIsReported() async {
    let recorder = Recorder()
    let other = Recorder()
    let line = #line + 2
    await withIssueReporters([recorder]) {
      withErrorReporting { throw Failure() }
      withErrorReporting("A", to: [other]) { throw Failure() }
      await withErrorReporting("B") {
        await Task.yield()
        throw Failure()
      }
      let number: Int? = withErrorReporting { 3 }
      #expect(number == 3)
      let optional = withErrorReporting { () throws -> Int? in 4 }
      #expect(optional == 4)
      let nothing = await withErrorReporting { () async throws -> Int? in nil }
      #expect(nothing == nil)
      let late: Int? = await withErrorReporting {
        await Task.yield()
        return 5
      }
      #expect(late == 5)
    }
    #expect(
      recorder.lines == [
        "\(file):\(line): Caught error: Failure()",
        "\(file):\(line + 2): B\nCaught error: Failure()",
      ])
    #expect(other.lines == ["\(file):\(line + 1): A\nCaught error: Failure()"])
  }

  @Test func aFatalReporterEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      withIssueReporters([.fatalError]) { reportIssue("A") }
    }
  }
}
