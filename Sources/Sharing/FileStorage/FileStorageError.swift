import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a file can't be read or written.
struct FileStorageError: Error, LocalizedError, CustomStringConvertible, Equatable {
  /// What was tried, as "read" or "write".
  var attempt: String
  var path: String
  var reason: String

  /// The failure that the system has just told, by its number for this thread.
  init(_ attempt: String, _ path: String, code: Int32 = errno) {
    self.init(attempt, path, reason: String(cString: strerror(code)))
  }

  init(_ attempt: String, _ path: String, reason: String) {
    self.attempt = attempt
    self.path = path
    self.reason = reason
  }

  var description: String { "Can't \(attempt) \(path): \(reason)" }

  var errorDescription: String? { description }
}
