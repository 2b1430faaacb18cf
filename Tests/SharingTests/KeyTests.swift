import ConcurrencyExtras
import Dependencies
import IssueReporting
import Sharing
import Synchronization
import Testing

@Suite struct KeyTests {
  // MARK: Loading

  @Test func aNewReferenceLoadsItsValue() {
    let place = ManualPlace<Int>(answer: { _ in .success(42) })
    @Shared(.manual(place)) var count = 1
    #expect(count == 42)
    #expect(!$count.isLoading)
    #expect(place.state.withLock { $0.loads.first?.context.initialValue } == 1)
    #expect(place.state.withLock { $0.subscriptionContexts.first?.initialValue } == 1)
    #expect(place.saved == [])
    @Shared(.manual(place)) var again = 2
    #expect(again == 42)
    #expect(place.loadCount == 1)
  }

  @Test func aLoadThatTakesItsTime() throws {
    let place = ManualPlace<Int>(answer: nil)
    @Shared(.manual(place)) var count = 1
    #expect(count == 1)
    #expect($count.isLoading)
    let load = try #require(place.takeLoad())
    load.resume(returning: 5)
    #expect(count == 5)
    #expect(!$count.isLoading)
    #expect(place.saved == [])
  }

  @Test func aLoadThatFails() async throws {
    let error = LockIsolated(true)
    let place = ManualPlace<Int>(answer: { _ in
      error.value ? .failure(SomeError()) : .success(3)
    })
    @Shared(.manual(place)) var count = 1
    #expect(count == 1)
    #expect($count.loadError as? SomeError == SomeError())
    await #expect(throws: SomeError()) { try await $count.load() }
    #expect($count.loadError != nil)
    error.setValue(false)
    try await $count.load()
    #expect(count == 3)
    #expect($count.loadError == nil)
    if case .userInitiated? = place.state.withLock({ $0.loads.last?.context }) {
    } else {
      Issue.record("The program asked for it.")
    }
  }

  @Test func loadingWithoutAKeyIsDoneAtOnce() async throws {
    let count = Shared(value: 1)
    try await count.load()
    try await count.save()
    try await SharedReader(count).load()
    #expect(count.wrappedValue == 1)
    #expect(!count.isLoading)
    #expect(count.loadError == nil)
    #expect(count.saveError == nil)
  }

  @Test func theDefaultIsBackWhereThereIsNoValueAnyMore() {
    let place = ManualPlace<Int>(answer: { _ in .success(2) })
    @Shared(.manual(place)) var count = 1
    #expect(count == 2)
    place.subscriber?.yieldReturningInitialValue()
    #expect(count == 1)
  }

  // MARK: Subscribing

  @Test func whatOthersChange() {
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var count = 1
    place.subscriber?.yield(8)
    #expect(count == 8)
    place.subscriber?.yieldLoading()
    #expect($count.isLoading)
    place.subscriber?.yieldLoading(false)
    #expect(!$count.isLoading)
    place.subscriber?.yieldLoading(true)
    place.subscriber?.yield(throwing: SomeError())
    #expect(!$count.isLoading)
    #expect($count.loadError != nil)
    #expect(count == 8)
    place.subscriber?.yield(with: .success(9))
    #expect($count.loadError == nil)
    #expect(count == 9)
    #expect(place.saved == [])
  }

  @Test func theSubscriptionEndsWithTheLastReference() {
    let place = ManualPlace<Int>()
    var count: Shared<Int>? = Shared(wrappedValue: 1, .manual(place))
    var reader: SharedReader<Int>? = count.map { SharedReader($0) }
    #expect(count?.wrappedValue == 1)
    count = nil
    #expect(place.cancellations == 0)
    #expect(reader?.wrappedValue == 1)
    reader = nil
    #expect(place.cancellations == 1)
    // The next one begins anew.
    @Shared(.manual(place)) var next = 7
    #expect(next == 7)
    #expect(place.loadCount == 2)
    _ = (count, reader)
  }

  @Test func aSubscriptionIsCancelledOnce() {
    let cancellations = LockIsolated(0)
    let subscription = SharedSubscription { cancellations.withValue { $0 += 1 } }
    subscription.cancel()
    subscription.cancel()
    #expect(cancellations.value == 1)
  }

  // MARK: Saving

  @Test func eachChangeIsSaved() async throws {
    let place = ManualPlace<Int>()
    @Shared(.manual(place)) var count = 1
    $count.withLock { $0 = 2 }
    $count.withLock { $0 = 3 }
    #expect(place.saved == [2, 3])
    try await $count.save()
    #expect(place.saved == [2, 3, 3])
    #expect(place.saveContexts == [.didSet, .didSet, .userInitiated])
  }

