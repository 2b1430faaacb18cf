import Foundation
import Synchronization
import Testing

@testable import IssueReporting

private struct Failure: Error, CustomStringConvertible {
  var description: String { "It failed." }
}

@Suite struct ReportIssueTests {
  @Test func theProcessRunsTests() {
    #expect(isTesting)
    #expect(TestContext.current?.isSwiftTesting == true)
  }

  @Test func anIssueIsRecordedInTheRunningTestAtItsPlace() {
    let line = #line + 2
    withKnownIssue {
      reportIssue("Too many items")
    } matching: { issue in
      issue.comments.first?.rawValue == "Too many items"
        && issue.sourceLocation?.fileID == "IssueReportingTests/ReportIssueTests.swift"
        && issue.sourceLocation?.line == line
    }
  }

  @Test func anErrorIsRecordedWithItsText() {
    withKnownIssue {
      reportIssue(Failure(), "Loading")
    } matching: { issue in
      issue.comments.first?.rawValue == "Loading\nCaught error: It failed."
    }
    withKnownIssue {
      reportIssue(Failure())
    } matching: { issue in
      issue.comments.first?.rawValue == "Caught error: It failed."
    }
  }

  @Test func aContextMovesTheIssue() async {
    let matches: @Sendable (Issue) -> Bool = { issue in
      issue.sourceLocation?.fileID == "Module/File.swift" && issue.sourceLocation?.line == 7
    }
    withKnownIssue {
      withIssueContext(fileID: "Module/File.swift", filePath: "/File.swift", line: 7, column: 1) {
        reportIssue("Elsewhere")
      }
    } matching: {
      matches($0)
    }
    await withKnownIssue {
      await withIssueContext(
        fileID: "Module/File.swift", filePath: "/File.swift", line: 7, column: 0
      ) {
        await Task.yield()
        reportIssue("Elsewhere")
      }
    } matching: {
      matches($0)
    }
  }

  @Test func aFailedExpectationMayBeExpected() async throws {
    withExpectedIssue { #expect(1 > 2) }
    withExpectedIssue("Text") { reportIssue("A") }
    withExpectedIssue { throw Failure() }
    withExpectedIssue(isIntermittent: true) {}
    await withExpectedIssue {
      await Task.yield()
      reportIssue("B")
    }
    await withExpectedIssue {
      await Task.yield()
      throw Failure()
    }
  }

  @Test func anExpectedIssueThatDoesNotComeIsAnIssue() async {
    let matches: @Sendable (Issue) -> Bool = { issue in
      if case .knownIssueNotRecorded = issue.kind { true } else { false }
    }
    withKnownIssue {
      withExpectedIssue {}
    } matching: {
      matches($0)
    }
    await withKnownIssue {
      await withExpectedIssue { await Task.yield() }
    } matching: {
      matches($0)
    }
  }

  @Test func tasksOfATestBelongToIt() async {
    let here = TestContext.current
    #expect(await Task { TestContext.current }.value == here)
    #expect(await Task.detached { TestContext.current }.value == .swiftTesting(nil))
  }

  @Test func theRunnersArgumentsTellItsFramework() {
    #expect(TestProcess.framework(of: []) == nil)
    #expect(TestProcess.framework(of: ["/bin/editor", "replay"]) == nil)
    #expect(TestProcess.framework(of: ["/x/aPackageTests.xctest"]) == .xcTest)
    #expect(
      TestProcess.framework(of: ["/x/aPackageTests.xctest", "--testing-library", "swift-testing"])
        == .swiftTesting)
    #expect(
      TestProcess.framework(of: ["/x/helper", "--testing-library=swift-testing"]) == .swiftTesting)
  }
}
