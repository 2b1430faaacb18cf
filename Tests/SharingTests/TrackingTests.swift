import ConcurrencyExtras
import CustomDump
import Foundation
import IssueReporting
@_spi(SharedChangeTracking) import Sharing
import Testing

private struct Pair: Equatable {
  var a = 0
  var b = 0
}

@Suite struct SharedChangeTrackerTests {
  @Test func whatWasChangedIsAsserted() {
    @Shared(value: 0) var count
    let tracker = SharedChangeTracker()
    #expect(!tracker.hasChanges)
    tracker.track { $count.withLock { $0 = 5 } }
    #expect(tracker.hasChanges)
    tracker.assert {
      #expect(count == 0)
      #expect($count != $count)
      $count.withLock { $0 += 5 }
      #expect(count == 5)
      #expect($count == $count)
    }
    #expect(!tracker.hasChanges)
    #expect(count == 5)
  }

  @Test func aWrongExpectation() {
    @Shared(value: 0) var count
    let tracker = SharedChangeTracker()
    tracker.track { $count.withLock { $0 = 5 } }
    tracker.assert {
      $count.withLock { $0 = 6 }
      #expect($count != $count)
      #expect(diff($count, $count, format: .proportional) == "− #1 6\n+ #1 5")
    }
    #expect(count == 5)
  }

  @Test func anExpectedChangeThatDidNotHappen() {
    @Shared(value: 0) var count
    let tracker = SharedChangeTracker()
    tracker.assert {
      $count.withLock { $0 = 6 }
      #expect($count != $count)
    }
    #expect(count == 0)
  }

  @Test func statesThatHoldReferences() {
    struct State: Equatable {
      @Shared var count: Int
      var text = ""
    }
    let state = State(count: Shared(value: 0))
    let tracker = SharedChangeTracker()
    tracker.track { state.$count.withLock { $0 += 1 } }
    tracker.assert {
      let expected = state
      #expect(expected != state)
      expectNoDifference(
        // Lines that are the same begin with a space as wide as a digit.
        diff(expected, state, format: .proportional)?
          .replacingOccurrences(of: "\u{2007}", with: " "),
        """
          SharedChangeTrackerTests.State(
        −   _count: #1 0,
        +   _count: #1 1,
            text: ""
          )
        """)
      expected.$count.withLock { $0 = 1 }
      #expect(expected == state)
    }
  }

  @Test func partsAreAssertedByThemselvesAndByTheWhole() {
    @Shared(value: Pair()) var pair
    let (a, b) = ($pair.a, $pair.b)
    let tracker = SharedChangeTracker()
    tracker.track {
      a.withLock { $0 = 1 }
      b.withLock { $0 = 2 }
    }
    tracker.assert {
      #expect(a != a)
      $pair.a.withLock { $0 = 1 }
      #expect(a == a)
      #expect($pair.a == $pair.a)
      #expect($pair != $pair)
      $pair.withLock { $0.b = 2 }
      #expect($pair == $pair)
      #expect(b == b)
    }
  }

  @Test func optionalPartsAreAsserted() throws {
    @Shared(value: ["a": 1]) var counts
    let a = try #require(Shared($counts["a"]))
    let tracker = SharedChangeTracker()
    tracker.track { a.withLock { $0 = 2 } }
    tracker.assert {
      #expect(a != a)
      a.withLock { $0 += 1 }
      #expect(a == a)
      #expect($counts == $counts)
    }
    #expect(counts == ["a": 2])
  }

  @Test func referencesOfKeysAreAsserted() {
    @Shared(.inMemory("count")) var count = 0
    @Shared(.inMemory("count")) var same = 0
    let tracker = SharedChangeTracker()
    tracker.track { $same.withLock { $0 = 3 } }
    tracker.assert {
      #expect($count != $same)
      $count.withLock { $0 = 3 }
      #expect($same == $count)
    }
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var kept = 0
    tracker.assert { $kept.withLock { $0 = 9 } }
    #expect(place.saved == [])
  }