  @Test func partsAreSavedWithTheWhole() {
    let place = ManualPlace<[String]>()
    @Shared(.manual(place)) var names = ["a", "b"]
    $names[1].withLock { $0 = "c" }
    #expect(place.saved == [["a", "c"]])
  }

  @Test func aSaveThatFails() async throws {
    let place = ManualPlace<Int>(savesAtOnce: false)
    @Shared(.manual(place)) var count = 1
    $count.withLock { $0 = 2 }
    #expect($count.saveError == nil)
    try #require(place.takeSave()).resume(throwing: SomeError())
    #expect($count.saveError as? SomeError == SomeError())
    $count.withLock { $0 = 3 }
    try #require(place.takeSave()).resume()
    #expect($count.saveError == nil)
  }

  @Test func aSaveWaitsUntilItIsDone() async throws {
    let place = ManualPlace<Int>(savesAtOnce: false)
    let count = Shared(wrappedValue: 1, .manual(place))
    let task = Task { try await count.save() }
    while place.saved.isEmpty { await Task.yield() }
    try #require(place.takeSave()).resume(throwing: SomeError(text: "full"))
    await #expect(throws: SomeError(text: "full")) { try await task.value }
    #expect(count.saveError as? SomeError == SomeError(text: "full"))
  }

  @Test func aKeyMayChangeTheValueWhileItSaves() {
    @Shared(.clamping) var count = 0
    $count.withLock { $0 = 500 }
    #expect(count == 100)
  }

  @Test func aKeyMayReadTheValueOnAnotherThreadWhileItSaves() {
    @Shared(.reading) var count = 0
    $count.withLock { $0 = 5 }
    #expect(count == 5)
    #expect(ReadingKey.seen.value == 5)
  }

  // MARK: Exchanging the key

  @Test func exchangingTheKey() async throws {
    let (a, b) = (ManualPlace<Int>(), ManualPlace<Int>(answer: { _ in .success(20) }))
    @Shared(.manual(a)) var count = 1
    let copy = $count
    try await $count.load(.manual(b))
    #expect(count == 20)
    #expect(copy.wrappedValue == 20)
    copy.withLock { $0 = 21 }
    #expect(a.saved == [])
    #expect(b.saved == [21])
    #expect(a.cancellations == 1)

    @SharedReader(.manual(a)) var reader = 4
    try await $reader.load(.manual(b))
    #expect(reader == 20)
    $count.withLock { $0 = 22 }
    #expect(reader == 22)
  }

  @Test func exchangingTheKeyForOneThatFails() async throws {
    let (a, b) = (ManualPlace<Int>(), ManualPlace<Int>(answer: { _ in .failure(SomeError()) }))
    @Shared(.manual(a)) var count = 1
    await #expect(throws: SomeError()) { try await $count.load(.manual(b)) }
    #expect(count == 1)
    #expect($count.loadError as? SomeError == SomeError())
  }

  // MARK: Requiring a value

  @Test func requiringAValue() async throws {
    let place = ManualPlace<Int>(answer: { _ in .success(6) })
    let count = try await Shared(require: .manual(place))
    #expect(count.wrappedValue == 6)
    #expect(place.loadCount == 1)
    count.withLock { $0 = 7 }
    #expect(place.saved == [7])
    let reader = try await SharedReader(require: .manual(place))
    #expect(reader.wrappedValue == 7)

    let failing = ManualPlace<Int>(answer: { _ in .failure(SomeError()) })
    await #expect(throws: SomeError()) { try await Shared(require: .manual(failing)) }
    let empty = ManualPlace<Int>()
    do {
      _ = try await SharedReader(require: .manual(empty))
      Issue.record("There is no value.")
    } catch {
      #expect("\(error)" == "There is no value for .manual.")
    }
  }

  // MARK: Keys that are only read

  @Test func aKeyThatIsOnlyRead() async throws {
    @SharedReader(.config) var config = "default"
    #expect(config == "remote 1")
    try await $config.load()
    #expect(config == "remote 2")
    @SharedReader(.configOrNil) var optional: String?
    #expect(optional == nil)
    @SharedReader(.defaultConfig) var withDefault
    #expect(withDefault == "remote 2")
    let required = try await SharedReader(require: .config)
    #expect(required.wrappedValue == "remote 2")
  }

  @Test func aReaderThatIsFirstDoesNotMakeTheValueReadOnly() {
    func reader(_ key: some SharedReaderKey<Int>) -> SharedReader<Int> {
      SharedReader(wrappedValue: 1, key)
    }
    let place = ManualPlace<Int>()
    let reader = reader(.manual(place))
    @Shared(.manual(place)) var count = 2
    $count.withLock { $0 += 10 }
    #expect(reader.wrappedValue == 11)
    #expect(place.saved == [11])
  }

