import ConcurrencyExtras
import Observation
import Sharing
import Testing

@Suite @MainActor struct SharedObservationTests {
  /// Counts how often what an operation reads is about to change, until it has changed once.
  private func changes<R>(_ operation: () -> R) -> LockIsolated<Int> {
    let count = LockIsolated(0)
    withObservationTracking {
      _ = operation()
    } onChange: {
      count.withValue { $0 += 1 }
    }
    return count
  }

  @Test func aReadIsObserved() {
    @Shared(value: 0) var count
    @Shared(value: 0) var other
    let changes = changes { count }
    $other.withLock { $0 += 1 }
    #expect(changes.value == 0)
    $count.withLock { $0 += 1 }
    #expect(changes.value == 1)
    $count.withLock { $0 += 1 }
    #expect(changes.value == 1)
  }

  @Test func partsAndReadersAreObserved() {
    @Shared(value: ["a": 1]) var counts
    let parts = changes { $counts["a"].wrappedValue }
    let readers = changes { SharedReader($counts).count.wrappedValue }
    $counts["a"].withLock { $0 = 2 }
    #expect(parts.value == 1)
    #expect(readers.value == 1)
  }

  @Test func passingAReferenceAlongIsNotObserved() {
    @Shared(value: 0) var count
    let changes = changes { $count }
    $count.withLock { $0 += 1 }
    #expect(changes.value == 0)
  }

  @Test func referencesOfOneKeyAreObservedTogether() {
    @Shared(.inMemory("count")) var first = 0
    @Shared(.inMemory("count")) var second = 0
    let changes = changes { second }
    $first.withLock { $0 += 1 }
    #expect(changes.value == 1)
  }

  @Test func anotherReferenceIsAChange() {
    @Shared(value: 0) var count
    let changes = changes { count }
    $count = Shared(value: 1)
    #expect(changes.value == 1)
  }

  @Test func whatAKeyYieldsIsObserved() {
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var count = 0
    let value = changes { count }
    let isLoading = changes { $count.isLoading }
    let loadError = changes { $count.loadError }
    place.subscriber?.yieldLoading()
    #expect(isLoading.value == 1)
    #expect(value.value == 0)
    place.subscriber?.yield(1)
    #expect(value.value == 1)
    #expect(loadError.value == 0)
    place.subscriber?.yield(throwing: SomeError())
    #expect(loadError.value == 1)
  }

  @Test func saveErrorsAreObserved() throws {
    let place = ManualPlace<Int>(savesAtOnce: false)
    @Shared(.manual(place)) var count = 0
    let saveError = changes { $count.saveError }
    $count.withLock { $0 = 1 }
    #expect(saveError.value == 0)
    try #require(place.takeSave()).resume(throwing: SomeError())
    #expect(saveError.value == 1)
  }

  @Test func observersAreToldOnTheMainActorAndSeeTheChange() async {
    let count = Shared(value: 0)
    let place = ManualPlace<Int>()
    let kept = Shared(wrappedValue: 0, .manual(place))
    for change: @Sendable () -> Void in [
      { count.withLock { $0 += 1 } }, { place.subscriber?.yield(kept.wrappedValue + 1) },
    ] {
      let before: Int = count.wrappedValue + kept.wrappedValue
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      withObservationTracking {
        _ = (count.wrappedValue, kept.wrappedValue)
      } onChange: {
        MainActor.assumeIsolated {
          _ = continuation.yield(count.wrappedValue + kept.wrappedValue)
        }
      }
      // No task, which may run on the main thread while another test has all of them there.
      DispatchThread { change() }.join()
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == before + 1)
    }
  }

  @Test func whoIsToldMayReadAndObserveAgain() {
    let count = Shared(value: 0)
    let log = LockIsolated<[Int]>([])
    @Sendable func observe() {
      withObservationTracking {
        log.withValue { $0.append(count.wrappedValue) }
      } onChange: {
        observe()
      }
    }
    observe()
    count.withLock { $0 += 1 }
    count.withLock { $0 += 1 }
    // Observers are told before the change, and see what was there.
    #expect(log.value == [0, 0, 1])
  }

  @Test func aReducerDoesNotObserve() {
    @Shared(value: 0) var count
    let entered = ReducingThread.enter()
    let changes = changes { count }
    ReducingThread.leave(entered)
    $count.withLock { $0 += 1 }
    #expect(changes.value == 0)
  }
}
