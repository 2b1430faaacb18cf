import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells when files are written, replaced, moved or deleted, whether or not they exist yet.
///
/// Folders are watched, not files, since a file that is replaced is another file afterwards: the
/// folder that a file lies in and, where links lead to it, those of the links' targets. Where a
/// folder does not exist, the nearest one above it is watched until it does. What is told may be
/// told once too often; whoever listens compares versions.
///
/// One thread serves all, and calls back.
final class FileWatcher: Sendable {
  static let shared = FileWatcher()

  /// What is watched: one file, or all files of a folder with a suffix.
  struct Target: Sendable {
    var path: String
    var suffix: String?

    static func file(_ path: String) -> Self { Self(path: path, suffix: nil) }
    static func files(in folder: String, suffix: String) -> Self {
      Self(path: folder + "/*", suffix: suffix)
    }
  }

  /// A watch; it ends when it is let go.
  final class Watch: Sendable {
    fileprivate let target: Target
    fileprivate let onChange: @Sendable () -> Void
    private let watcher: FileWatcher

    fileprivate init(
      _ target: Target, _ watcher: FileWatcher, _ onChange: @escaping @Sendable () -> Void
    ) {
      self.target = target
      self.watcher = watcher
      self.onChange = onChange
    }

    deinit { watcher.remove(ObjectIdentifier(self)) }
  }

  private struct Entry {
    weak var watch: Watch?
    var target: Target
    /// The watched folders, each with the names in it that matter; none when the kernel can't watch
    /// them.
    var places: [Int32: Set<String>] = [:]
  }

  /// A folder, and the name in it whose change matters.
  private struct Place: Equatable {
    var folder: String
    var name: String
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// How many entries need each folder's watch.
    var uses: [Int32: Int] = [:]
    var isRunning = false
  }

  private let state = Mutex(State())
  /// The kernel's queue of events, below zero when there is none to be had.
  private let queue: Int32
  /// A pipe: what is written to it wakes the thread, when what it must look after has changed.
  private let bell: (read: Int32, write: Int32)

  /// How often files are looked at that the kernel can't watch, in milliseconds.
  private static let pollingMilliseconds: Int32 = 250

  /// Links are followed so far; the kernel gives up at the same count.
  private static let mostLinks = 40

  /// How often folders are looked for again that others make meanwhile.
  private static let mostAttempts = 100

