import ConcurrencyExtras
import Foundation
@testable import Sharing
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct FileWatcherTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [true, false])
  func tellsUntilItIsLetGo(usesKernel: Bool) async throws {
    let watcher = FileWatcher(usesKernel: usesKernel)
    let count = LockIsolated(0)
    var watch: FileWatcher.Watch? = watcher.watch(.file(folder.path("a"))) {
      count.withValue { $0 += 1 }
    }
    _ = watch
    try Data("1".utf8).write(to: folder.url("a"))
    try await eventually { count.value > 0 }
    watch = nil
    try await aWhile()
    let before = count.value
    try Data("2".utf8).write(to: folder.url("a"))
    try await Task.sleep(for: .milliseconds(400))
    #expect(count.value == before)
  }

  @Test func tellsOfOneFileOnly() async throws {
    let watcher = FileWatcher()
    let (one, all) = (LockIsolated(0), LockIsolated(0))
    let watches = [
      watcher.watch(.file(folder.path("a.plist"))) { one.withValue { $0 += 1 } },
      watcher.watch(.files(in: folder.url.path, suffix: ".plist")) { all.withValue { $0 += 1 } },
    ]
    defer { withExtendedLifetime(watches) {} }
    for name in ["b.plist", "a.plist.tmp", "c.txt"] {
      try Data("1".utf8).write(to: folder.url(name))
    }
    try await eventually { all.value > 0 }
    try await aWhile()
    #expect(one.value == 0)
    try Data("1".utf8).write(to: folder.url("a.plist"))
    try await eventually { one.value > 0 }
  }

  @Test func aFileThatIsOnlyOpenedIsNotToldYet() async throws {
    let watcher = FileWatcher()
    let count = LockIsolated(0)
    let watch = watcher.watch(.file(folder.path("a"))) { count.withValue { $0 += 1 } }
    defer { withExtendedLifetime(watch) {} }
    let file = open(folder.path("a"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    try await aWhile()
    #expect(count.value == 0)
    close(file)
    try await eventually { count.value > 0 }
  }

  @Test func manyWatchesOfOneFolder() async throws {
    let watcher = FileWatcher()
    let told = LockIsolated<Set<Int>>([])
    let watches = (0..<200).map { number in
      watcher.watch(.file(folder.path("\(number)"))) { told.withValue { _ = $0.insert(number) } }
    }
    defer { withExtendedLifetime(watches) {} }
    for number in stride(from: 0, to: 200, by: 2) {
      try Data("1".utf8).write(to: folder.url("\(number)"))
    }
    try await eventually { told.value.count == 100 }
    #expect(told.value == Set(stride(from: 0, to: 200, by: 2)))
  }
}
