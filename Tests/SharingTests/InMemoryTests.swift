import Dependencies
import Sharing
import Testing

@Suite struct InMemoryTests {
  @Test func aNameIsOneValue() {
    @Shared(.inMemory("count")) var first = 1
    @Shared(.inMemory("count")) var second = 2
    @Shared(.inMemory("other")) var other = 3
    #expect(second == 1)
    $second.withLock { $0 += 10 }
    #expect(first == 11)
    #expect(other == 3)
  }

  @Test func aValueStaysWhenNobodyRefersToIt() {
    do {
      @Shared(.inMemory("count")) var count = 1
      $count.withLock { $0 = 5 }
    }
    @Shared(.inMemory("count")) var count = 2
    #expect(count == 5)
  }

  @Test func anotherTypeIsAnotherValue() {
    @Shared(.inMemory("value")) var number = 1
    @Shared(.inMemory("value")) var text = "a"
    $number.withLock { $0 = 2 }
    #expect(text == "a")
    $text.withLock { $0 = "b" }
    #expect(number == 2)
  }

  // One after another: the cases of a test share its memory.
  @Test(.serialized, arguments: 0..<20) func eachTestHasItsOwnMemory(_ number: Int) {
    @Shared(.inMemory("count")) var count = -1
    $count.withLock { $0 = number }
    #expect(count == number)
  }

  @Test func testsDoNotSeeWhatOthersLeft() {
    @Shared(.inMemory("count")) var count = 77
    #expect(count == 77)
  }

  @Test func scopesWithTheirOwnMemory() {
    @Shared(.inMemory("count")) var outer = 0
    $outer.withLock { $0 = 1 }
    withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      @Shared(.inMemory("count")) var inner = 5
      #expect(inner == 5)
      $inner.withLock { $0 = 6 }
    }
    #expect(outer == 1)
  }

  @Test func identities() {
    let (a, b) = (InMemoryStorage(), InMemoryStorage())
    #expect(a == a)
    #expect(a != b)
    #expect(Set([a, b, a]).count == 2)
    let first: InMemoryKey<Int> = .inMemory("x")
    let second: InMemoryKey<Int> = .inMemory("x")
    #expect(first.id == second.id)
    #expect(first.id != InMemoryKey<Int>.inMemory("y").id)
    #expect(first.description == #".inMemory("x")"#)
    #expect(first.id.description == "x")
  }
}
