import Clocks
import ConcurrencyExtras
import Dependencies
import Foundation
import Sharing
import TestSupport
import Testing

/// Changes that others make to files on disk.
@Suite struct FileStorageChangeTests {
  let folder: TemporaryFolder
  let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url("count.json")
  }

  private func write(_ text: String, atomically: Bool = true, to url: URL? = nil) throws {
    try Data(text.utf8).write(to: url ?? file, options: atomically ? [.atomic] : [])
  }

  private var content: String? {
    try? String(contentsOf: file, encoding: .utf8)
  }

  @Test func replacementsAreSeenAgainAndAgain() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      for value in [42, 1728, 3, 4, 5] {
        try write("\(value)")
        try await eventually { count == value }
      }
      $count.withLock { $0 = 999 }
      #expect(content == "999")
    }
  }

  @Test func writingInPlaceIsSeen() async throws {
    try write("1")
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      for value in [42, 1728] {
        try write("\(value)", atomically: false)
        try await eventually { count == value }
      }
    }
  }

  @Test func deletionBringsTheDefaultBack() async throws {
    try write("5")
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 7
      #expect(count == 5)
      try FileManager.default.removeItem(at: file)
      try await eventually { count == 7 }
      try write("8")
      try await eventually { count == 8 }
    }
  }

  @Test func emptyingBringsTheDefaultBack() async throws {
    try write("5")
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 7
      #expect(count == 5)
      try write("", atomically: false)
      try await eventually { count == 7 }
      #expect($count.loadError == nil)
      try write("8")
      try await eventually { count == 8 }
    }
  }

  @Test func movingAwayAndBackIsSeen() async throws {
    try write("5")
    let other = folder.url("other.json")
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 7
      try FileManager.default.moveItem(at: file, to: other)
      try await eventually { count == 7 }
      try FileManager.default.moveItem(at: other, to: file)
      try await eventually { count == 5 }
    }
  }

  @Test func aFolderThatDoesNotExistYet() async throws {
    let deep = folder.url("a/b/c/count.json")
    try await onDisk {
      @Shared(.fileStorage(deep)) var count = 0
      for value in 1...3 {
        try FileManager.default.createDirectory(
          at: deep.deletingLastPathComponent(), withIntermediateDirectories: true)
        try write("\(value)", to: deep)
        try await eventually { count == value }
        try FileManager.default.removeItem(at: folder.url("a"))
        try await eventually { count == 0 }
      }
    }
  }

  @Test func aFolderThatIsReplaced() async throws {
    let home = folder.url("home"), next = folder.url("next"), old = folder.url("old")
    for (url, value) in [(home, "1"), (next, "2")] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try write(value, to: url.appendingPathComponent("count.json"))
    }
    try await onDisk {
      @Shared(.fileStorage(home.appendingPathComponent("count.json"))) var count = 0
      #expect(count == 1)
      try FileManager.default.moveItem(at: home, to: old)
      try FileManager.default.moveItem(at: next, to: home)
      try await eventually { count == 2 }
      try write("3", to: home.appendingPathComponent("count.json"))
      try await eventually { count == 3 }
    }
  }

  @Test func theTargetOfALinkIsFollowed() async throws {
    let place = folder.url("place")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let first = place.appendingPathComponent("first"),
      second = place.appendingPathComponent("second")
    try write("1", to: first)
    try write("2", to: second)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: first)
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      #expect(count == 1)
      try write("10", to: first)
      try await eventually { count == 10 }
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: second)
      try await eventually { count == 2 }
      try write("20", to: second)
      try await eventually { count == 20 }
    }
  }

  @Test func ownWritesAreNotTold() async throws {
    try await onDisk {
      let values = LockIsolated<[Int]>([])
      let key: FileStorageKey<Int> = .fileStorage(file)
      key.load(context: .initialValue(0), continuation: LoadContinuation { _ in })
      let subscription = key.subscribe(
        context: .initialValue(0),
        subscriber: SharedSubscriber { result in
          values.withValue { $0.append((try? result.get()) ?? -1) }
        })
      defer { subscription.cancel() }
      for value in 1...5 {
        key.save(value, context: .userInitiated, continuation: SaveContinuation { _ in })
      }
      try await aWhile()
      #expect(values.value == [])
      try write("6")
      try await eventually { values.value == [6] }
      // Another key for the same file is somebody else.
      let other: FileStorageKey<Int> = .fileStorage(file)
      other.save(7, context: .userInitiated, continuation: SaveContinuation { _ in })
      try await eventually { values.value == [6, 7] }
    }
  }

  @Test func referencesOfOtherTypesAreTold() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      @Shared(.fileStorage(file)) var ratio = 0.0
      $count.withLock { $0 = 3 }
      try await eventually { ratio == 3 }
      $ratio.withLock { $0 = 4 }
      try await eventually { count == 4 }
    }
  }

  @Test func readersFollow() async throws {
    try await onDisk {
      @SharedReader(.fileStorage(file)) var count = 0
      try write("4")
      try await eventually { count == 4 }
      try write("5")
      try await $count.load()
      #expect(count == 5)
    }
  }

  @Test func anotherProcess() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      for value in [1, 2, 3] {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        child.arguments = [
          "-c", "printf %s \(value) > \"$1.new\" && mv \"$1.new\" \"$1\"", "sh", file.path,
        ]
        try child.run()
        child.waitUntilExit()
        try await eventually { count == value }
      }
    }
  }
}
