#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one content of a file from another without reading it.
///
/// A file that is replaced gets a new number, one that is written to gets a new time.
struct FileVersion: Hashable, Sendable {
  var device: UInt64 = 0
  var number: UInt64 = 0
  var size: Int64 = 0
  var seconds: Int64 = 0
  var nanoseconds: Int64 = 0

  /// A version of a file that is kept in memory.
  init(serial: UInt64) {
    number = serial
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// The version of the file at a path, links followed; `nil` when there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
