import Clocks
import ConcurrencyExtras
import Dependencies
import Foundation
@testable import Sharing
import TestSupport
import Testing

/// When changes are written.
@Suite(.mainSerialExecutor) struct FileStorageThrottleTests {
  let folder: TemporaryFolder
  let file: URL
  let clock = TestClock()

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url("count.json")
  }

  private var content: String? {
    try? String(contentsOf: file, encoding: .utf8)
  }

  private func withClock(_ operation: () async throws -> Void) async rethrows {
    try await withDependencies {
      $0.defaultFileStorage = .fileSystem(clock: clock)
    } operation: {
      try await operation()
    }
  }

  @Test func laterChangesAreHeldForASecond() async throws {
    await withClock {
      @Shared(.fileStorage(file)) var count = 0
      $count.withLock { $0 = 1 }
      #expect(content == "1")
      $count.withLock { $0 = 2 }
      #expect(content == "1")
      await clock.advance(by: .milliseconds(999))
      #expect(content == "1")
      $count.withLock { $0 = 3 }
      await clock.advance(by: .milliseconds(1))
      #expect(content == "3")
      // The second is over, and nothing is held.
      $count.withLock { $0 = 4 }
      #expect(content == "4")
      $count.withLock { $0 = 5 }
      #expect(content == "4")
      await clock.advance(by: .seconds(1))
      #expect(content == "5")
      await clock.advance(by: .seconds(1))
      #expect(content == "5")
    }
  }

  @Test func aForeignChangeWinsOverWhatIsHeld() async throws {
    try await withClock {
      @Shared(.fileStorage(file)) var count = 0
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      try Data("7".utf8).write(to: file, options: .atomic)
      try await eventually { count == 7 }
      await clock.advance(by: .seconds(1))
      #expect(content == "7")
      #expect(count == 7)
    }
  }

  @Test func deletionWinsOverWhatIsHeld() async throws {
    try await withClock {
      @Shared(.fileStorage(file)) var count = 0
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      try FileManager.default.removeItem(at: file)
      try await eventually { count == 0 }
      await clock.advance(by: .seconds(1))
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func savingOnRequestResolvesWhatIsHeld() async throws {
    try await withClock {
      @Shared(.fileStorage(file)) var count = 0
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      try await $count.save()
      #expect(content == "2")
      await clock.advance(by: .seconds(1))
      #expect(content == "2")
    }
  }

  @Test func memoryHoldsToo() async throws {
    let storage = FileStorage.inMemory(clock: clock)
    await withDependencies {
      $0.defaultFileStorage = storage
    } operation: {
      @Shared(.fileStorage(file)) var count = 0
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      #expect(storage.contents == [file: Data("1".utf8)])
      await clock.advance(by: .seconds(1))
      #expect(storage.contents == [file: Data("2".utf8)])
    }
  }
}
