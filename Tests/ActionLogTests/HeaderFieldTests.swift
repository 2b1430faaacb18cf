import LogSimulation
import Testing

@testable import ActionLog

/// Every number of every header, at its bounds, under a checksum that is right.
@Suite struct HeaderFieldTests {
  private let segment = "/x/00000000000000000001.segment"
  private let tail = "/x/0000000001.tail"

  /// A run that is closed, and one that was killed.
  private func log() throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.initialTailSize = 4 << 10
    options.syncPolicy = .none
    let first = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...20 { try first.append(.action, stream: 0, payload: payload(number, 20)) }
    try first.close()
    let second = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...5 { try second.append(.action, stream: 0, payload: payload(number, 20)) }
    second.setInFlight(stream: 0, action: 5)
    let killed = disk.copyAfterKill()
    try second.close()
    return killed
  }

  /// Whatever a number says, what reads the log ends, with or without an error.
  private func use(_ disk: MemoryFileSystem) throws {
    for mode in [ReadMode.salvage, .tolerateTail] {
      guard let reader = try? LogReader(at: "/x", mode: mode, fileSystem: disk) else { continue }
      _ = try? reader.all()
      _ = try? reader.verify()
      let summary = reader.summary
      _ = summary.records
      _ = reader.blocks
      for segment in summary.segments { _ = try? reader.preamble(of: segment) }
    }
    let copy = disk.copyAfterKill()
    guard let writer = try? LogWriter(at: "/x", fileSystem: copy) else { return }
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
    #expect(try LogReader(at: "/x", mode: .salvage, fileSystem: copy).all().last?.kind == .note)
  }

  private func mutate(
    _ path: String, _ fields: [(offset: Int, size: Int)], _ repair: (inout [UInt8]) -> Void
  ) throws {
    let disk = try log()
    let whole = try #require(disk.contents(path))
    for field in fields {
      for value in [0, UInt64.max, UInt64.max - 1, UInt64(Int64.max), 1 << 62] {
        var bytes = whole
        let start = field.offset < 0 ? bytes.count + field.offset : field.offset
        for index in 0..<field.size {
          bytes[start + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
        }
        repair(&bytes)
        disk.put(path, bytes)
        try use(disk)
      }
    }
  }

  /// Makes the checksum of a twofold header right, and its second copy the same.
  private func repairHeader(_ size: Int) -> (inout [UInt8]) -> Void {
    { bytes in
      bytes.set(checksum(0, bytes[..<(size - 4)]), at: size - 4)
      for index in 0..<size { bytes[size + index] = bytes[index] }
    }
  }

  @Test func noNumberOfASegmentHeaderIsATrap() throws {
    let fields = [
      (8, 2), (12, 4), (16, 4), (20, 4), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8),
    ]
    try mutate(segment, fields, repairHeader(96))
  }

  @Test func noNumberOfATailHeaderIsATrap() throws {
    let fields = [(8, 2), (12, 4), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4)]
    try mutate(tail, fields, repairHeader(64))
  }

  @Test func noNumberOfALiveFileIsATrap() throws {
    let fields = [(8, 2), (12, 4), (16, 4), (20, 8), (128, 8), (136, 8), (4088, 8)]
    try mutate("/x/live", fields) { $0.set(checksum(0, $0[..<28]), at: 28) }
  }

  @Test(arguments: [true, false])
  func noNumberOfABlockHeaderIsATrap(_ hasIndex: Bool) throws {
    let fields = [
      (10, 1), (11, 1), (12, 2), (14, 2), (16, 4), (20, 4), (24, 8), (32, 4), (36, 4), (40, 8),
      (48, 8), (56, 4), (64, 2), (68, 4),
    ].map { (offset: 192 + $0.0, size: $0.1) }
    try mutate(segment, fields) { bytes in
      let seed = Self.seed(bytes)
      bytes.set(checksum(seed, bytes[200..<264]), at: 196)
      // The index has the header again, behind the footer's own 32 bytes and its offset.
      let footer = bytes.count - 24 - 32 - 8 - 72
      if hasIndex {
        for index in 0..<72 { bytes[footer + 40 + index] = bytes[192 + index] }
        bytes.set(checksum(seed, bytes[(footer + 8)..<(bytes.count - 24)]), at: footer + 4)
      } else {
        bytes.removeLast(24)
      }
    }
  }

  @Test func noNumberOfAFooterIsATrap() throws {
    // From the end: the trailer, and before it the one block's header, its offset, the footer.
    let start = -(24 + 32 + 8 + 72)
    let fields = [(8, 4), (12, 4), (16, 4), (24, 8), (32, 8), (112, 8), (120, 4)]
      .map { (offset: start + $0.0, size: $0.1) }
    try mutate(segment, fields) { bytes in
      let seed = Self.seed(bytes)
      let size = bytes.count
      let footer = size + start
      bytes.set(checksum(seed, bytes[(footer + 8)..<(size - 24)]), at: footer + 4)
      bytes.set(checksum(seed, bytes[(size - 24)..<(size - 4)]), at: size - 4)
    }
  }

  private static func seed(_ segment: [UInt8]) -> UInt32 {
    segment.withUnsafeBytes { ActionLog.seed(of: $0.number(UInt64.self, at: 24)) }
  }

  @Test func aHeaderThatSaysWhatCannotBeIsDamaged() throws {
    let disk = try log()
    var bytes = try #require(disk.contents(tail))
    bytes.set(UInt64.max, at: 24)
    repairHeader(64)(&bytes)
    disk.put(tail, bytes)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(
      reader.summary.damage.map(\.description) == [
        "\(tail) at byte 0: the tail's header is damaged"
      ])
    #expect(reader.summary.damage.map(\.effect) == [.loss])
    #expect(try reader.all().count == 20)
    var other = try #require(disk.contents(segment))
    other.set(UInt32.max, at: 40)
    repairHeader(96)(&other)
    disk.put(segment, other)
    #expect(
      try LogReader(at: "/x", fileSystem: disk).summary.damage.map(\.description).last
        == "\(segment) at byte 0: this is no segment, or its header is damaged: nothing in it can "
        + "be read")
  }

  @Test func versionZeroIsNotNewer() throws {
    let disk = try log()
    var bytes = try #require(disk.contents(tail))
    bytes.set(UInt16(0), at: 8)
    repairHeader(64)(&bytes)
    disk.put(tail, bytes)
    let reader = try LogReader(at: "/x", fileSystem: disk)
    #expect(reader.summary.damage.map(\.message) == ["the tail's header is damaged"])
  }

  @Test func behindTheLastRunThereIsNoOther() throws {
    let disk = try log()
    var bytes = try #require(disk.contents(tail))
    bytes.set(UInt32.max - 1, at: 40)
    repairHeader(64)(&bytes)
    disk.put(tail, bytes)
    let before = disk.paths
    let error = logError { _ = try LogWriter(at: "/x", fileSystem: disk) }
    #expect(error?.code == .outOfRange)
    #expect(
      error?.message == """
        The log "/x" ends with run 4294967294 and record 25, behind which the format has no room \
        for another run. Record to another path.
        """)
    #expect(disk.paths == before)
    #expect(try LogReader(at: "/x", fileSystem: disk).all().count == 25)
  }
}
