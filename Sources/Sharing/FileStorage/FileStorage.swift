public import Dependencies
package import Foundation

/// Where files of ``SharedReaderKey/fileStorage(_:decoder:encoder:)`` are kept.
public struct FileStorage: Hashable, Sendable {
  let access: any FileAccess

  /// The file system.
  public static let fileSystem = Self(access: DiskAccess())

  /// Files in memory, a new and empty storage each time.
  public static var inMemory: Self { Self(access: MemoryAccess()) }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.access === rhs.access
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(access))
  }
}

extension FileStorage {
  /// The file system, where writes are held by a clock of the caller's.
  package static func fileSystem(clock: any Clock<Duration>) -> Self {
    Self(access: DiskAccess(clock: clock))
  }

  /// Files in memory, where writes are held for one second as they are on disk.
  package static func inMemory(clock: any Clock<Duration>) -> Self {
    Self(access: MemoryAccess(hold: (.seconds(1), clock)))
  }

  /// The files of a storage in memory; `nil` for the file system.
  package var contents: [URL: Data]? {
    (access as? MemoryAccess)?.contents
  }

  /// Changes a file of a storage in memory as another program would; `nil` deletes it.
  ///
  /// - Precondition: The storage is in memory.
  package func setData(_ data: Data?, at url: URL) {
    guard let access = access as? MemoryAccess else {
      preconditionFailure("Only files in memory can be set")
    }
    access.setData(data, at: url)
  }
}

extension DependencyValues {
  /// The storage of files: the file system in the program, memory in tests and previews, where
  /// each test has its own.
  public var defaultFileStorage: FileStorage {
    get { self[FileStorageDependency.self] }
    set { self[FileStorageDependency.self] = newValue }
  }

  private enum FileStorageDependency: DependencyKey {
    static var liveValue: FileStorage { .fileSystem }
    static var previewValue: FileStorage { .inMemory }
    static var testValue: FileStorage { .inMemory }
  }
}
