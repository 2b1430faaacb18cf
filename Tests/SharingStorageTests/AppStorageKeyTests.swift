import ConcurrencyExtras
import Dependencies
import Foundation
import Observation
import Sharing
import Testing

enum Direction: String, CaseIterable, Sendable { case north, east, south, west }
enum Level: Int, Sendable { case low = 1, high = 9 }
/// Both raw-representable and codable: the raw value is what is kept.
enum Mode: String, Codable, Sendable { case light, dark }
struct Profile: Codable, Equatable, Sendable {
  var name = "Blob"
  var age = 42
}

/// User defaults in memory, as tests have them.
@Suite struct AppStorageKeyTests {
  @Dependency(\.defaultAppStorage) var store

  // MARK: Types

  @Test func truthValues() {
    @Shared(.appStorage("isOn")) var isOn = true
    #expect(store.bool(forKey: "isOn"))
    $isOn.withLock { $0 = false }
    #expect(store.object(forKey: "isOn") as? Bool == false)
    store.set(true, forKey: "isOn")
    #expect(isOn)
  }

  @Test func integers() {
    @Shared(.appStorage("count")) var count = 42
    #expect(store.integer(forKey: "count") == 42)
    for value in [0, -1, Int.max, .min] {
      $count.withLock { $0 = value }
      #expect(store.object(forKey: "count") as? Int == value)
    }
    store.set(5, forKey: "count")
    #expect(count == 5)
  }

  @Test func numbers() {
    @Shared(.appStorage("ratio")) var ratio = 0.5
    #expect(store.double(forKey: "ratio") == 0.5)
    $ratio.withLock { $0 = 2 }
    #expect(store.double(forKey: "ratio") == 2)
    store.set(3, forKey: "ratio")
    #expect(ratio == 3)
    store.set(Float(1.5), forKey: "ratio")
    #expect(ratio == 1.5)
  }

  @Test func strings() {
    @Shared(.appStorage("name")) var name = "Blob"
    #expect(store.string(forKey: "name") == "Blob")
    $name.withLock { $0 += ", Esq." }
    #expect(store.string(forKey: "name") == "Blob, Esq.")
    store.set("", forKey: "name")
    #expect(name == "")
  }

  @Test func listsOfStrings() {
    @Shared(.appStorage("names")) var names = ["Blob"]
    #expect(store.stringArray(forKey: "names") == ["Blob"])
    $names.withLock { $0.append("Jr.") }
    #expect(store.stringArray(forKey: "names") == ["Blob", "Jr."])
    store.set([String](), forKey: "names")
    #expect(names == [])
  }

  @Test func urls() throws {
    let web = try #require(URL(string: "https://example.com/a?b=c#d"))
    let file = URL(fileURLWithPath: "/tmp/a b.txt")
    let folder = URL(fileURLWithPath: "/nowhere/at/all/", isDirectory: true)
    @Shared(.appStorage("url")) var url = web
    #expect(store.url(forKey: "url") == web)
    for value in [file, folder, web] {
      $url.withLock { $0 = value }
      #expect(store.url(forKey: "url") == value)
    }
    store.set(file, forKey: "url")
    #expect(url == file)
    store.set(web, forKey: "url")
    #expect(url == web)
  }

  @Test func bytes() {
    @Shared(.appStorage("data")) var data = Data([1, 2])
    #expect(store.data(forKey: "data") == Data([1, 2]))
    $data.withLock { $0 = Data() }
    #expect(store.data(forKey: "data") == Data())
    store.set(Data([3]), forKey: "data")
    #expect(data == Data([3]))
  }

  @Test func dates() {
    @Shared(.appStorage("date")) var date = Date(timeIntervalSinceReferenceDate: 1.25)
    #expect(store.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 1.25))
    let other = Date(timeIntervalSinceReferenceDate: -7)
    $date.withLock { $0 = other }
    #expect(store.object(forKey: "date") as? Date == other)
  }

