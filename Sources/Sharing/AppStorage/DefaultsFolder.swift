import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folders in which Foundation keeps property lists.
enum DefaultsFolder {
  /// How long another process is waited for, in milliseconds: one that is stopped must not stop
  /// this one.
  private static let patienceMilliseconds = 1_000

  /// Where the store's property list is.
  static func path(of store: UserDefaults) -> String {
    // A suite whose name is a path lies there.
    var mirror: Mirror? = Mirror(reflecting: store)
    while let current = mirror {
      let suite = current.children.first { $0.label == "suite" }?.value
      if let suite = suite as? String, suite.hasPrefix("/") { return DiskFile.parent(of: suite) }
      mirror = current.superclassMirror
    }
    let settings: String? = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]
    if let settings, settings.hasPrefix("/") { return settings }
    return NSHomeDirectory() + "/.config"
  }

  /// Does something while no other process that asks does it.
  ///
  /// Foundation reads a property list, puts its changes in, and writes it, and what another process
  /// writes between is lost. The folder itself is locked, so that no file is left behind.
  static func withLock<R>(of store: UserDefaults, _ body: () -> R) -> R {
    let folder: Int32 = open(path(of: store), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // There is none yet: nobody has written to it.
    guard folder >= 0 else { return body() }
    // This unlocks it.
    defer { close(folder) }
    var waited = 0
    while flock(folder, LOCK_EX | LOCK_NB) != 0, waited < patienceMilliseconds {
      usleep(1_000)
      waited += 1
    }
    return body()
  }
}
