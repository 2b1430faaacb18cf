import ConcurrencyExtras
import Dependencies
import Foundation
import Sharing
import Synchronization
import Testing

@Suite struct ThreadTests {
  @Test func changesByManyThreads() {
    let place = ManualPlace<Int>()
    let count = Shared(wrappedValue: 0, .manual(place))
    let unkept = Shared(value: [Int]())
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<250 {
        count.withLock { $0 += 1 }
        unkept.withLock { $0.append(thread) }
      }
    }
    #expect(count.wrappedValue == 2_000)
    #expect(unkept.wrappedValue.count == 2_000)
    // Each change is saved, in order, and the last one is the last.
    #expect(place.saved == Array(1...2_000))
  }

  @Test func manyThreadsMakeOneReference() {
    let (storage, table) = (InMemoryStorage(), PersistentReferences())
    let references = LockIsolated<[Shared<Int>]>([])
    for round in 0..<50 {
      references.setValue([])
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        withDependencies {
          $0.defaultInMemoryStorage = storage
          $0.persistentReferences = table
        } operation: {
          let shared = Shared(wrappedValue: 0, .inMemory("\(round)"))
          references.withValue { $0.append(shared) }
          shared.withLock { $0 += 1 }
        }
      }
      #expect(references.value.allSatisfy { $0.wrappedValue == 4 })
    }
  }

  /// A dependency's live value reads a shared value while another thread makes one whose key reads
  /// that dependency.
  @Test func dependenciesAndReferencesThatAreMadeAtOnce() async {
    for round in 0..<1_000 {
      await withDependencies {
        $0.context = .live
        $0.forgetCachedValues()
      } operation: {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            @Dependency(ReadsShared.self) var value
            _ = value
          }
          group.addTask {
            @Shared(ReadsDependency(round: round)) var value = 0
            _ = value
          }
        }
      }
    }
  }

  @Test func readsDoNotWaitForAChange() {
    let count = Shared(value: 1)
    let seen = LockIsolated(0)
    count.withLock {
      $0 = 2
      DispatchThread { seen.setValue(count.wrappedValue) }.join()
    }
    #expect(seen.value == 1)
    #expect(count.wrappedValue == 2)
  }

  @Test func referencesComeAndGoOnManyThreads() {
    let references = PersistentReferences()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      withDependencies {
        $0.persistentReferences = references
        $0.defaultInMemoryStorage = InMemoryStorage()
      } operation: {
        for number in 0..<200 {
          @Shared(.inMemory("\(number % 3)")) var count = 0
          $count.withLock { $0 += 1 }
        }
      }
    }
  }
}

private struct ReadsShared: Sendable, DependencyKey {
  var value: Int

  static var liveValue: ReadsShared {
    @Shared(.inMemory("a")) var a = 1
    @SharedReader(ReadsDependencyNot()) var b = 2
    return ReadsShared(value: a + b)
  }

  static var testValue: ReadsShared { liveValue }
}

private struct ReadsDependency: SharedKey {
  var round: Int
  var id: Int { round }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    @Dependency(ReadsShared.self) var dependency
    continuation.resume(returning: dependency.value)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription { SharedSubscription {} }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}

private struct ReadsDependencyNot: SharedReaderKey, Hashable {
  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription { SharedSubscription {} }

  @Test func aValueOfOthersDuringASaveIsNotLost() {
    let place = OvertakenPlace()
    let count = Shared(wrappedValue: 0, OvertakenKey(place: place))
    place.others.withLock { $0 = [2] }
    count.withLock { $0 = 1 }
    // The other value came before this one's into the place.
    #expect(place.stored.withLock { $0 } == 1)
    #expect(count.wrappedValue == 1)
    place.others.withLock { $0 = [4, 5] }
    count.withLock { $0 = 3 }
    #expect(place.stored.withLock { $0 } == 3)
    #expect(count.wrappedValue == 3)
    let loads: Int = place.loads.withLock { $0 }
    count.withLock { $0 = 6 }
    #expect(count.wrappedValue == 6)
    #expect(place.loads.withLock { $0 } == loads)
  }
}

/// A place that others write to while a value is on its way to it.
private final class OvertakenPlace: Sendable {
  let stored = Mutex(0)
  let loads = Mutex(0)
  let others = Mutex<[Int]>([])
  let subscriber = Mutex<SharedSubscriber<Int>?>(nil)
}

private struct OvertakenKey: SharedKey {
  let place: OvertakenPlace

  var id: ObjectIdentifier { ObjectIdentifier(place) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    place.loads.withLock { $0 += 1 }
    continuation.resume(returning: place.stored.withLock { $0 })
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    place.subscriber.withLock { $0 = subscriber }
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    let others: [Int] = place.others.withLock { others in
      defer { others = [] }
      return others
    }
    for other in others {
      let place: OvertakenPlace = place
      DispatchThread {
        place.stored.withLock { $0 = other }
        place.subscriber.withLock { $0 }?.yield(other)
      }.join()
    }
    place.stored.withLock { $0 = value }
    continuation.resume()
  }
}