  private static let folderEvents =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
    | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ATTRIB)

  private static let folderFlags = UInt32(IN_ONLYDIR)

  /// A watcher that asks the kernel, or, without its help, looks at the files time and again.
  init(usesKernel: Bool = true) {
    queue = usesKernel ? inotify_init1(Int32(IN_CLOEXEC)) : -1
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    bell = (ends[0], ends[1])
  }

  /// Begins to watch; changes from now on are told.
  func watch(_ target: Target, onChange: @escaping @Sendable () -> Void) -> Watch {
    let watch = Watch(target, self, onChange)
    let starts: Bool = state.withLock { state in
      let id = ObjectIdentifier(watch)
      state.entries[id] = Entry(watch: watch, target: target)
      arm(id, in: &state)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts {
      let thread = Thread { self.run() }
      thread.name = "retrace.files"
      thread.start()
    }
    ring()
    return watch
  }

  private func remove(_ id: ObjectIdentifier) {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: id) else { return }
      release(entry.places.keys, in: &state)
    }
  }

  // MARK: - Which folders

  /// Watches the folders that matter now, and no others.
  private func arm(_ id: ObjectIdentifier, in state: inout State) {
    guard let path = state.entries[id]?.target.path, queue >= 0 else { return }
    var places: [Place] = Self.places(of: path)
    for _ in 0..<Self.mostAttempts {
      watch(places, for: id, in: &state)
      // A folder that was made before the one above it was watched is not told.
      let now: [Place] = Self.places(of: path)
      if now == places { return }
      places = now
    }
    // Its folders never stay as they are: the thread looks at it by itself.
    watch([], for: id, in: &state)
  }

  private func watch(_ places: [Place], for id: ObjectIdentifier, in state: inout State) {
    let before: [Int32] = (state.entries[id]?.places ?? [:]).map(\.key)
    var watched: [Int32: Set<String>] = [:]
    for place in places {
      let mask: UInt32 = Self.folderEvents | Self.folderFlags
      let folder: Int32 = inotify_add_watch(queue, place.folder, mask)
      guard folder >= 0 else {
        // One is not watched, and so it is as if none were: the thread looks by itself.
        release(watched.keys, in: &state)
        watched = [:]
        break
      }
      if watched[folder] == nil { state.uses[folder, default: 0] += 1 }
      watched[folder, default: []].insert(place.name)
    }
    state.entries[id]?.places = watched
    release(before, in: &state)
  }

  private func release(_ folders: some Sequence<Int32>, in state: inout State) {
    for folder in folders {
      // The kernel may have dropped it already, with the folder.
      guard let uses = state.uses[folder] else { continue }
      state.uses[folder] = uses > 1 ? uses - 1 : nil
      if uses == 1 { inotify_rm_watch(queue, folder) }
    }
  }

  /// Where a change of a file shows: in each existing folder, at a name.
  private static func places(of path: String) -> [Place] {
    var places: [Place] = []
    var path: String? = path
    while let current = path, places.count < mostLinks {
      var folder: String = DiskFile.parent(of: current)
      var name: String = lastComponent(of: current)
      while !isFolder(folder), folder != "/", folder != "." {
        name = lastComponent(of: folder)
        folder = DiskFile.parent(of: folder)
      }
      places.append(Place(folder: folder, name: name))
      path = DiskFile.linkTarget(current)
    }
    return places
  }

  private static func lastComponent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  // MARK: - The thread

  private func ring() {
    var stroke: UInt8 = 1
    _ = write(bell.write, &stroke, 1)
  }

  private func run() {
    var buffer = [UInt64](repeating: 0, count: 2_048)
    while true {
      var files = [
        pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
      ]
      let isPolling: Bool = state.withLock { state in
        state.entries.values.contains { $0.places.isEmpty }
      }
      let ready: Int32 = poll(&files, 2, isPolling ? Self.pollingMilliseconds : -1)
      if files[1].revents != 0 {
        var strokes: (UInt64, UInt64) = (0, 0)
        _ = read(bell.read, &strokes, 16)
      }
      if ready > 0, files[0].revents != 0 {
        let count: Int = buffer.withUnsafeMutableBytes { read(queue, $0.baseAddress, $0.count) }
        if count > 0 {
          buffer.withUnsafeBytes { handle(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
      }
      if isPolling, ready == 0 { callUnwatched() }
    }
  }

  private func handle(_ bytes: UnsafeRawBufferPointer) {
    var concerned: [Watch] = []
    state.withLock { state in
      var ids: Set<ObjectIdentifier> = []
      var offset = 0
      let header: Int = MemoryLayout<inotify_event>.size
      while offset + header <= bytes.count {
        let event: inotify_event = bytes.loadUnaligned(
          fromByteOffset: offset, as: inotify_event.self)
        let name = bytes[(offset + header)..<(offset + header + Int(event.len))]
        offset += header + Int(event.len)
        collect(event, String(decoding: name.prefix { $0 != 0 }, as: UTF8.self), &ids, in: &state)
      }
      for id in ids {
        guard let watch = state.entries[id]?.watch else { continue }
        arm(id, in: &state)
        concerned.append(watch)
      }
    }
    for watch in concerned { watch.onChange() }
  }

  private func collect(
    _ event: inotify_event, _ name: String, _ ids: inout Set<ObjectIdentifier>,
    in state: inout State
  ) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      ids.formUnion(state.entries.keys)
      return
    }
    // The folder is gone, and the kernel has dropped the watch.
    let isGone: Bool = event.mask & UInt32(IN_IGNORED) != 0
    if isGone { state.uses[event.wd] = nil }
    for (id, var entry) in state.entries {
      guard let names = entry.places[event.wd] else { continue }
      if isGone {
        entry.places[event.wd] = nil
        state.entries[id] = entry
      }
      let isFolderItself: Bool = event.len == 0
      let matches: Bool = names.contains(name) && !isUnfinished(event, entry.target)
      let hasSuffix: Bool = entry.target.suffix.map { name.hasSuffix($0) } ?? false
      if isFolderItself || matches || hasSuffix { ids.insert(id) }
    }
  }

  /// Whether a file has only been opened to be written: it is told when its writer closes it.
  private func isUnfinished(_ event: inotify_event, _ target: Target) -> Bool {
    guard event.mask & UInt32(IN_CREATE) != 0, event.mask & UInt32(IN_ISDIR) == 0 else {
      return false
    }
    var status = stat()
    guard lstat(target.path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
  }

  private func callUnwatched() {
    var concerned: [Watch] = []
    state.withLock { state in
      for (id, entry) in state.entries where entry.places.isEmpty {
        arm(id, in: &state)
        if let watch = entry.watch { concerned.append(watch) }
      }
    }
    for watch in concerned { watch.onChange() }
  }
}