  // MARK: Continuations

  @Test func continuationsThatAreNeverResumed() {
    let results = LockIsolated<[Int?]>([])
    let issues = issues {
      _ = LoadContinuation<Int>(".place") { result in
        results.withValue { $0.append(try? result.get()) }
      }
      _ = SaveContinuation(".place") { _ in results.withValue { $0.append(1) } }
    }
    #expect(
      issues.texts == [
        """
        .place leaked its continuation without one of its resume methods being invoked. This will \
        cause tasks waiting on it to resume immediately.
        """,
        """
        .place leaked its continuation without one of its resume methods being invoked. This will \
        cause tasks waiting on it to resume immediately.
        """,
      ])
    #expect(results.value == [nil, 1])
  }

  @Test func continuationsThatAreResumedTwice() {
    let results = LockIsolated<[Int?]>([])
    let issues = issues {
      let continuation = LoadContinuation<Int>(".place") { result in
        results.withValue { $0.append(try? result.get()) }
      }
      continuation.resume(returning: 1)
      continuation.resumeReturningInitialValue()
    }
    #expect(
      issues.texts == [
        """
        .place tried to resume its continuation more than once. All but the first result are \
        ignored.
        """
      ])
    #expect(results.value == [1])
  }

  @Test func contexts() {
    #expect(LoadContext.initialValue(1).initialValue == 1)
    #expect(LoadContext<Int>.userInitiated.initialValue == nil)
    #expect(LoadContext.initialValue(1) == .initialValue(1))
    #expect(Set([LoadContext.initialValue(1), .userInitiated]).count == 2)
  }

  @Test func aKeyIsItsOwnIdentityByDefault() {
    struct Key: SharedKey, Hashable {
      var name: String
      func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
        continuation.resumeReturningInitialValue()
      }
      func subscribe(
        context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
      ) -> SharedSubscription { SharedSubscription {} }
      func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
        continuation.resume()
      }
    }
    @Shared(Key(name: "a")) var a = 1
    @Shared(Key(name: "a")) var sameAsA = 2
    @Shared(Key(name: "b")) var b = 3
    #expect(sameAsA == 1)
    #expect(b == 3)
    #expect(Key(name: "a").id == Key(name: "a"))
  }
}

/// A place that holds no more than 100.
private struct ClampingKey: SharedKey, Hashable {
  static let subscriber = LockIsolated<SharedSubscriber<Int>?>(nil)

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    Self.subscriber.setValue(subscriber)
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    Self.subscriber.value?.yield(min(value, 100))
    continuation.resume()
  }
}

/// A place that looks at the value from elsewhere while it saves.
private struct ReadingKey: SharedKey, Hashable {
  static let seen = LockIsolated(0)

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription { SharedSubscription {} }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    let shared = Shared(wrappedValue: 0, self)
    let read = DispatchThread { Self.seen.setValue(shared.wrappedValue) }
    read.join()
    continuation.resume()
  }
}

/// What a server says.
private struct ConfigKey: SharedReaderKey {
  static let versions = LockIsolated(0)
  var isEmpty = false

  var id: Bool { isEmpty }

  func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
    guard !isEmpty else { return continuation.resumeReturningInitialValue() }
    if case .initialValue = context {
      continuation.resume(returning: "remote 1")
    } else {
      continuation.resume(returning: "remote 2")
    }
  }

  func subscribe(
    context: LoadContext<String>, subscriber: SharedSubscriber<String>
  ) -> SharedSubscription { SharedSubscription {} }
}

private struct OptionalConfigKey: SharedReaderKey, Hashable {
  func load(context: LoadContext<String?>, continuation: LoadContinuation<String?>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<String?>, subscriber: SharedSubscriber<String?>
  ) -> SharedSubscription { SharedSubscription {} }
}

extension SharedReaderKey where Self == ConfigKey {
  fileprivate static var config: Self { ConfigKey() }
}

extension SharedReaderKey where Self == OptionalConfigKey {
  fileprivate static var configOrNil: Self { OptionalConfigKey() }
}

extension SharedReaderKey where Self == ConfigKey.Default {
  fileprivate static var defaultConfig: Self { Self[.config, default: "default"] }
}

extension SharedKey where Self == ClampingKey {
  fileprivate static var clamping: Self { ClampingKey() }
}

extension SharedReaderKey where Self == ReadingKey {
  fileprivate static var reading: Self { ReadingKey() }
}
