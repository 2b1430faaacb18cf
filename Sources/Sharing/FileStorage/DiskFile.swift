import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reading and replacing whole files.
enum DiskFile {
  /// Links are followed so far; the kernel gives up at the same count.
  private static let mostLinks = 40

  /// Reads a file, with the version that was read; `nil` when there is none.
  ///
  /// - Throws: `FileStorageError` when it is there and can't be read.
  static func read(_ path: String) throws(FileStorageError) -> (data: Data, version: FileVersion)? {
    // Opening a pipe must not wait for somebody who writes to it.
    let file: Int32 = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileStorageError("read", path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileStorageError("read", path) }
    try requireRegular(status, "read", path)
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: max(Int(status.st_size) + 1, 4_096))
    while true {
      let count: Int = buffer.withUnsafeMutableBytes { readBytes(file, $0.baseAddress, $0.count) }
      if count == 0 { return (data, FileVersion(status)) }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw FileStorageError("read", path)
      }
      data.append(contentsOf: buffer.prefix(count))
    }
  }

  /// Replaces a file's content in one step, so that no reader ever sees a part of it and no failure
  /// harms the old content.
  ///
  /// The folders on the way are made; links are followed, and the file that they lead to is
  /// replaced; its mode and owner stay. It is not forced to the disk: after a power cut the old
  /// content may be back.
  ///
  /// - Parameters:
  ///   - unreadable: A version that must not be lost: if it is what is replaced, it stays beside
  ///     the file, under a name that ends in `.unreadable`.
  /// - Returns: The new version.
  static func replace(
    _ path: String, with data: Data, keeping unreadable: FileVersion?
  ) throws(FileStorageError) -> FileVersion {
    let target: String = destination(of: path)
    let folder: String = parent(of: target)
    try makeFolder(folder, for: path)
    var old = stat()
    let isReplacing: Bool = lstat(target, &old) == 0
    if isReplacing { try requireRegular(old, "write", path) }

    let scratch: String = scratchPath(in: folder)
    let flags: Int32 = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file: Int32 = open(scratch, flags, isReplacing ? old.st_mode & 0o777 : 0o666)
    guard file >= 0 else { throw FileStorageError("write", path) }
    var isOpen = true
    var isDone = false
    defer {
      if isOpen { close(file) }
      if !isDone { unlink(scratch) }
    }
    if isReplacing {
      // Only a privileged process can give a file away; for any other it was its own before.
      if old.st_uid != geteuid() || old.st_gid != getegid() {
        _ = fchown(file, old.st_uid, old.st_gid)
      }
      guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw FileStorageError("write", path) }
    }
    try write(data, to: file, path)
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileStorageError("write", path) }
    isOpen = false
    guard close(file) == 0 else { throw FileStorageError("write", path) }
    if isReplacing, let unreadable, FileVersion(old) == unreadable {
      try setAside(target, for: path)
    }
    guard rename(scratch, target) == 0 else { throw FileStorageError("write", path) }
    isDone = true
    return FileVersion(status)
  }

  /// The path that links lead to from a path; the same when it is no link.
  static func destination(of path: String) -> String {
    var path: String = path
    for _ in 0..<mostLinks {
      guard let link = linkTarget(path) else { break }
      path = link
    }
    return path
  }

  /// Where a link points to, `nil` for anything else.
  static func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count: Int = buffer.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }
    }
    guard count > 0 else { return nil }
    let link = String(decoding: buffer.prefix(count), as: UTF8.self)
    return link.hasPrefix("/") ? link : parent(of: path) + "/" + link
  }

  /// The folder that a path lies in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func requireRegular(
    _ status: stat, _ attempt: String, _ path: String
  ) throws(FileStorageError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw FileStorageError(attempt, path, code: EISDIR)
    default: throw FileStorageError(attempt, path, reason: "Not a regular file")
    }
  }

  private static func makeFolder(_ folder: String, for path: String) throws(FileStorageError) {
    var status = stat()
    if stat(folder, &status) == 0 { return }
    let above: String = parent(of: folder)
    if above != folder, above != "." { try makeFolder(above, for: path) }
    // Another process may have been quicker.
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw FileStorageError("write", path)
    }
  }

  private static func write(
    _ data: Data, to file: Int32, _ path: String
  ) throws(FileStorageError) {
    var rest: Data.SubSequence = data[...]
    while !rest.isEmpty {
      let count: Int = rest.withUnsafeBytes { writeBytes(file, $0.baseAddress, $0.count) }
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw FileStorageError("write", path)
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func setAside(_ target: String, for path: String) throws(FileStorageError) {
    var aside: String = target + ".unreadable"
    var number = 1
    while link(target, aside) != 0 {
      switch errno {
      case EEXIST:
        number += 1
        aside = target + ".unreadable-\(number)"
      case EPERM, ENOTSUP, ENOSYS, EMLINK:
        // No hard links here: for a moment there is no file.
        guard rename(target, aside) == 0 else { throw FileStorageError("write", path) }
        return
      default:
        throw FileStorageError("write", path)
      }
    }
  }

  private static let serial = Atomic<UInt64>(0)

  private static func scratchPath(in folder: String) -> String {
    let number: UInt64 = serial.add(1, ordering: .relaxed).newValue
    let random = UInt32.random(in: .min ... .max)
    return "\(folder)/.retrace-\(getpid())-\(number)-\(String(random, radix: 16)).tmp"
  }
}

// The system's calls, under names that the functions above do not hide.

private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
