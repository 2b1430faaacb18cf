import IssueReporting
import XCTest

final class XCTestTests: XCTestCase {
  private var isCollecting = false
  private var failures: [String] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    guard isCollecting else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    let file = filePath.split(separator: "/").last ?? ""
    failures.append("\(file):\(lineNumber): \(description)")
  }

  private func collect(_ operation: () -> Void) -> [String] {
    isCollecting = true
    defer { isCollecting = false }
    failures = []
    operation()
    return failures
  }

  func testAnIssueFailsTheTest() {
    XCTAssertTrue(isTesting)
    XCTAssertEqual(TestContext.current, .xcTest)
    let line = #line + 1
    let failures = collect { reportIssue("Too many items") }
    XCTAssertEqual(failures, ["XCTestTests.swift:\(line): failed - Too many items"])
  }

  func testAnExpectedIssueDoesNotFailTheTest() {
    XCTAssertEqual(collect { withExpectedIssue { reportIssue("Too many items") } }, [])
    let line = #line + 1
    let failures = collect { withExpectedIssue {} }
    XCTAssertEqual(
      failures, ["XCTestTests.swift:\(line): failed - Known issue was not recorded"])
  }
}
