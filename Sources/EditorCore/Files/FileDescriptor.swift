#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The few system calls on open files that the editor makes.
enum FileDescriptor {
  /// What the system says of the last call that failed.
  static var lastError: String { String(cString: strerror(errno)) }

  /// Writes all bytes, or gives false where that fails; `errno` says why.
  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest: UnsafeRawBufferPointer = bytes
    while !rest.isEmpty {
      let count: Int = write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  @discardableResult
  static func writeAll(_ string: String, to descriptor: Int32) -> Bool {
    var string = string
    return string.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Reads what there is, waiting for the first byte: 0 at the end, nil where that fails.
  static func readSome(into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int? {
    while true {
      let count: Int = read(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }
}
