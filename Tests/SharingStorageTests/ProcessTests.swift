import Dependencies
import Foundation
import Sharing
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What happens between processes, and as one ends.
@Suite struct ProcessTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func userDefaultsOfAnotherProcessAreFollowed() async throws {
    let suite: String = folder.path("defaults")
    let store = try #require(UserDefaults(suiteName: suite))
    @Shared(.appStorage("count", store: store)) var count = 0
    @Shared(.appStorage("mine", store: store)) var mine = 1
    // Foundation alone does not see to it that two processes write one after the other.
    store.synchronize()
    try await aWhile()
    await #expect(processExitsWith: .success) { [suite = suite as String] in
      let store = UserDefaults(suiteName: suite)
      store?.set(5, forKey: "count")
      store?.synchronize()
      exit(EXIT_SUCCESS)
    }
    try await eventually { count == 5 }
    await #expect(processExitsWith: .success) { [suite = suite as String] in
      guard let store = UserDefaults(suiteName: suite) else { return }
      @Shared(.appStorage("count", store: store)) var count = 0
      $count.withLock { $0 += 1 }
      exit(EXIT_SUCCESS)
    }
    try await eventually { count == 6 }
    $mine.withLock { $0 = 2 }
    store.synchronize()
    let data = try Data(contentsOf: folder.url("defaults.plist"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    let values: [String: Any] = try #require(list as? [String: Any])
    #expect(values["count"] as? Int == 6)
    #expect(values["mine"] as? Int == 2)
  }

  @Test func processesThatWriteAtTheSameTimeLoseNothing() async throws {
    let suite: String = folder.path("defaults")
    await withTaskGroup(of: Void.self) { group in
      for name in ["a", "b"] {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [suite = suite as String, name = name as String] in
            guard let store = UserDefaults(suiteName: suite) else { return }
            @Shared(.appStorage(name, store: store)) var count = 0
            for value in 1...100 {
              store.set(value, forKey: "\(name)\(value)")
              store.synchronize()
            }
            exit(EXIT_SUCCESS)
          }
        }
      }
    }
    let data = try Data(contentsOf: folder.url("defaults.plist"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect((list as? [String: Any])?.count == 202)
  }

  @Test func userDefaultsAreWrittenAtExit() async throws {
    let suite: String = folder.path("defaults")
    await #expect(processExitsWith: .success) { [suite = suite as String] in
      guard let store = UserDefaults(suiteName: suite) else { return }
      @Shared(.appStorage("count", store: store)) var count = 0
      for value in 1...50 { $count.withLock { $0 = value } }
      exit(EXIT_SUCCESS)
    }
    #expect(UserDefaults(suiteName: suite)?.integer(forKey: "count") == 50)
  }

  @Test func filesAreWrittenAtExit() async throws {
    let path: String = folder.path("count.json")
    await #expect(processExitsWith: .success) { [place = path as String] in
      change(place, through: Array(1...50))
      exit(EXIT_SUCCESS)
    }
    #expect(folder.url("count.json").content == Data("50".utf8))
  }

  @Test func aKilledProcessLeavesAWholeFile() async throws {
    let path: String = folder.path("text.json")
    await #expect(processExitsWith: .signal(SIGKILL)) { [place = path as String] in
      change(place, through: [String(repeating: "a", count: 1 << 20), "later"])
      kill(getpid(), SIGKILL)
    }
    let content = try #require(folder.url("text.json").content)
    #expect(try JSONDecoder().decode(String.self, from: content).count == 1 << 20)
  }

  @Test func aFileOfAnotherProcessIsFollowed() async throws {
    let file: URL = folder.url("count.json")
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      await #expect(processExitsWith: .success) { [place = file.path as String] in
        change(place, through: [7])
        exit(EXIT_SUCCESS)
      }
      try await eventually { count == 7 }
    }
  }
}

/// Changes the value in a file, and keeps its reference.
private func change<Value: Codable & Sendable>(_ path: String, through values: [Value]) {
  withDependencies {
    $0.defaultFileStorage = .fileSystem
  } operation: {
    let shared = Shared(
      wrappedValue: values[0], .fileStorage(URL(fileURLWithPath: path)))
    for value in values { shared.withLock { $0 = value } }
    kept.withLock { $0.append(shared) }
  }
}

private let kept = Mutex<[any Sendable]>([])
