import ActionLog
import CActionLog
import Foundation
import LogSimulation
import Testing

/// Failure texts are what people search for: each is tested word for word.
@Suite struct BadInputTests {
  @Test func readingAMissingDirectory() throws {
    try inTemporaryDirectory { place in
      let path = place + "/none.retrace"
      let error = logError { _ = try LogReader(at: path) }
      #expect(error?.code == .notFound)
      #expect(
        error?.message
          == "There is no log at \"\(path)\": the path does not exist. Check the path.")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func anEmptyPathIsRefused() {
    let text = "The path of the log is empty. Name the directory of a log, such as session.retrace."
    let fileSystem = MemoryFileSystem()
    #expect(logError { _ = try LogReader(at: "", fileSystem: fileSystem) }?.message == text)
    #expect(logError { _ = try LogWriter(at: "", fileSystem: fileSystem) }?.message == text)
  }

  @Test func readingAnEmptyDirectory() throws {
    try inTemporaryDirectory { place in
      let error = logError { _ = try LogReader(at: place) }
      #expect(error?.code == .empty)
      #expect(
        error?.message == """
          "\(place)" holds no log: there is no segment and no tail in it. Check the path; a log is \
          the directory that a program was told to record to.
          """)
      let left = try FileManager.default.contentsOfDirectory(atPath: place)
      #expect(left.isEmpty)
    }
  }

