/// A failed call of the file system.
public struct FileError: Error, Hashable, Sendable {
  /// What was called, as a verb: `open`, `write`, `sync`.
  public var operation: String
  public var path: String
  /// The system's error number.
  public var number: Int32

  public init(_ operation: String, _ path: String, _ number: Int32) {
    self.operation = operation
    self.path = path
    self.number = number
  }
}

/// How a file is opened.
public enum OpenMode: Hashable, Sendable {
  /// For reading; it must be there.
  case read
  /// For reading and writing; it must be there.
  case write
  /// For reading and writing; it is made, and must not be there.
  case create
  /// For reading and writing; it is made when it is not there.
  case openOrCreate
}

/// What is at a path.
public enum FileType: Hashable, Sendable {
  case file, directory, other
}

/// Memory that is a file's content; unmapped when the last reference goes.
public protocol MappedMemory: AnyObject, Sendable {
  var bytes: UnsafeMutableRawBufferPointer { get }
}

/// An open file.
public protocol OpenFile: AnyObject, Sendable {
  var path: String { get }
  /// Reads at most as many bytes as fit; fewer are read at the end of the file, and may be before.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  /// Says that bytes are about to be read, so that a slow disk begins at once; it does not wait.
  func expectRead(of count: Int, at offset: UInt64)
  /// Writes some of the bytes and returns how many.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  /// Gives the file this size with its space reserved, so that no later write lacks space.
  func allocate(_ size: Int) throws(FileError)
  /// Maps the first `size` bytes, shared with the file and not inherited by a forked child.
  func map(_ size: Int) throws(FileError) -> any MappedMemory
  /// Returns once what was written is safe against a loss of power.
  func sync() throws(FileError)
  func size() throws(FileError) -> UInt64
  /// Takes the one writer's lock without waiting; false when another holds it.
  func lock() throws(FileError) -> Bool
  /// Whether someone holds the writer's lock; nil when the system cannot tell.
  func isLocked() -> Bool?
  /// Closes the file, and gives up its lock.
  func close()
}

/// The calls that the log makes; behind a protocol so that tests can be the disk.
public protocol FileSystem: Sendable {
  func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile
  /// Makes a directory that only its owner may enter.
  func makeDirectory(_ path: String) throws(FileError)
  /// The names in a directory, in no order.
  func list(_ path: String) throws(FileError) -> [String]
  func type(of path: String) throws(FileError) -> FileType
  /// Renames within a file system; a file that has the target's name already is replaced at once.
  func rename(_ path: String, to target: String) throws(FileError)
  func unlink(_ path: String) throws(FileError)
  /// Returns once names made and removed in the directory are safe against a loss of power.
  func syncDirectory(_ path: String) throws(FileError)
  /// Whether memory that is mapped from an allocated file in this directory can always be
  /// written: where it can't, a full disk would end the process.
  func isMappingSafe(in path: String) -> Bool
}

extension FileSystem {
  public func isMappingSafe(in path: String) -> Bool { true }
}

extension OpenFile {
  /// Does nothing, as where all is in memory.
  public func expectRead(of count: Int, at offset: UInt64) {}

  /// Reads up to `buffer.count` bytes, calling as often as needed; fewer only at the file's end.
  package func readFully(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try read(into: rest, at: offset + UInt64(done))
      if count <= 0 { break }
      done += count
    }
    return done
  }

  /// Writes all the bytes, calling as often as needed.
  package func writeFully(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try write(rest, at: offset + UInt64(done))
      // A call that neither writes nor fails would be repeated for ever.
      if count <= 0 { throw FileError("write", path, 5) }
      done += count
    }
  }

  package func writeFully(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
    var failure: FileError?
    bytes.withUnsafeBytes { buffer in
      do throws(FileError) {
        try writeFully(buffer, at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  package func readBytes(_ count: Int, at offset: UInt64) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(FileError) {
        initialized = try readFully(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