  @Test func rawValues() {
    @Shared(.appStorage("direction")) var direction = Direction.north
    #expect(store.string(forKey: "direction") == "north")
    $direction.withLock { $0 = .east }
    #expect(store.string(forKey: "direction") == "east")
    store.set("south", forKey: "direction")
    #expect(direction == .south)

    @Shared(.appStorage("level")) var level: Level = .low
    #expect(store.integer(forKey: "level") == 1)
    store.set(9, forKey: "level")
    #expect(level == .high)
    store.set(2, forKey: "level")
    #expect(level == .low)
  }

  @Test func rawValuesGoBeforeJSON() {
    @Shared(.appStorage("mode")) var mode = Mode.light
    $mode.withLock { $0 = .dark }
    #expect(store.string(forKey: "mode") == "dark")
    @Shared(.appStorage("mode?")) var optional: Mode?
    $optional.withLock { $0 = .dark }
    #expect(store.string(forKey: "mode?") == "dark")
  }

  @Test func codableValues() throws {
    @Shared(.appStorage("profile")) var profile = Profile()
    let data = try #require(store.data(forKey: "profile"))
    #expect(try JSONDecoder().decode(Profile.self, from: data) == Profile())
    store.set(try JSONEncoder().encode(Profile(name: "Jr.", age: 2)), forKey: "profile")
    #expect(profile == Profile(name: "Jr.", age: 2))
    @Shared(.appStorage("scores")) var scores = ["a": [1, 2]]
    $scores.withLock { $0["b"] = [3] }
    @Shared(.appStorage("scores")) var again: [String: [Int]] = [:]
    #expect(again == ["a": [1, 2], "b": [3]])
  }

  @Test func codableValuesThatCannotBeDecoded() {
    store.set(Data("?".utf8), forKey: "profile")
    @Shared(.appStorage("profile")) var profile = Profile()
    #expect(profile == Profile())
    #expect($profile.loadError is DecodingError)
    #expect(store.data(forKey: "profile") == Data("?".utf8))
  }

