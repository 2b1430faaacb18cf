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
    // Opening a pipe must not wait for whoever writes it.
    let descriptor: Int32 = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let error: Int32 = errno
      guard error == ENOENT else { throw failure(path, error) }
      try checkFolder(of: path)
      return TextBuffer()
    }
    defer { close(descriptor) }
    try checkKind(of: descriptor, path)
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      guard let count = FileDescriptor.readSome(into: chunk, from: descriptor) else {
        throw failure(path, errno)
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

  /// Others than regular files have no text to be edited, and some have no end.
  private static func checkKind(of descriptor: Int32, _ path: String) throws(Failure) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw failure(path, errno) }
    switch information.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw failure(path, EISDIR)
    default:
      throw Failure(
        description: "\(path) is not a regular file, and only these can be edited; choose another")
    }
  }

  /// A file that is to be made needs a folder to be in.
  private static func checkFolder(of path: String) throws(Failure) {
    guard let folder = missingFolder(of: path) else { return }
    throw Failure(
      description: "\(path) could not be saved, since there is no directory \(folder); make it "
        + "first, or choose another path")
  }

  /// The folder that a path leads through at the end, where there is none.
  static func missingFolder(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
    let folder = String(path[..<slash])
    var information = stat()
    return stat(folder, &information) == 0 ? nil : folder
  }

  private static func failure(_ path: String, _ error: Int32) -> Failure {
    Failure(description: "\(path) can't be read (\(String(cString: strerror(error))))")
  }
}
