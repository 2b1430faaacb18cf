import Dependencies
import DependenciesTestSupport
import XCTest

private final class Box: Sendable {}

private enum BoxKey: TestDependencyKey {
  static var testValue: Box { Box() }
}

/// The tests run in the order of their names; each makes its value anew.
@MainActor
final class XCTestCacheTests: XCTestCase {
  @Dependency(BoxKey.self) private var box
  private static var seen: [Box] = []

  private func check() {
    let mine: Box = box
    XCTAssertTrue(box === mine)
    XCTAssertFalse(Self.seen.contains { $0 === mine })
    Self.seen.append(mine)
  }

  func testFirst() async { check() }
  func testSecond() async { check() }
  func testThird() async { check() }
}
