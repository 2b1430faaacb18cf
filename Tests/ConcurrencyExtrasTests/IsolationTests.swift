import ConcurrencyExtras
import Foundation
import Testing

@Suite struct IsolationTests {
  @Test func changesOfManyTasksAllCount() async {
    let count = LockIsolated(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { count.withValue { $0 += 1 } } }
      }
    }
    #expect(count.value == 8_000)
  }

  @Test func aLockMayBeTakenAgainByItsHolder() {
    let words = LockIsolated(["a"])
    words.withValue { outer in
      #expect(words.value == ["a"])
      outer.append("b")
    }
    #expect(words.count == 2)
    words.setValue([])
    #expect(words.isEmpty)
    #expect(words == LockIsolated([]))
    #expect(words != LockIsolated(["c"]))
    #expect(words.hashValue == LockIsolated([String]()).hashValue)
    #expect("\(words)" == "[]")
  }

  @Test func aThrownErrorKeepsWhatWasChangedBefore() {
    let number = LockIsolated(1)
    #expect(throws: CancellationError.self) {
      try number.withValue {
        $0 = 2
        throw CancellationError()
      }
    }
    #expect(number.value == 2)
  }

  @Test func anActorIsolatesAValue() async {
    let number = ActorIsolated(1)
    await number.withValue { $0 += 1 }
    #expect(await number.value == 2)
    await number.setValue(5)
    #expect(await number.value == 5)
  }

  @Test func anUncheckedValueIsReadAndChanged() throws {
    @UncheckedSendable var words = ["a"]
    words.append("b")
    #expect($words.count == 2)
    #expect($words.value == ["a", "b"])
    let data = try JSONEncoder().encode($words)
    #expect(String(decoding: data, as: UTF8.self) == #"["a","b"]"#)
    let decoded = try JSONDecoder().decode(UncheckedSendable<[String]>.self, from: data)
    #expect(decoded == $words)
  }

  @Test func hashablesOfAnyTypeAreComparedByValue() {
    let one = AnyHashableSendable(1)
    #expect(one == AnyHashableSendable(1))
    #expect(one != AnyHashableSendable("1"))
    #expect(AnyHashableSendable(one) == one)
    #expect(AnyHashableSendable(one).base is Int)
    #expect(one == 1)
    #expect(AnyHashableSendable("a") == "a")
    #expect(Set([one, AnyHashableSendable(1), 2]).count == 2)
    #expect(AnyHashable(one) == AnyHashable(1))
    #expect("\(one)" == "1")
    #expect(String(reflecting: one) == "AnyHashableSendable(1)")
  }
}
