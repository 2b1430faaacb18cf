import ConcurrencyExtras
import Dependencies
import Sharing
import Testing

@Suite struct RecorderTests {
  @Test func eachChangeRaisesTheVersion() throws {
    let count = Shared(value: 0)
    let root = try #require(count.root)
    #expect(root.version == 0)
    count.withLock { $0 += 1 }
    count.withLock { _ in }
    #expect(root.version == 2)
    #expect(root.versionedValue.value as? Int == 1)
    #expect(root.versionedValue.version == 2)
  }

  @Test func identities() throws {
    struct User { var name = "" }
    let (a, b) = (Shared(value: User()), Shared(value: User()))
    #expect(a.root?.identity == a.name.root?.identity)
    #expect(a.root?.identity != b.root?.identity)
    #expect(SharedReader(a).root === a.root)
    #expect(a.read { $0.name.count }.root === a.root)
    @Shared(.inMemory("a")) var first = 0
    @Shared(.inMemory("a")) var second = 0
    @Shared(.inMemory("b")) var third = 0
    #expect($first.root?.identity == $second.root?.identity)
    #expect($first.root?.identity != $third.root?.identity)
  }

  @Test func settingAValueFromOutside() throws {
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var count = 0
    let root = try #require($count.root)
    #expect(root.replaceValue(5))
    #expect(!root.replaceValue("a"))
    #expect(count == 5)
    #expect(root.version == 1)
    #expect(place.saved == [])
  }

  @Test func scopesWithTheirOwnReferences() {
    @Shared(.inMemory("count")) var outer = 1
    withDependencies {
      $0.persistentReferences = PersistentReferences()
    } operation: {
      @Shared(.inMemory("count")) var inner = 2
      #expect(inner == 2)
      $inner.withLock { $0 = 3 }
    }
    #expect(outer == 1)
  }
}

@Suite(.serialized) struct SharedHookTests {
  @Test func changesAreToldWithWhoMadeThem() throws {
    final class Hook: SharedHook {
      let root: any AnyRootReference
      let log = LockIsolated<[String]>([])
      init(_ root: any AnyRootReference) { self.root = root }
      func didChange(_ reference: any AnyRootReference, by changer: SharedChanger) {
        guard reference === root else { return }
        log.withValue { $0.append("\(changer) \(reference.version)") }
      }
      func didExchange(_ reference: any AnyRootReference, for other: any AnyRootReference) {}
    }
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var count = 0
    let hook = Hook(try #require($count.root))
    let subscription = SharedHooks.add(hook)
    _ = count
    $count.withLock { $0 += 1 }
    place.subscriber?.yield(5)
    #expect(count == 5)
    subscription.cancel()
    $count.withLock { $0 += 1 }
    #expect(hook.log.value == ["program 1", "place 2"])
  }

  @Test func exchangesAreToldOnceForABoxAndItsCopies() throws {
    final class Hook: SharedHook {
      let root: any AnyRootReference
      let log = LockIsolated<[UInt64]>([])
      init(_ root: any AnyRootReference) { self.root = root }
      func didChange(_ reference: any AnyRootReference, by changer: SharedChanger) {}
      func didExchange(_ reference: any AnyRootReference, for other: any AnyRootReference) {
        guard reference === root else { return }
        log.withValue { $0.append(other.serial) }
      }
    }
    @Shared(value: 1) var count
    let copy = $count
    let hook = Hook(try #require($count.root))
    let subscription = SharedHooks.add(hook)
    defer { subscription.cancel() }
    let same = $count
    $count.projectedValue = same
    #expect(hook.log.value == [])
    let other = Shared(value: 7)
    $count.projectedValue = other
    #expect(hook.log.value == [try #require(other.root).serial])
    #expect(copy.wrappedValue == 7)
  }
}
