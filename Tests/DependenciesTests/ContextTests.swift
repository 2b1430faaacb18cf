import ConcurrencyExtras
import Dependencies
import DependenciesTestSupport
import Foundation
import IssueReporting
import Testing

private final class Box: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Counts how often its test value is made; has no live value.
private enum CountedKey: TestDependencyKey {
  static let count = LockIsolated(0)
  static var testValue: Box {
    count.withValue {
      $0 += 1
      return Box($0)
    }
  }
}

private struct LiveOnly: Sendable, DependencyKey {
  var number = 1
  static let liveValue = LiveOnly()
}

extension DependencyValues {
  fileprivate var counted: Box {
    get { self[CountedKey.self] }
    set { self[CountedKey.self] = newValue }
  }
  fileprivate var liveOnly: LiveOnly {
    get { self[LiveOnly.self] }
    set { self[LiveOnly.self] = newValue }
  }
}

@Suite struct ContextTests {
  @Test(.dependency(\.context, .live))
  func aTestValueInALiveContextIsMadeOnceAndReportedOnce() {
    @Dependency(\.counted) var counted
    var boxes: [Box] = []
    let issues = issues {
      boxes.append(counted)
      boxes.append(counted)
    }
    let line = #line - 6
    #expect(boxes[0] === boxes[1])
    #expect(
      issues.texts == [
        """
        @Dependency(\\.counted) has no live implementation, but was accessed from a live context.

          Location:
            DependenciesTests/ContextTests.swift:\(line)
          Key:
            DependenciesTests.CountedKey
          Value:
            DependenciesTests.Box

        To fix this, either conform 'DependenciesTests.CountedKey' to 'DependencyKey' with a \
        'liveValue', in a module that is linked with this program, or override the dependency by \
        'withDependencies' (or once, as the program starts, by 'prepareDependencies').
        """
      ])
    #expect(issues.places == ["DependenciesTests/ContextTests.swift:\(line)"])
  }

  @Test(.dependencies) func aLiveValueInATestIsReported() {
    @Dependency(\.liveOnly) var byPath
    @Dependency(LiveOnly.self) var byKey
    let issues = issues {
      #expect(byPath.number == 1)
      #expect(byKey.number == 1)
    }
    let line = #line - 6
    #expect(
      issues.texts == [
        """
        @Dependency(\\.liveOnly) has no test implementation, but was accessed from a test context:

          Location:
            DependenciesTests/ContextTests.swift:\(line)
          Key:
            DependenciesTests.LiveOnly
          Value:
            DependenciesTests.LiveOnly

        A dependency must not use its live value in a test unless the test says so.

        To fix this, override it for the test, with 'withDependencies' or through the test store's \
        'withDependencies' closure. To give all tests a value, implement the 'testValue' \
        requirement of 'DependencyKey'.
        """
      ])
  }

  @Test(.dependencies) func aReadByKeyIsNamedByItsKey() {
    @Dependency(LiveOnly.self) var byKey
    let issues = issues { _ = byKey }
    #expect(
      issues.texts.first?.hasPrefix(
        "@Dependency(DependenciesTests.LiveOnly.self) has no test implementation") == true)
  }

  @Test(.dependencies) func changingAValueInAnOverrideReportsNothing() {
    let issues = issues {
      withDependencies {
        $0.liveOnly.number = 2
      } operation: {
        @Dependency(\.liveOnly) var liveOnly
        #expect(liveOnly.number == 2)
      }
    }
    #expect(issues.texts.isEmpty)
  }

  @Test(.dependencies, arguments: 1...3) func eachTestCaseHasValuesOfItsOwn(_: Int) async {
    @Dependency(\.counted) var counted
    let mine = counted
    let task = Task.detached { [values = DependencyValues._current] in
      DependencyValues.$_current.withValue(values) { DependencyValues._current.counted }
    }
    #expect(counted === mine)
    // A detached task of the case that keeps its dependencies sees the case's value.
    #expect(await task.value.number > 0)
  }

  @Test func aDependencyIsPreparedOnceAndBeforeItIsRead() {
    withDependencies {
      $0 = DependencyValues()
    } operation: {
      prepareDependencies { $0.liveOnly = LiveOnly(number: 5) }
      @Dependency(\.liveOnly) var liveOnly
      #expect(liveOnly.number == 5)
      let issues = issues { prepareDependencies { $0.liveOnly = LiveOnly(number: 6) } }
      #expect(liveOnly.number == 5)
      #expect(
        issues.texts == [
          """
          @Dependency(\\.liveOnly) has already been accessed or prepared.

            Key:
              DependenciesTests.LiveOnly
            Value:
              DependenciesTests.LiveOnly

          A dependency can be prepared once only, and before it is first read: call \
          'prepareDependencies' as the program starts. To change a dependency later and for a \
          while, use 'withDependencies'.
          """
        ])
    }
  }

  @Test func contextsHaveValuesOfTheirOwn() {
    #expect(DependencyValues.live.context == .live)
    #expect(DependencyValues.preview.context == .preview)
    #expect(DependencyValues.test.context == .test)
    #expect(DependencyValues._current.context == .test)
    #expect(DependencyValues.live.liveOnly.number == 1)
  }
}
