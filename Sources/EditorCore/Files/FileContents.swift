#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Reads the file that is to be edited.
enum FileContents {
  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// The text of a file; empty where there is no such file yet.
  ///
  /// - Throws: ``Failure`` where the file can't be read, or is not UTF-8.
  static func text(at path: String) throws(Failure) -> TextBuffer {
    let descriptor: Int32 = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return TextBuffer() }
      throw failure(path)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      guard let count = FileDescriptor.readSome(into: chunk, from: descriptor) else {
        throw failure(path)
      }
      if count == 0 { break }
      bytes += UnsafeRawBufferPointer(rebasing: chunk[..<count])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        description: "\(path) is not UTF-8 text; convert it first, for instance with iconv")
    }
    return TextBuffer(text)
  }

  private static func failure(_ path: String) -> Failure {
    Failure(description: "\(path) can't be read (\(String(cString: strerror(errno))))")
  }
}
