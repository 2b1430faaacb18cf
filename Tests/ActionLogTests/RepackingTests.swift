import Foundation
import LogSimulation
import Testing

@testable import ActionLog

/// Segments that are packed again in the background.
@Suite struct RepackingTests {
  /// A closed log with a preamble, blocks that were stored as they are and a record of its own block.
  private func log() throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.syncPolicy = .none
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    for number in 1...300 {
      let text = Array("the state of item \(number % 7) was changed, as it was before".utf8)
      try writer.append(.action, stream: UInt16(number % 3), payload: text)
      if number == 150 {
        writer.cut(next: {
          SegmentCut(
            [PreambleRecord(kind: .state, stream: 0, payload: payload(1, 3000))], isComplete: true)
        })
        try writer.append(.state, stream: 1, payload: payload(9, 20_000))
      }
    }
    try writer.close()
    return disk
  }

  private func repack(_ disk: MemoryFileSystem) throws -> Int {
    let repacking = Repacking(directory: "/x", fileSystem: disk, blockSize: 64 << 10)
    var count = 0
    for segment in try Pruning.survey("/x", disk) {
      if let packed = try repacking.pack(segment.name, isStopped: { false }) {
        repacking.place(packed)
        count += 1
      }
    }
    return count
  }

  @Test func aRepackedLogHoldsTheSameAndIsSmaller() throws {
    let disk = try log()
    let before = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    let records = try before.all()
    let preamble = try before.preamble(of: before.summary.segments[1])
    #expect(try repack(disk) == 2)
    let after = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    #expect(try after.all() == records)
    #expect(try after.verify().isGood)
    #expect(try after.preamble(of: after.summary.segments[1]) == preamble)
    #expect(after.summary.segmentBytes < before.summary.segmentBytes)
    #expect(after.summary.segments.map(\.isRepacked) == [true, true])
    #expect(after.summary.segments.map(\.isComplete) == [false, true])
    #expect(after.summary.segments.map(\.startsRun) == [true, false])
    #expect(after.summary.runs == before.summary.runs)
    #expect(!disk.paths.contains { $0.hasSuffix(".packing") })
    // Times are the same, too.
    var (old, new) = (before.cursor(), after.cursor())
    while let record = try new.next() { #expect(try old.next()?.time == record.time) }
  }

  @Test func aReaderOfTheOldFileGoesOn() throws {
    let disk = try log()
    let expected = try LogReader(at: "/x", fileSystem: disk).all()
    let reader = try LogReader(at: "/x", fileSystem: disk)
    var cursor = reader.cursor()
    var records: [Kept] = []
    for _ in 1...10 { records.append(Kept(try #require(try cursor.next()))) }
    #expect(try repack(disk) == 2)
    while let record = try cursor.next() { records.append(Kept(record)) }
    #expect(records == expected)
    // One that had looked at the directory before, and reads only now.
    #expect(try LogReader(at: "/x", fileSystem: disk).all() == expected)
    #expect(try reader.verify().isGood)
  }

  /// The other cursor's looking again does not leave this one with a file that fits no index.
  @Test func twoCursorsOfOneReaderGoOn() throws {
    let disk = try log()
    let expected = try LogReader(at: "/x", fileSystem: disk).all()
    let reader = try LogReader(at: "/x", fileSystem: disk)
    var cursor = reader.cursor()
    var records: [Kept] = []
    for _ in 1...10 { records.append(Kept(try #require(try cursor.next()))) }
    #expect(try repack(disk) == 2)
    // As if many other segments had been read meanwhile.
    reader.openSegments.keep(only: [])
    #expect(try reader.all() == expected)
    while let record = try cursor.next() { records.append(Kept(record)) }
    #expect(records == expected)
  }

  @Test func damageIsNotPackedAway() throws {
    let disk = try log()
    let path = "/x/00000000000000000001.segment"
    var bytes = try #require(disk.contents(path))
    bytes[192 + 100] ^= 1
    disk.put(path, bytes)
    #expect(try repack(disk) == 1)
    #expect(disk.contents(path) == bytes)
  }

  @Test func whatAKillLeavesOfItIsRemoved() throws {
    let disk = try log()
    let expected = try LogReader(at: "/x", fileSystem: disk).all()
    disk.put("/x/00000000000000000001.packing", payload(1, 500))
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: disk).all() == expected)
    try LogWriter(at: "/x", fileSystem: disk).close()
    #expect(!disk.paths.contains { $0.hasSuffix(".packing") })
  }

  @Test func aWriterPacksItsFinishedSegments() throws {
    try onEachFileSystem { disk, path in
      var options = LogOptions()
      options.blockSize = 1 << 10
      options.syncPolicy = .none
      options.repacksColdSegments = true
      let writer = try LogWriter(at: path, options: options, fileSystem: disk)
      for number in 1...400 {
        let text = Array("the state of item \(number % 7) was changed, as it was before".utf8)
        try writer.append(.action, stream: 0, payload: text)
        if number % 100 == 0 {
          writer.cut { [PreambleRecord(kind: .state, stream: 0, payload: [1])] }
          try writer.flush()
        }
      }
      // It has all the time it needs.
      var isDone = false
      while !isDone {
        isDone =
          try LogReader(at: path, fileSystem: disk).summary.segments.first?.isRepacked == true
        if !isDone { usleep(2000) }
      }
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: disk)
      #expect(try reader.all().count == 400)
      #expect(try reader.verify().isGood)
      let names = try disk.list(path)
      #expect(names.allSatisfy { $0.hasSuffix(".segment") || $0 == "lock" })
    }
  }
}