  @Test func changesOutsideAreNotTracked() {
    @Shared(value: 0) var count
    let tracker = SharedChangeTracker()
    $count.withLock { $0 = 1 }
    #expect(!tracker.hasChanges)
    tracker.track {}
    #expect(!tracker.hasChanges)
    tracker.assert { #expect($count == $count) }
  }

  @Test func tasksThatAreStartedWhileTrackingAreTracked() async {
    let count = Shared(value: 0)
    let tracker = SharedChangeTracker()
    let task = tracker.track { Task { count.withLock { $0 = 1 } } }
    await task.value
    #expect(tracker.hasChanges)
    tracker.reset()
    #expect(!tracker.hasChanges)
    await tracker.track {
      await Task.yield()
      count.withLock { $0 = 2 }
    }
    tracker.assert {
      #expect(count.wrappedValue == 1)
      count.withLock { $0 = 2 }
      #expect(count == count)
    }
  }

  @Test func trackersNest() {
    @Shared(value: 0) var count
    let (outer, inner) = (SharedChangeTracker(), SharedChangeTracker())
    outer.track {
      $count.withLock { $0 = 1 }
      inner.track { $count.withLock { $0 = 2 } }
    }
    inner.assert {
      #expect(count == 1)
      $count.withLock { $0 = 2 }
      #expect($count == $count)
    }
    #expect(outer.hasChanges)
    outer.assert {
      #expect(count == 0)
      $count.withLock { $0 = 2 }
      #expect($count == $count)
    }
  }

  @Test func anOutcomeCanBeKept() {
    @Shared(value: 0) var count
    let tracker = SharedChangeTracker()
    tracker.track { $count.withLock { $0 = 1 } }
    tracker.captureOutcome()
    $count.withLock { $0 = 2 }
    tracker.assert {
      $count.withLock { $0 = 1 }
      #expect($count == $count)
    }
    #expect(count == 2)
  }

  @Test func changesThatWereNotAsserted() {
    @Shared(value: 0) var count
    let line: UInt = #line - 1
    let issues = issues {
      let tracker = SharedChangeTracker()
      tracker.track { $count.withLock { $0 = 1 } }
    }
    #expect(
      issues.texts == [
        """
        Tracked changes to 'Shared<Int>@SharingTests/TrackingTests.swift:\(line)' but failed to \
        assert: …

          − 0
          + 1

        (Before: −, After: +)

        Call 'Shared<Int>.assert' to exhaustively test these changes, or call 'skipChanges' to \
        ignore them.
        """
      ])
    #expect(issues.places == ["SharingTests/TrackingTests.swift:\(line)"])
  }

  @Test func changesThatNeedNoAssertion() {
    @Shared(value: 0) var count
    @Shared(value: 0) var same
    let issues = issues {
      SharedChangeTracker(reportUnassertedChanges: false)
        .track { $count.withLock { $0 = 1 } }
      let undone = SharedChangeTracker(reportUnassertedChanges: true)
      undone.track {
        $same.withLock { $0 = 1 }
        $same.withLock { $0 = 0 }
      }
      let forgotten = SharedChangeTracker(reportUnassertedChanges: true)
      forgotten.track { $count.withLock { $0 = 2 } }
      forgotten.reset()
    }
    #expect(issues.texts == [])
  }

  @Test func assertingOneValue() {
    @Shared(value: Pair()) var pair
    @Shared(.inMemory("count")) var count = 0
    let issues = issues {
      let tracker = SharedChangeTracker()
      tracker.track {
        $pair.a.withLock { $0 = 1 }
        $count.withLock { $0 = 4 }
        $pair.a.assert { $0 = 1 }
        $count.assert { $0 += 4 }
      }
    }
    #expect(issues.texts == [])
  }

  @Test func assertingOneValueFails() {
    @Shared(value: 0) var count
    let issues = issues {
      let tracker = SharedChangeTracker()
      tracker.track {
        $count.assert { $0 = 1 }
        $count.withLock { $0 = 4 }
        $count.assert { $0 = 5 }
        $count.assert { $0 = 5 }
      }
    }
    #expect(issues.texts.count == 3)
    #expect(issues.texts.first == "Expected changes, but none occurred.")
    #expect(issues.texts.last == "Expected changes, but none occurred.")
    #expect(issues.texts.dropFirst().first?.contains("5") == true)
  }

  @Test func skippingChanges() {
    @Shared(value: 0) var count
    let issues = issues {
      let tracker = SharedChangeTracker()
      tracker.track {
        $count.withLock { $0 = 4 }
        $count.skipChanges()
        $count.skipChanges()
      }
    }
    #expect(issues.texts == ["Expected changes to skip, but none occurred."])
  }
}
