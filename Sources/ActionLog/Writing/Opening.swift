internal import CActionLog
internal import Glibc

/// What opening a log for writing comes to: the lock, and where to go on.
struct Opening {
  var lock: any OpenFile
  var run: UInt32
  var nextSequence: UInt64
  var nextOrdinal: UInt32
  /// Whether there is no segment yet, so that the directory's own name may not be safe.
  var isNew: Bool
  /// Records that are lost, right before `nextSequence`.
  var gap: SegmentHeader.Gap?
  var report: OpeningReport

  /// Makes the directory when there is none, takes the lock, and recovers what the run before
  /// left behind.
  static func open(
    _ path: String, options: LogOptions, fileSystem: any FileSystem
  ) throws(LogError) -> Opening {
    try options.check()
    if path.isEmpty { throw .emptyPath }
    try enterDirectory(path, fileSystem)
    let lock = try takeLock(path, fileSystem)
    do throws(LogError) {
      var recovery = Recovery(directory: path, fileSystem: fileSystem, options: options)
      return try recovery.recover(lock: lock)
    } catch {
      lock.close()
      throw error
    }
  }

  private static func enterDirectory(
    _ path: String, _ fileSystem: any FileSystem
  ) throws(LogError) {
    let type: FileType
    do throws(FileError) {
      type = try fileSystem.type(of: path)
    } catch {
      guard error.number == ENOENT else {
        throw LogError(error, doing: "The log \"\(path)\" cannot be opened")
      }
      return try makeDirectory(path, fileSystem)
    }
    guard type == .directory else { throw .notADirectory(path) }
    let names: [String]
    do throws(FileError) {
      names = try fileSystem.list(path)
    } catch {
      throw LogError(error, doing: "The log \"\(path)\" cannot be opened")
    }
    if !names.isEmpty && !names.contains(where: FileName.isOfLog) {
      throw LogError(
        .notALog,
        """
        "\(path)" is a directory with other files in it. A log needs a directory of its own: \
        choose a path that is not there yet, such as \(join(path, "session.retrace")).
        """, path: path)
    }
  }

  private static func makeDirectory(
    _ path: String, _ fileSystem: any FileSystem
  ) throws(LogError) {
    do throws(FileError) {
      try fileSystem.makeDirectory(path)
    } catch {
      if error.number == ENOENT {
        throw LogError(
          .notFound,
          """
          The log "\(path)" cannot be made: the directory that it is to lie in does not exist. \
          Make that directory first, or choose another path.
          """, path: path, errno: error.number)
      }
      throw LogError(error, doing: "The log \"\(path)\" cannot be made")
    }
  }

  /// Throws unless there is a log at the path.
  static func checkIsLog(_ path: String, _ fileSystem: any FileSystem) throws(LogError) {
    var indexing = LogIndexing(directory: path, fileSystem: fileSystem)
    try indexing.checkSubstance()
  }

  static func takeLock(
    _ path: String, _ fileSystem: any FileSystem
  ) throws(LogError) -> any OpenFile {
    let holder: UInt32?
    do throws(FileError) {
      let file = try fileSystem.open(join(path, FileName.lock), .openOrCreate)
      if try file.lock() {
        try file.writeFully(WriterLock.text(UInt32(bitPattern: getpid())), at: 0)
        return file
      }
      holder = try WriterLock.process(file)
      file.close()
    } catch {
      throw LogError(error, doing: "The log \"\(path)\" cannot be opened for writing")
    }
    let name = holder.map { "process \($0)" } ?? "another process"
    throw LogError(
      .locked,
      """
      The log "\(path)" is being written by \(name), and only one program can write a log at a \
      time. Wait until it ends, or record to another path.
      """, path: path)
  }
}

/// The text in the lock's file: the process that holds it.
enum WriterLock {
  /// Always as long, so that no earlier text shows behind it.
  static func text(_ process: UInt32) -> [UInt8] {
    let number = String(process)
    let spaces = String(repeating: " ", count: max(0, 10 - number.utf8.count))
    return Array((number + spaces + "\n").utf8)
  }

  static func process(_ file: any OpenFile) throws(FileError) -> UInt32? {
    let bytes = try file.readBytes(16, at: 0)
    return UInt32(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
  }
}
