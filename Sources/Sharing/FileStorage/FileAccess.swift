import Foundation
import Synchronization

/// What a file storage does its work with.
protocol FileAccess: AnyObject, Sendable {
  /// How long a write is held that follows another; `nil` when every write is done at once.
  var hold: (duration: Duration, clock: any Clock<Duration>)? { get }

  /// The content of a file and its version; `nil` when there is none.
  func read(_ url: URL) throws -> (data: Data, version: FileVersion)?

  /// Replaces a file's content, and gives the new version.
  ///
  /// A content of the version `unreadable` must not be lost.
  func replace(_ url: URL, with data: Data, keeping unreadable: FileVersion?) throws -> FileVersion

  /// The version of a file; `nil` when there is none.
  func version(of url: URL) -> FileVersion?

  /// Whether the file looks as one does that somebody is about to write to.
  func isEmpty(_ url: URL) -> Bool

  /// Calls back when a file may have changed, until what it returns is let go.
  func watch(_ url: URL, onChange: @escaping @Sendable () -> Void) -> any AnyObject & Sendable

  /// Tells the watches that this process has changed a file, where nobody else does.
  func announce(_ url: URL)
}

/// The files of the system.
final class DiskAccess: FileAccess {
  let hold: (duration: Duration, clock: any Clock<Duration>)?

  init(clock: any Clock<Duration> = ContinuousClock()) {
    hold = (.seconds(1), clock)
  }

  func read(_ url: URL) throws -> (data: Data, version: FileVersion)? {
    try DiskFile.read(path(url, "read"))
  }

  func replace(
    _ url: URL, with data: Data, keeping unreadable: FileVersion?
  ) throws -> FileVersion {
    try DiskFile.replace(path(url, "write"), with: data, keeping: unreadable)
  }

  func version(of url: URL) -> FileVersion? {
    url.isFileURL ? FileVersion(path: url.path) : nil
  }

  func isEmpty(_ url: URL) -> Bool {
    version(of: url)?.size == 0
  }

  func watch(_ url: URL, onChange: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    FileWatcher.shared.watch(.file(url.path), onChange: onChange)
  }

  func announce(_ url: URL) {}

  private func path(_ url: URL, _ attempt: String) throws -> String {
    guard url.isFileURL else {
      throw FileStorageError(attempt, url.absoluteString, reason: "Not a file URL")
    }
    return url.path
  }
}

/// Files that exist in memory only.
final class MemoryAccess: FileAccess {
  private final class Watch: Sendable {
    let url: URL
    let onChange: @Sendable () -> Void

    init(_ url: URL, _ onChange: @escaping @Sendable () -> Void) {
      self.url = url
      self.onChange = onChange
    }
  }

  private struct WeakWatch {
    weak var watch: Watch?
  }

  private struct State {
    var files: [URL: (data: Data, version: FileVersion)] = [:]
    var serial: UInt64 = 0
    var watches: [WeakWatch] = []
  }

  let hold: (duration: Duration, clock: any Clock<Duration>)?
  private let state = Mutex(State())

  init(hold: (duration: Duration, clock: any Clock<Duration>)? = nil) {
    self.hold = hold
  }

  func read(_ url: URL) -> (data: Data, version: FileVersion)? {
    state.withLock { $0.files[url] }
  }

  func replace(_ url: URL, with data: Data, keeping unreadable: FileVersion?) -> FileVersion {
    state.withLock { state in
      if let unreadable, let old = state.files[url], old.version == unreadable {
        state.files[url.appendingPathExtension("unreadable")] = old
      }
      state.serial += 1
      let version = FileVersion(serial: state.serial)
      state.files[url] = (data, version)
      return version
    }
  }

  func version(of url: URL) -> FileVersion? {
    state.withLock { $0.files[url]?.version }
  }

  /// Never about to be: here they change in one step.
  func isEmpty(_ url: URL) -> Bool { false }

  func watch(_ url: URL, onChange: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let watch = Watch(url, onChange)
    state.withLock { state in
      state.watches.removeAll { $0.watch == nil }
      state.watches.append(WeakWatch(watch: watch))
    }
    return watch
  }

  func announce(_ url: URL) {
    let watches: [Watch] = state.withLock { $0.watches.compactMap(\.watch) }
    for watch in watches where watch.url == url { watch.onChange() }
  }

  /// Changes a file as another program would; `nil` deletes it.
  func setData(_ data: Data?, at url: URL) {
    if let data {
      _ = replace(url, with: data, keeping: nil)
    } else {
      state.withLock { $0.files[url] = nil }
    }
    announce(url)
  }

  /// All files.
  var contents: [URL: Data] {
    state.withLock { $0.files.mapValues(\.data) }
  }
}
