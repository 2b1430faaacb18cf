import Sharing
import Testing

@Suite struct SharedPublisherTests {
  @Test func theLatestValueAndEachChange() async {
    @Shared(value: 0) var count
    var iterator = $count.publisher.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    $count.withLock { $0 = 1 }
    $count.withLock { $0 = 2 }
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
  }

  @Test func aPublisherFromEarlierBeginsWithTheLatestValue() async {
    @Shared(value: 1) var count
    let publisher = $count.publisher
    $count.withLock { $0 = 2 }
    var iterator = publisher.makeAsyncIterator()
    #expect(await iterator.next() == 2)
  }

  @Test func mapping() async {
    enum Action: Equatable {
      case countUpdated(Int)
    }
    @Shared(value: 0) var count
    let actions = $count.publisher.map(Action.countUpdated)
    func isSendable(_: some AsyncSequence<Action, Never> & Sendable) {}
    isSendable(actions)
    var iterator = actions.makeAsyncIterator()
    #expect(await iterator.next() == .countUpdated(0))
    $count.withLock { $0 += 5 }
    #expect(await iterator.next() == .countUpdated(5))
  }

  @Test func partsAndReaders() async throws {
    struct User: Sendable {
      var name: String?
      var length: Int { name?.count ?? -1 }
    }
    @Shared(value: User(name: "Blob")) var user
    let name = try #require(Shared($user.name))
    var names = name.publisher.makeAsyncIterator()
    var lengths = $user.length.publisher.makeAsyncIterator()
    var readNames = try #require(SharedReader(SharedReader($user.name))).publisher
      .makeAsyncIterator()
    $user.name.withLock { $0 = "A" }
    $user.withLock { $0.name = nil }
    $user.withLock { $0.name = "BB" }
    for expected in ["Blob", "A", "A", "BB"] {
      #expect(await names.next() == expected)
      #expect(await readNames.next() == expected)
    }
    for expected in [4, 1, -1, 2] {
      #expect(await lengths.next() == expected)
    }
  }

  @Test func whatAKeyYields() async {
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var count = 0
    var iterator = $count.publisher.makeAsyncIterator()
    place.subscriber?.yield(7)
    #expect(await iterator.next() == 0)
    #expect(await iterator.next() == 7)
  }

  @Test func followingAnotherReference() async throws {
    @Shared(value: 1) var count
    var iterator = $count.publisher.makeAsyncIterator()
    let other = Shared(value: 10)
    $count = other
    other.withLock { $0 = 11 }
    for expected in [1, 10, 11] {
      #expect(await iterator.next() == expected)
    }

    @SharedReader(value: 1) var reader
    var values = $reader.publisher.makeAsyncIterator()
    $reader = SharedReader(other)
    other.withLock { $0 = 12 }
    for expected in [1, 11, 12] {
      #expect(await values.next() == expected)
    }
  }

  @Test func itEndsWithTheTask() async {
    let count = Shared(value: 0)
    let task = Task {
      var seen: [Int] = []
      for await value in count.publisher.values { seen.append(value) }
      return seen
    }
    task.cancel()
    let seen: [Int] = await task.value
    #expect(seen.count <= 1)
  }

  @Test func itKeepsTheReferenceAndLetsItGo() async {
    let place = ManualPlace<Int>()
    var count: Shared<Int>? = Shared(wrappedValue: 1, .manual(place))
    var iterator = count?.publisher.makeAsyncIterator()
    count = nil
    #expect(place.cancellations == 0)
    #expect(await iterator?.next() == 1)
    place.subscriber?.yield(2)
    #expect(await iterator?.next() == 2)
    iterator = nil
    #expect(place.cancellations == 1)
    _ = (count, iterator)
  }

  @Test func noChangeIsMissedWhileOthersChange() async {
    let count = Shared(value: 0)
    var iterator = count.publisher.makeAsyncIterator()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 { count.withLock { $0 += 1 } }
        }
      }
    }
    for expected in 0...800 {
      let value: Int? = await iterator.next()
      guard value == expected else {
        Issue.record("\(value ?? -1) is not \(expected).")
        return
      }
    }
  }
}
