import CustomDump
import IssueReporting
import Testing

@Suite struct ExpectationTests {
  private func isText(_ text: String) -> @Sendable (Issue) -> Bool {
    { issue in
      issue.description.contains(text) || issue.comments.contains { $0.rawValue.contains(text) }
    }
  }

  @Test func noDifference() {
    expectNoDifference([1, 2], [1, 2])
    let text: String = """
      Difference: …

        \u{2007} [
        \u{2007}   [0]: 1,
        \u{2212}   [1]: 2
        +   [1]: 3
        \u{2007} ]

      (First: \u{2212}, Second: +)
      """
    withKnownIssue {
      expectNoDifference([1, 2], [1, 3])
    } matching: {
      isText(text)($0)
    }
    withKnownIssue {
      expectNoDifference([1, 2], [1, 3], "Numbers")
    } matching: {
      isText("Numbers - Difference: …")($0)
    }
  }

  @Test func anErrorIsReported() {
    struct Failure: Error {}
    func fail() throws -> Int { throw Failure() }
    withKnownIssue { expectNoDifference(try fail(), 1) }
    withKnownIssue { expectDifference(try fail()) { $0 = 1 } }
  }

  @Test func aDifference() {
    var count = 0
    expectDifference(count) {
      count += 1
    } changes: {
      $0 = 1
    }
    let text: String = """
      Difference: …

        \u{2212} 3
        + 2

      (Expected: \u{2212}, Actual: +)
      """
    withKnownIssue {
      expectDifference(count) {
        count += 1
      } changes: {
        $0 = 3
      }
    } matching: {
      isText(text)($0)
    }
  }

  @MainActor
  @Test func anAsynchronousDifference() async {
    var count = 0
    await expectDifference(count) {
      await Task.yield()
      count += 1
    } changes: {
      $0 = 1
    }
    await withKnownIssue {
      await expectDifference(count) {
        await Task.yield()
      } changes: {
        $0 = 2
      }
    } matching: {
      isText("(Expected: \u{2212}, Actual: +)")($0)
    }
  }

  @Test func theOlderNames() {
    var count = 0
    XCTAssertNoDifference(1, 1)
    XCTAssertDifference(count) {
      count += 1
    } changes: {
      $0 = 1
    }
    withKnownIssue {
      XCTAssertNoDifference(1, 2, "Numbers")
    } matching: {
      isText("Numbers - Difference: …")($0)
    }
    withKnownIssue {
      XCTAssertNoDifference(1, 2)
    } matching: {
      isText("Difference: …")($0) && !isText(" - Difference: …")($0)
    }
    withKnownIssue {
      XCTAssertDifference(count) { $0 = 5 }
    } matching: {
      isText("(Expected: \u{2212}, Actual: +)")($0)
    }
  }

  @Test func theOlderNamesOfAsynchronousOnes() async {
    var count = 0
    await XCTAssertDifference(count) {
      await Task.yield()
      count += 1
    } changes: {
      $0 = 1
    }
  }
}