  @Test func readingAFile() throws {
    try inTemporaryDirectory { place in
      let path = place + "/file"
      try Data("text".utf8).write(to: URL(fileURLWithPath: path))
      for open in [
        { _ = try LogReader(at: path) }, { _ = try LogWriter(at: path) },
      ] as [() throws -> Void] {
        let error = logError(open)
        #expect(error?.code == .notALog)
        #expect(
          error?.message
            == "\"\(path)\" is a file, and a log is a directory, such as session.retrace. Check the "
            + "path.")
      }
    }
  }

  @Test func writingWhereTheParentIsMissing() throws {
    try inTemporaryDirectory { place in
      let path = place + "/a/b.retrace"
      let error = logError { _ = try LogWriter(at: path) }
      #expect(error?.code == .notFound)
      #expect(
        error?.message == """
          The log "\(path)" cannot be made: the directory that it is to lie in does not exist. Make \
          that directory first, or choose another path.
          """)
    }
  }

  @Test func writingIntoADirectoryOfOtherFiles() throws {
    try inTemporaryDirectory { place in
      try Data("text".utf8).write(to: URL(fileURLWithPath: place + "/notes.txt"))
      let error = logError { _ = try LogWriter(at: place) }
      #expect(error?.code == .notALog)
      #expect(
        error?.message == """
          "\(place)" is a directory with other files in it. A log needs a directory of its own: \
          choose a path that is not there yet, such as \(place)/session.retrace.
          """)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["notes.txt"])
    }
  }

  @Test func aSegmentThatIsNone() throws {
    let fileSystem = MemoryFileSystem()
    try fileSystem.makeDirectory("/x")
    fileSystem.put("/x/00000000000000000001.segment", Array(repeating: 0x61, count: 5000))
    let reader = try LogReader(at: "/x", fileSystem: fileSystem)
    #expect(
      reader.summary.damage.map(\.description) == [
        "/x/00000000000000000001.segment at byte 0: this is no segment, or its header is damaged: "
          + "nothing in it can be read"
      ])
    let error = logError { _ = try LogReader(at: "/x", mode: .strict, fileSystem: fileSystem) }
    #expect(error?.code == .damaged)
    #expect(
      error?.message == """
        The log "/x" is damaged: /x/00000000000000000001.segment at byte 0: this is no segment, or \
        its header is damaged: nothing in it can be read. Open it without strict mode to read \
        what is good, or restore it from a backup.
        """)
  }

  @Test func aNewerVersion() throws {
    let fileSystem = MemoryFileSystem()
    try writeSmallLog(fileSystem)
    let path = "/x/00000000000000000001.segment"
    var bytes = try #require(fileSystem.contents(path))
    for copy in 0..<2 { bytes[96 * copy + 8] = 2 }
    fileSystem.put(path, bytes)
    for open in [
      { _ = try LogReader(at: "/x", fileSystem: fileSystem) },
      { _ = try LogWriter(at: "/x", fileSystem: fileSystem) },
    ] as [() throws -> Void] {
      let error = logError(open)
      #expect(error?.code == .newerFormat)
      #expect(
        error?.message == """
          "\(path)" was written with version 2 of the format, which this program does not know. \
          Open it with a newer version of the program.
          """)
    }
    #expect(fileSystem.contents(path) == bytes)
  }

  @Test func aFeatureThatIsNotKnown() throws {
    let fileSystem = MemoryFileSystem()
    try writeSmallLog(fileSystem)
    let path = "/x/00000000000000000001.segment"
    var bytes = try #require(fileSystem.contents(path))
    for copy in 0..<2 { setFeature(&bytes, at: 96 * copy, field: 20) }
    fileSystem.put(path, bytes)
    let error = logError { _ = try LogReader(at: "/x", fileSystem: fileSystem) }
    #expect(error?.code == .newerFormat)
    #expect(
      error?.message == """
        "\(path)" was written with feature bits 0x4 of the format, which this program does not \
        know. Open it with a newer version of the program.
        """)
  }

  @Test func aFeatureThatOnlyReadersMayIgnore() throws {
    let fileSystem = MemoryFileSystem()
    try writeSmallLog(fileSystem)
    let path = "/x/00000000000000000001.segment"
    var bytes = try #require(fileSystem.contents(path))
    for copy in 0..<2 { setFeature(&bytes, at: 96 * copy, field: 16) }
    fileSystem.put(path, bytes)
    #expect(try LogReader(at: "/x", fileSystem: fileSystem).all().count == 3)
    let error = logError { _ = try LogWriter(at: "/x", fileSystem: fileSystem) }
    #expect(error?.code == .newerFormat)
  }

  @Test func aSecondWriterIsToldWhoTheFirstIs() throws {
    try inTemporaryDirectory { place in
      let path = place + "/x.retrace"
      let writer = try LogWriter(at: path)
      let error = logError { _ = try LogWriter(at: path) }
      #expect(error?.code == .locked)
      #expect(
        error?.message == """
          The log "\(path)" is being written by process \(getpid()), and only one program can write \
          a log at a time. Wait until it ends, or record to another path.
          """)
      try writer.append(.note, stream: 0, payload: [1])
      try writer.close()
      let next = try LogWriter(at: path)
      #expect(next.run == 2)
      try next.close()
    }
  }

  @Test(arguments: [
    (EACCES, LogError.Code.permission, "Check the owner and the mode of the path."),
    (ENOSPC, .diskFull, "Free some space, or record to another disk."),
    (EIO, .system, "The disk failed: check it before you rely on it again."),
    (EMFILE, .system, "Close some files, or raise the limit with ulimit -n."),
  ])
  func whatTheSystemRefusesIsNamed(_ number: Int32, _ code: LogError.Code, _ advice: String) throws
  {
    let disk = FaultyFileSystem()
    disk.fail(.makeDirectory, 1, with: number)
    let error = logError { _ = try LogWriter(at: "/x", fileSystem: disk) }
    #expect(error?.code == code)
    #expect(error?.errno == number)
    let text = String(cString: strerror(number))
    #expect(
      error?.message == "The log \"/x\" cannot be made: \"/x\" can't be made: \(text). \(advice)")
  }

  @Test func kindZeroAndWrongCountsAreRefused() throws {
    let writer = try LogWriter(at: "/x", fileSystem: MemoryFileSystem())
    #expect(
      logError { try writer.append(RecordKind(rawValue: 0), stream: 0, payload: []) }?.message
        == "A record of kind 0 cannot be appended to /x: 0 marks skipped space. Use 1 to 255.")
    #expect(
      logError { try writer.append(.note, stream: 0) { $0.count + 1 } }?.message == """
        A body for /x says that it wrote 4097 bytes into memory for 4096. Return nil when the \
        bytes do not fit.
        """)
    #expect(logError { try writer.append(.note, stream: 0) { _ in -1 } }?.code == .invalidArgument)
    #expect(try writer.append(.note, stream: 0, payload: [1]) == 1)
    try writer.close()
  }

  @Test func appendingAfterCloseIsRefused() throws {
    let writer = try LogWriter(at: "/x", fileSystem: MemoryFileSystem())
    try writer.close()
    try writer.close()
    #expect(
      logError { try writer.append(.note, stream: 0, payload: [1]) }?.message
        == "The log \"/x\" was closed before. Append before closing it.")
    try writer.flush()
  }

  @Test func sizesOutOfRangeAreRefused() throws {
    var options = LogOptions()
    options.blockSize = 10
    #expect(
      logError { _ = try LogWriter(at: "/x", options: options, fileSystem: MemoryFileSystem()) }?
        .message == "blockSize is 10, and must be from 1024 to 4194304. Choose another value.")
  }

  @Test func seekingOutOfTheLog() throws {
    let fileSystem = MemoryFileSystem()
    try writeSmallLog(fileSystem)
    var cursor = try LogReader(at: "/x", fileSystem: fileSystem).cursor()
    #expect(
      logError { try cursor.seek(to: 9) }?.message
        == "The log \"/x\" has no record 9: it holds 1 to 3. Choose one of these.")
    #expect(logError { try cursor.seek(to: 0) }?.code == .outOfRange)
    try cursor.seek(to: 4)
    #expect(try cursor.next()?.sequence == nil)
    try cursor.seek(to: 2)
    #expect(try cursor.next()?.sequence == 2)
  }

  private func writeSmallLog(_ fileSystem: MemoryFileSystem) throws {
    let writer = try LogWriter(at: "/x", fileSystem: fileSystem)
    for number in 1...3 { try writer.append(.action, stream: 0, payload: payload(number, 9)) }
    try writer.close()
  }
}

/// Sets bit 2 of a header's feature field and makes its checksum right again.
private func setFeature(_ bytes: inout [UInt8], at start: Int, field: Int) {
  bytes[start + field] = 4
  let crc = al_crc32c(0, Array(bytes[start..<start + 92]), 92)
  for index in 0..<4 {
    bytes[start + 92 + index] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(index)))
  }
}
