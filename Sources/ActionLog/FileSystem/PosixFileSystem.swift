internal import CActionLog
internal import Glibc

/// The file system of the machine.
public struct PosixFileSystem: FileSystem {
  public init() {}

  public func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    // Not blocking: a pipe that lies in a log's place is to be refused, not waited for.
    var flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    switch mode {
    case .read: flags |= O_RDONLY
    case .write: flags |= O_RDWR
    case .create: flags |= O_RDWR | O_CREAT | O_EXCL
    case .openOrCreate: flags |= O_RDWR | O_CREAT
    }
    let descriptor = retrying { Glibc.open(path, flags, 0o600) }
    if descriptor < 0 { throw FileError("open", path, errno) }
    var status = stat()
    if fstat(descriptor, &status) != 0 {
      let number = errno
      Glibc.close(descriptor)
      throw FileError("open", path, number)
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      Glibc.close(descriptor)
      throw FileError("open", path, EISDIR)
    }
    if status.st_mode & S_IFMT != S_IFREG {
      Glibc.close(descriptor)
      throw FileError("open", path, EINVAL)
    }
    return PosixFile(path: path, descriptor: descriptor)
  }

  public func makeDirectory(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) != 0 { throw FileError("create", path, errno) }
  }

  public func list(_ path: String) throws(FileError) -> [String] {
    guard let directory = opendir(path) else { throw FileError("list", path, errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        if errno != 0 { throw FileError("list", path, errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  public func type(of path: String) throws(FileError) -> FileType {
    var status = stat()
    if stat(path, &status) != 0 { throw FileError("look at", path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  public func rename(_ path: String, to target: String) throws(FileError) {
    if Glibc.rename(path, target) != 0 { throw FileError("rename", path, errno) }
  }

  public func unlink(_ path: String) throws(FileError) {
    if Glibc.unlink(path) != 0 { throw FileError("remove", path, errno) }
  }

  public func syncDirectory(_ path: String) throws(FileError) {
    let descriptor = retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw FileError("sync", path, errno) }
    defer { Glibc.close(descriptor) }
    if fsync(descriptor) != 0 { throw FileError("sync", path, errno) }
  }

  public func isMappingSafe(in path: String) -> Bool {
    !Self.copying.contains(al_file_system_type(path))
  }

  /// File systems where space that was allocated may lack all the same, since each write goes to
  /// a new place or to another machine: btrfs, ZFS, bcachefs, NFS, CIFS, SMB, FUSE, 9P, CephFS.
  private static let copying: Set<UInt32> = [
    0x9123_683e, 0x2fc1_2fc1, 0xca45_1a4e, 0x6969, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546,
    0x0102_1997, 0x00c3_6400,
  ]
}

extension FileSystem where Self == PosixFileSystem {
  /// The file system of the machine.
  public static var real: PosixFileSystem { PosixFileSystem() }
}

private func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

private final class PosixFile: OpenFile, @unchecked Sendable {
  let path: String
  // Only `close` writes it, and only the file's owner calls that.
  private var descriptor: Int32
  /// The process that took the lock; a forked child must not give it up.
  private var locker: pid_t = 0

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close()
  }

  func close() {
    if descriptor < 0 { return }
    // Said, and not left to the closing: a child that was just forked by another thread has the
    // file open as well until it begins its own program.
    if locker != 0 && locker == getpid() { al_unmark_writer(descriptor) }
    Glibc.close(descriptor)
    descriptor = -1
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    guard let start = Int(exactly: offset) else { throw FileError("read", path, EOVERFLOW) }
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, start)
      if count >= 0 { return count }
      if errno != EINTR { throw FileError("read", path, errno) }
    }
  }

  func expectRead(of count: Int, at offset: UInt64) {
    guard let start = Int(exactly: offset) else { return }
    // Whether it helps shows in time alone.
    posix_fadvise(descriptor, start, count, Int32(POSIX_FADV_WILLNEED))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    guard let start = Int(exactly: offset) else { throw FileError("write", path, EOVERFLOW) }
    while true {
      let count = pwrite(descriptor, bytes.baseAddress, bytes.count, start)
      if count >= 0 { return count }
      if errno != EINTR { throw FileError("write", path, errno) }
    }
  }

  func allocate(_ size: Int) throws(FileError) {
    while true {
      let number = posix_fallocate(descriptor, 0, size)
      if number == 0 { return }
      if number != EINTR { throw FileError("allocate", path, number) }
    }
  }

  func map(_ size: Int) throws(FileError) -> any MappedMemory {
    let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let address, address != MAP_FAILED else { throw FileError("map", path, errno) }
    madvise(address, size, MADV_DONTFORK)
    return PosixMapping(UnsafeMutableRawBufferPointer(start: address, count: size))
  }

  func sync() throws(FileError) {
    while fdatasync(descriptor) != 0 {
      if errno != EINTR { throw FileError("sync", path, errno) }
    }
  }

  func size() throws(FileError) -> UInt64 {
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw FileError("look at", path, errno) }
    return UInt64(max(0, status.st_size))
  }

  func lock() throws(FileError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw FileError("lock", path, errno) }
    }
    // A second lock, of the kind that readers can ask for without taking it.
    let number = al_mark_writer(descriptor)
    if number == EAGAIN || number == EACCES {
      flock(descriptor, LOCK_UN)
      return false
    }
    locker = getpid()
    return true
  }

  func isLocked() -> Bool? {
    switch al_has_writer(descriptor) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }
}

private final class PosixMapping: MappedMemory, @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  private let process = getpid()

  init(_ bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
  }

  deinit {
    // A forked child never had the mapping; something else may be at its address there.
    guard getpid() == process else { return }
    munmap(bytes.baseAddress, bytes.count)
  }
}
