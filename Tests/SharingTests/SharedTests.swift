import CustomDump
import Dependencies
import IdentifiedCollections
import IssueReporting
import Sharing
import Testing

private struct User: Equatable, Identifiable, Sendable {
  var id: Int
  var name: String
  var phone: String?
  var initial: String { String(name.prefix(1)) }
}

@Suite struct SharedTests {
  @Test func copiesShareOneValue() {
    struct Parent: Equatable {
      @Shared var count: Int
      var child: Child?
    }
    struct Child: Equatable {
      @Shared var count: Int
    }
    var parent = Parent(count: Shared(value: 0))
    parent.child = Child(count: parent.$count)
    parent.child?.$count.withLock { $0 += 1 }
    #expect(parent.count == 1)
    let copy = parent
    parent.$count.withLock { $0 = 42 }
    #expect(copy.child?.count == 42)
    #expect(copy == parent)
  }

  @Test func withLockReturnsAndThrows() {
    @Shared(value: 1) var count
    #expect($count.withLock { $0 + 1 } == 2)
    #expect(throws: SomeError()) {
      try $count.withLock {
        $0 = 5
        throw SomeError()
      }
    }
    #expect(count == 5)
  }

  @Test func theValueCanBeReadWhileItIsChanged() {
    @Shared(value: [1, 2]) var numbers
    $numbers.withLock {
      $0.append(numbers.count)
      #expect(numbers == [1, 2])
    }
    #expect(numbers == [1, 2, 2])
  }

  @Test func theOuterOfTwoChangesWins() {
    @Shared(value: 0) var count
    $count.withLock { value in
      value += 1
      $count.withLock { $0 += 10 }
      #expect(count == 10)
    }
    #expect(count == 1)
  }

  @Test func twoReferencesCanBeChangedInOneAnother() {
    @Shared(value: 1) var a
    @Shared(value: 2) var b
    $a.withLock { a in
      $b.withLock { b in
        swap(&a, &b)
      }
    }
    #expect(a == 2)
    #expect(b == 1)
  }

  @Test func membersAreShared() {
    @Shared(value: User(id: 1, name: "Blob")) var user
    let name: Shared<String> = $user.name
    name.withLock { $0 += "!" }
    #expect(user.name == "Blob!")
    $user.withLock { $0.name = "Blob, Jr." }
    #expect(name.wrappedValue == "Blob, Jr.")
    #expect($user.name == $user.name)

    let initial: SharedReader<String> = $user.initial
    #expect(initial.wrappedValue == "B")
    let count = $user.name.count
    #expect(count.wrappedValue == 9)
  }

  @Test func membersOfMembersAndOptionals() throws {
    @Shared(value: User(id: 1, name: "Blob")) var user
    #expect(Shared($user.phone) == nil)
    $user.phone.withLock { $0 = "1" }
    let phone = try #require(Shared($user.phone))
    phone.withLock { $0 += "2" }
    #expect(user.phone == "12")
    // What is gone is not brought back; the reference keeps what it had last.
    $user.withLock { $0.phone = nil }
    #expect(phone.wrappedValue == "12")
    phone.withLock { $0 += "3" }
    #expect(phone.wrappedValue == "123")
    #expect(user.phone == nil)
    $user.withLock { $0.phone = "7" }
    #expect(phone.wrappedValue == "7")
  }

  @Test func elementsOfACollection() throws {
    @Shared(value: [User(id: 1, name: "A"), User(id: 2, name: "B")])
    var users: IdentifiedArrayOf<User>
    let second = try #require(Shared($users[id: 2]))
    #expect(Shared($users[id: 3]) == nil)
    second.withLock { $0.name = "Bee" }
    #expect(users[id: 2]?.name == "Bee")
    let name = second.name
    $users.withLock { $0.swapAt(0, 1) }
    #expect(name.wrappedValue == "Bee")
    $users.withLock { _ = $0.remove(id: 2) }
    #expect(name.wrappedValue == "Bee")
    #expect(second.id == 2)

    let reader = try #require(SharedReader($users[id: 1]))
    #expect(reader.wrappedValue.name == "A")
    #expect(SharedReader($users[id: 9]) == nil)
    $users[0].name.withLock { $0 = "Ay" }
    #expect(reader.wrappedValue.name == "Ay")
  }

  @Test func aCollectionOfSharedElements() {
    @Shared(value: [User(id: 1, name: "A"), User(id: 2, name: "B")])
    var users: IdentifiedArrayOf<User>
    for user in Array($users) { user.name.withLock { $0 += "+" } }
    #expect(users.map(\.name) == ["A+", "B+"])
    let readers: [SharedReader<User>] = Array(SharedReader($users))
    #expect(readers.map(\.id) == [1, 2])
    $users.withLock { $0[id: 1]?.name = "Z" }
    #expect(readers[0].name.wrappedValue == "Z")
  }

  @Test func readingThroughAFunction() {
    @Shared(value: 3) var count
    let isEven: SharedReader<Bool> = $count.read { $0.isMultiple(of: 2) }
    #expect(!isEven.wrappedValue)
    $count.withLock { $0 = 4 }
    #expect(isEven.wrappedValue)
    #expect(SharedReader($count).read { "\($0)" }.wrappedValue == "4")
  }

  @Test func readersFollowWhatOthersChange() {
    @Shared(value: 0) var count
    @SharedReader var reader: Int
    _reader = SharedReader($count)
    $count.withLock { $0 = 8 }
    #expect(reader == 8)
    #expect(SharedReader(value: 3).wrappedValue == 3)
    #expect(SharedReader.constant("a") == SharedReader(value: "a"))
  }

  @Test func exchangingTheReference() {
    struct State {
      @Shared(value: 1) var count
      func exchange(_ other: Shared<Int>) { $count = other }
    }
    let other = Shared(value: 10)
    let state = State()
    state.exchange(other)
    other.withLock { $0 += 1 }
    #expect(state.count == 11)
  }

  @available(*, deprecated, message: "It uses the deprecated forms.")
  @Test func theFormsOfOlderSources() {
    let shared = Shared(7)
    shared.wrappedValue += 1
    #expect(shared == Shared(8))
    @Shared(.inMemory("count")) var count = 0
    count = 42
    #expect(count == 42)
  }

  @Test func descriptions() {
    #expect("\(Shared(value: 1))" == "Shared<Int>(value: 1)")
    #expect("\(Shared(value: "a"))" == #"Shared<String>(value: "a")"#)
    @Shared(.inMemory("count")) var count = 0
    #expect("\($count)" == #"Shared<Int>(.inMemory("count"))"#)
    #expect("\(SharedReader($count))" == #"SharedReader<Int>(.inMemory("count"))"#)
    let optional = Shared(value: 1 as Int?)
    #expect(Shared(optional)?.description == "Shared<Int>(value: Optional(1)!)")
  }

  @Test func dumps() {
    struct State: Equatable {
      @Shared var count: Int
      @SharedReader var name: String
    }
    let state = State(count: Shared(value: 1), name: SharedReader(value: "Blob"))
    expectNoDifference(
      String(customDumping: state),
      """
      SharedTests.State(
        _count: #1 1,
        _name: #1 "Blob"
      )
      """)
    #expect(Mirror(reflecting: Shared(value: User(id: 1, name: "A"))).children.count == 3)
  }

  @Test func isIdentifiedByItsValue() {
    #expect(Shared(value: User(id: 5, name: "A")).id == 5)
    #expect(SharedReader(value: User(id: 5, name: "A")).id == 5)
  }

  @Test func valuesThatAreNotSendable() {
    final class Box { var value = 0 }
    let shared = Shared(value: Box())
    shared.withLock { $0.value += 1 }
    #expect(shared.wrappedValue.value == 1)
  }

  @Test func theOldValueEndsOutsideOfTheLock() {
    final class Ending: Sendable {
      let onEnd: @Sendable () -> Void
      init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let shared = Shared<Ending?>(value: nil)
    let count = Shared(value: 0)
    shared.withLock {
      $0 = Ending { [shared] in
        count.withLock { $0 += shared.wrappedValue == nil ? 1 : 100 }
      }
    }
    shared.withLock { $0 = nil }
    #expect(count.wrappedValue == 1)
  }
}