  @Test func optionals() throws {
    @Shared(.appStorage("bool")) var bool: Bool?
    @Shared(.appStorage("int")) var int: Int?
    @Shared(.appStorage("double")) var double: Double? = nil
    @Shared(.appStorage("string")) var string: String?
    @Shared(.appStorage("strings")) var strings: [String]?
    @Shared(.appStorage("url")) var url: URL?
    @Shared(.appStorage("data")) var data: Data?
    @Shared(.appStorage("date")) var date: Date?
    @Shared(.appStorage("direction")) var direction: Direction?
    @Shared(.appStorage("level")) var level: Level?
    @Shared(.appStorage("profile")) var profile: Profile?
    let keys = [
      "bool", "int", "double", "string", "strings", "url", "data", "date", "direction", "level",
      "profile",
    ]
    for key in keys { #expect(store.object(forKey: key) == nil, "\(key)") }
    #expect(bool == nil && int == nil && double == nil && string == nil && strings == nil)
    #expect(url == nil && data == nil && date == nil && direction == nil && level == nil)
    #expect(profile == nil)

    $bool.withLock { $0 = false }
    $int.withLock { $0 = 0 }
    $double.withLock { $0 = 0.5 }
    $string.withLock { $0 = "" }
    $strings.withLock { $0 = [] }
    $url.withLock { $0 = URL(string: "https://example.com") }
    $data.withLock { $0 = Data() }
    $date.withLock { $0 = Date(timeIntervalSince1970: 0) }
    $direction.withLock { $0 = .west }
    $level.withLock { $0 = .high }
    $profile.withLock { $0 = Profile() }
    for key in keys { #expect(store.object(forKey: key) != nil, "\(key)") }
    #expect(store.object(forKey: "bool") as? Bool == false)
    #expect(store.url(forKey: "url") == URL(string: "https://example.com"))
    #expect(store.string(forKey: "direction") == "west")
    #expect(store.integer(forKey: "level") == 9)

    $bool.withLock { $0 = nil }
    $profile.withLock { $0 = nil }
    #expect(store.object(forKey: "bool") == nil)
    #expect(store.object(forKey: "profile") == nil)
    store.set("east", forKey: "direction")
    #expect(direction == .east)
    store.removeObject(forKey: "direction")
    #expect(direction == nil)
  }

  @Test func valuesOfAnotherKindAreLeftAlone() {
    store.set("many", forKey: "count")
    @Shared(.appStorage("count")) var count = 1
    #expect(count == 1)
    #expect(store.string(forKey: "count") == "many")
    $count.withLock { $0 += 1 }
    #expect(store.integer(forKey: "count") == 2)
  }

  @Test func numbersAreReadAsEachOtherWhereNothingIsLost() {
    store.set(2.0, forKey: "int")
    store.set(1, forKey: "bool")
    store.set(true, forKey: "double")
    @Shared(.appStorage("int")) var int = 0
    @Shared(.appStorage("bool")) var bool = false
    @Shared(.appStorage("double")) var double = 0.0
    #expect(int == 2 && bool && double == 1)
    store.set(2.5, forKey: "int")
    store.set(2, forKey: "bool")
    #expect(int == 0 && !bool)
  }

  // MARK: Changes by others

  @Test func directChangesAreSeenAtOnce() {
    @Shared(.appStorage("count")) var count = 0
    store.setValue(count + 42, forKey: "count")
    #expect(count == 42)
    store.removeObject(forKey: "count")
    #expect(count == 0)
    store.setValue(nil, forKey: "count")
    #expect(count == 0)
  }

  @Test(arguments: ["a.b", "@a", "a@b", "a b", "", "ä.ö", "."])
  func anyKeyWorks(key: String) {
    @Shared(.appStorage(key)) var count = 0
    store.set(5, forKey: key)
    #expect(count == 5)
    $count.withLock { $0 = 6 }
    #expect(store.integer(forKey: key) == 6)
  }

  #if DEBUG
    @Test func theFormOfKeysIsNoted() {
      withDependencies {
        $0.appStorageKeyFormatWarningEnabled = true
      } operation: {
        for (key, character) in [("co.count", "."), ("@count", "@")] {
          withKnownIssue {
            @Shared(.appStorage(key)) var count = 0
            #expect(count == 0)
          } matching: { issue in
            issue.description.contains(
              """
              A Shared app storage key ("\(key)") contains an invalid character ("\(character)") for \
              key-value observation.
              """)
          }
        }
        @Shared(.appStorage("a@b")) var fine = 0
        #expect(fine == 0)
      }
    }
  #endif

  @Test func referencesOfOtherTypesFollow() {
    @Shared(.appStorage("value")) var count = 1
    @Shared(.appStorage("value")) var ratio: Double?
    #expect(ratio == 1)
    $count.withLock { $0 = 2 }
    #expect(ratio == 2)
    $ratio.withLock { $0 = nil }
    #expect(count == 1)
  }

  @Test func ownChangesAreNotTold() {
    @Shared(.appStorage("count")) var count = 0
    let told = LockIsolated(0)
    let key: AppStorageKey<Int> = .appStorage("count")
    let subscription = key.subscribe(
      context: .initialValue(0), subscriber: SharedSubscriber { _ in told.withValue { $0 += 1 } })
    key.save(5, context: .didSet, continuation: SaveContinuation { _ in })
    let before = told.value
    key.save(6, context: .didSet, continuation: SaveContinuation { _ in })
    #expect(told.value == before)
    #expect(count == 6)
    subscription.cancel()
    store.set(9, forKey: "count")
    #expect(told.value == before)
  }

  @Test func observersHearOfDirectChangesOnTheMainActor() async throws {
    @Shared(.appStorage("count")) var count = 0
    let shared = $count, store = UncheckedSendable(store)
    let isIsolated = LockIsolated<Bool?>(nil)
    await MainActor.run {
      withObservationTracking {
        _ = shared.wrappedValue
      } onChange: {
        MainActor.assumeIsolated { isIsolated.setValue(true) }
      }
    }
    await Task.detached { store.value.set(1, forKey: "count") }.value
    #expect(count == 1)
    try await eventually { isIsolated.value == true }
  }

  @Test func changesFromManyThreads() async {
    @Shared(.appStorage("count")) var count = 0
    let store = UncheckedSendable(store)
    await withTaskGroup(of: Void.self) { group in
      for value in 1...100 {
        group.addTask { store.value.set(value, forKey: "count") }
      }
    }
    #expect(count == store.value.integer(forKey: "count"))
  }

  @Test func manyThreadsLoseNothing() {
    @Shared(.appStorage("count")) var count = 0
    let shared = $count
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 { shared.withLock { $0 += 1 } }
    }
    #expect(count == 8_000)
    #expect(store.integer(forKey: "count") == 8_000)
  }

  // MARK: Stores

  @Test func eachTestHasItsOwn() {
    #expect(store.object(forKey: "count") == nil)
    @Shared(.appStorage("count")) var count = 0
    #expect(count == 0)
  }

  @Test func anotherDefaultStore() {
    let other = UserDefaults.inMemory
    withDependencies {
      $0.defaultAppStorage = other
    } operation: {
      @Shared(.appStorage("isOn")) var isOn = true
      #expect(other.bool(forKey: "isOn"))
    }
    @Shared(.appStorage("isOn")) var isOn = false
    #expect(!store.bool(forKey: "isOn"))
    #expect(!isOn)
  }

  @Test func aStoreOfItsOwn() {
    let other = UserDefaults.inMemory
    @Shared(.appStorage("count", store: other)) var theirs = 1
    @Shared(.appStorage("count")) var ours = 2
    #expect(other.integer(forKey: "count") == 1)
    #expect(store.integer(forKey: "count") == 2)
    #expect(theirs == 1 && ours == 2)
  }

  @Test func previewsAreInMemory() {
    withDependencies {
      $0.context = .preview
    } operation: {
      @Dependency(\.defaultAppStorage) var store
      #expect(store !== UserDefaults.standard)
    }
  }

  @Test func describesItself() {
    let key: AppStorageKey<Int> = .appStorage("count")
    #expect(key.description == #".appStorage("count")"#)
    #expect(key.id == AppStorageKey<Int>.appStorage("count").id)
    #expect(key.id != AppStorageKey<Int>.appStorage("other").id)
    #expect(key.id != AppStorageKey<Int>.appStorage("count", store: .inMemory).id)
  }
}

extension SharedReaderKey where Self == AppStorageKey<Int> {
  fileprivate static var count: Self { appStorage("count") }
}

extension SharedReaderKey where Self == AppStorageKey<Bool>.Default {
  fileprivate static var isOn: Self { Self[.appStorage("isOn"), default: true] }
}

extension SharedKey where Self == FileStorageKey<[User]> {
  fileprivate static var users: Self {
    fileStorage(.documentsDirectory.appending(component: "users.json"))
  }
}

extension SharedReaderKey where Self == FileStorageKey<[User]>.Default {
  fileprivate static var everybody: Self {
    Self[.fileStorage(.documentsDirectory.appending(component: "everybody.json")), default: [.blob]]
  }
}

/// Keys as programs define them.
@Suite struct NamedKeyTests {
  @Test func namedKeys() {
    @Dependency(\.defaultAppStorage) var store
    @Shared(.count) var count = 3
    @Shared(.isOn) var isOn
    @SharedReader(.isOn) var readsOn
    #expect(store.integer(forKey: "count") == 3)
    $isOn.withLock { $0.toggle() }
    #expect(!readsOn)
    #expect(store.object(forKey: "isOn") as? Bool == false)
  }

  @Test func namedFiles() {
    @Shared(.users) var users: [User] = []
    @Shared(.everybody) var everybody
    #expect(everybody == [.blob])
    $users.withLock { $0.append(.junior) }
    @Shared(.users) var same: [User] = []
    #expect(same == [.junior])
  }
}
