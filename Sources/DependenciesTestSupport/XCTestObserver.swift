#if canImport(XCTest)
  import Dependencies
  import Foundation
  import XCTest

  /// Forgets the values that a test of XCTest has made when it ends.
  ///
  /// Tests of Swift Testing need nothing of the kind: each has values of its own. `Dependencies`
  /// finds this class by its name, and only in a process that runs XCTest.
  final class XCTestObserver: NSObject, XCTestObservation, TestEndObserver {
    func testCaseDidFinish(_ testCase: XCTestCase) {
      DependencyValues.forgetProcessValues()
    }

    static func start() {
      // XCTest runs its tests, and most first reads happen, on the main thread; after one on
      // another thread, observation starts as soon as the main thread is free.
      if Thread.isMainThread {
        MainActor.assumeIsolated { XCTestObservationCenter.shared.addTestObserver(Self()) }
      } else {
        Task { @MainActor in XCTestObservationCenter.shared.addTestObserver(Self()) }
      }
    }
  }
#endif
