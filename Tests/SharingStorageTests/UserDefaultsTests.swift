import ConcurrencyExtras
import Dependencies
import Foundation
@testable import Sharing
import TestSupport
import Testing

private final class Mine: UserDefaults {}

/// User defaults that are on disk.
@Suite struct UserDefaultsTests {
  let folder: TemporaryFolder
  let suite: String

  init() throws {
    folder = try TemporaryFolder()
    suite = folder.path("defaults")
  }

  private func open() throws -> UserDefaults { try #require(UserDefaults(suiteName: suite)) }

  /// What is on disk.
  private func plist() -> [String: Any] {
    guard let data = try? Data(contentsOf: folder.url("defaults.plist")) else { return [:] }
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    return list as? [String: Any] ?? [:]
  }

  @Test func changesThroughTheSameObjectAreSeenAtOnce() throws {
    let store = try open()
    @Shared(.appStorage("count", store: store)) var count = 0
    @Shared(.appStorage("url", store: store)) var url: URL?
    @Shared(.appStorage("name", store: store)) var name = "Blob"
    #expect(type(of: store) == ObservedDefaults.self)
    store.set(5, forKey: "count")
    #expect(count == 5)
    store.set(5.0 as Float, forKey: "count")
    store.set(6.0, forKey: "count")
    #expect(count == 6)
    store.set(NSNumber(value: 7), forKey: "count")
    #expect(count == 7)
    store.removeObject(forKey: "count")
    #expect(count == 0)
    store.set(URL(string: "https://example.com/a?b"), forKey: "url")
    #expect(url == URL(string: "https://example.com/a?b"))
    store.set(nil, forKey: "url")
    #expect(url == nil)
    store.set("Jr.", forKey: "name")
    #expect(name == "Jr.")
  }

  @Test func allTypesComeBack() throws {
    let store = try open()
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let url = try #require(URL(string: "https://example.com/a?b"))
    @Shared(.appStorage("bool", store: store)) var bool = true
    @Shared(.appStorage("int", store: store)) var int = Int.max
    @Shared(.appStorage("double", store: store)) var double = 0.1
    @Shared(.appStorage("whole", store: store)) var whole = 2.0
    @Shared(.appStorage("string", store: store)) var string = "ä"
    @Shared(.appStorage("strings", store: store)) var strings = ["a", ""]
    @Shared(.appStorage("none", store: store)) var none: [String] = []
    @Shared(.appStorage("data", store: store)) var data = Data([0, 255])
    @Shared(.appStorage("date", store: store)) var when = date
    @Shared(.appStorage("url", store: store)) var address = url
    @Shared(.appStorage("profile", store: store)) var profile = Profile()
    store.synchronize()

    // Read by an object that has never seen them.
    let other = try open()
    withDependencies {
      $0.defaultAppStorage = other
    } operation: {
      @Shared(.appStorage("bool")) var bool = false
      @Shared(.appStorage("int")) var int = 0
      @Shared(.appStorage("double")) var double = 0.0
      @Shared(.appStorage("whole")) var whole = 0.0
      @Shared(.appStorage("string")) var string = ""
      @Shared(.appStorage("strings")) var strings: [String] = []
      @Shared(.appStorage("none")) var none = ["?"]
      @Shared(.appStorage("data")) var data = Data()
      @Shared(.appStorage("date")) var when = Date()
      @Shared(.appStorage("url")) var address = URL(fileURLWithPath: "/")
      @Shared(.appStorage("profile")) var profile = Profile(name: "", age: 0)
      #expect(bool && int == .max && double == 0.1 && whole == 2 && string == "ä")
      #expect(strings == ["a", ""] && none == [] && data == Data([0, 255]) && when == date)
      #expect(address == url && profile == Profile())
    }
  }

  @Test func whatIsRemovedIsGone() async throws {
    for store in [try open(), try #require(Mine(suiteName: folder.path("mine")))] {
      @Shared(.appStorage("name", store: store)) var name: String?
      $name.withLock { $0 = "Blob" }
      store.synchronize()
      $name.withLock { $0 = nil }
      #expect(store.object(forKey: "name") == nil)
      try await aWhile()
      #expect(name == nil)
    }
  }

  @Test func datesLoseTheirFractionOnDiskOnly() async throws {
    let store = try open(), date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    @Shared(.appStorage("date", store: store)) var when = date
    try await eventually { plist()["date"] != nil }
    store.synchronize()
    try await aWhile()
    #expect(when == date)
    store.set(date.addingTimeInterval(2), forKey: "date")
    #expect(when == date.addingTimeInterval(2))
  }

  @Test func changesThroughAnotherObjectAreFound() async throws {
    let store = try open(), other = try open()
    @Shared(.appStorage("a.count", store: store)) var count = 0
    for value in 1...3 {
      other.set(value, forKey: "a.count")
      try await eventually { count == value }
    }
    $count.withLock { $0 = 9 }
    #expect(other.integer(forKey: "a.count") == 9)
  }

  @Test func changesAreWrittenToDisk() async throws {
    let store = try open()
    @Shared(.appStorage("count", store: store)) var count = 0
    for value in 1...20 { $count.withLock { $0 = value } }
    try await eventually { plist()["count"] as? Int == 20 }
    store.set(21, forKey: "count")
    try await eventually { plist()["count"] as? Int == 21 }
  }

  @Test func anObserverOnTheMainActorHearsOfBackgroundChanges() async throws {
    let store = UncheckedSendable(try open())
    @Shared(.appStorage("count", store: store.value)) var count = 0
    await withTaskGroup(of: Void.self) { group in
      for value in 1...100 {
        group.addTask { store.value.set(value, forKey: "count") }
      }
    }
    try await eventually { count == store.value.integer(forKey: "count") }
  }

  @Test func anObjectOfAnotherClassStaysAsItIs() async throws {
    let store = try #require(Mine(suiteName: suite))
    @Shared(.appStorage("count", store: store)) var count = 0
    #expect(type(of: store) == Mine.self)
    store.set(4, forKey: "count")
    try await eventually { count == 4 }
  }

  @Test func memoryIsNotOnDisk() {
    let store = UserDefaults.inMemory, other = UserDefaults.inMemory
    store.set(1, forKey: "int")
    store.set(1.5 as Float, forKey: "float")
    store.set(true, forKey: "bool")
    store.set("2", forKey: "string")
    store.set(["a": 1], forKey: "dictionary")
    store.set([1, 2], forKey: "array")
    store.register(defaults: ["int": 2, "registered": 3])
    #expect(store.integer(forKey: "int") == 1)
    #expect(store.float(forKey: "float") == 1.5)
    #expect(store.bool(forKey: "bool"))
    #expect(store.string(forKey: "string") == "2")
    #expect(store.dictionary(forKey: "dictionary")?["a"] as? Int == 1)
    #expect(store.array(forKey: "array") as? [Int] == [1, 2])
    #expect(store.integer(forKey: "registered") == 3)
    #expect(store.value(forKey: "int") as? Int == 1)
    #expect(store.dictionaryRepresentation().count == 7)
    #expect(other.object(forKey: "int") == nil)
    #expect(other.object(forKey: "registered") == nil)
    store.removeObject(forKey: "int")
    #expect(store.integer(forKey: "int") == 2)
    store.set(nil, forKey: "registered")
    #expect(store.synchronize())
  }
}
