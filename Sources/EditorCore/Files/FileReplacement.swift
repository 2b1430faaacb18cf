#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Replaces a file as a whole: by one written beside it, which takes its place once it is on disk.
enum FileReplacement {
  static func replace(_ path: String, with text: TextBuffer) throws(FileWriterError) {
    // A link stays one: what it leads to is replaced.
    let target: String = resolve(path)
    let old: mode_t? = try mode(of: target, path: path)
    let temporary = "\(target).saving-\(getpid())"
    let descriptor: Int32 = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let error: FileWriterError = failure("\(temporary) can't be made", path: path)
      // A name that no one gave says less than that of the folder.
      guard let folder = FileContents.missingFolder(of: target) else { throw error }
      throw FileWriterError(path: path, reason: "there is no directory \(folder) any more")
    }
    do throws(FileWriterError) {
      defer { close(descriptor) }
      if let old, fchmod(descriptor, old) != 0 {
        throw failure("\(temporary) can't have the mode of the file", path: path)
      }
      guard write(text, to: descriptor), fsync(descriptor) == 0 else {
        throw failure("\(temporary) can't be written", path: path)
      }
      guard rename(temporary, target) == 0 else {
        throw failure("\(temporary) can't take its place", path: path)
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func resolve(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The mode of a file, or nil where there is none.
  private static func mode(of target: String, path: String) throws(FileWriterError) -> mode_t? {
    var information = stat()
    guard stat(target, &information) == 0 else {
      if errno == ENOENT { return nil }
      throw failure("it can't be looked at", path: path)
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw FileWriterError(path: path, reason: "it is not a regular file")
    }
    guard access(target, W_OK) == 0 else {
      throw failure("it may not be written", path: path)
    }
    return information.st_mode & 0o7777
  }

  private static func write(_ text: TextBuffer, to descriptor: Int32) -> Bool {
    var isWritten = true
    text.forEachPiece { piece in
      isWritten = isWritten && FileDescriptor.writeAll(piece, to: descriptor)
    }
    return isWritten
  }

  private static func failure(_ what: String, path: String) -> FileWriterError {
    FileWriterError(path: path, reason: "\(what) (\(String(cString: strerror(errno))))")
  }
}
