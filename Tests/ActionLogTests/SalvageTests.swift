import Foundation
import LogSimulation
import Testing

@testable import ActionLog

/// Writing what is good of a log to a new one.
@Suite struct SalvageTests {
  private func options() -> LogOptions {
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.syncPolicy = .none
    return options
  }

  /// Three runs, the second with a cut, the last killed.
  private func log() throws -> MemoryFileSystem {
    let disk = MemoryFileSystem()
    for run in 1...3 {
      let writer = try LogWriter(at: "/x", options: options(), fileSystem: disk)
      for number in 1...60 {
        try writer.append(
          .action, stream: UInt16(number % 3), payload: payload(number + 100 * run, 60))
        if run == 2, number == 30 {
          writer.cut(next: {
            SegmentCut(
              [PreambleRecord(kind: .state, stream: 0, payload: payload(7, 90))], isComplete: true)
          })
        }
      }
      if run == 3 {
        let killed = disk.copyAfterKill()
        try writer.close()
        return killed
      }
      try writer.close()
    }
    return disk
  }

  @Test func aGoodLogIsWrittenWholeWithItsRunsAndSegments() throws {
    let disk = try log()
    let files = disk.paths.map { disk.contents($0) }
    let result = try salvageLog(at: "/x", to: "/y", fileSystem: disk)
    #expect(!result.hasLoss)
    #expect(result.records == 180)
    #expect(result.lost.isEmpty && result.gaps.isEmpty)
    // The old one is as it was.
    #expect(disk.paths.filter { $0.hasPrefix("/x") }.map { disk.contents($0) } == files)
    let old = try LogReader(at: "/x", fileSystem: disk)
    let new = try LogReader(at: "/y", mode: .strict, fileSystem: disk)
    #expect(try new.all() == old.all())
    #expect(try new.verify().isGood)
    #expect(new.summary.runs.map(\.firstSequence) == old.summary.runs.map(\.firstSequence))
    #expect(new.summary.runs.map(\.endedCleanly) == [false, false, false])
    #expect(new.summary.segments.map(\.startsRun) == [true, true, false, true])
    #expect(new.summary.segments.map(\.isComplete) == [false, false, true, false])
    #expect(
      try new.preamble(of: new.summary.segments[2]) == [
        PreambleRecord(kind: .state, stream: 0, payload: payload(7, 90))
      ])
    // It can be recorded into.
    let writer = try LogWriter(at: "/y", fileSystem: disk)
    #expect(writer.run == 4)
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
  }

  @Test func whatIsLostIsToldAndTheRestIsThere() throws {
    let disk = try log()
    let path = "/x/00000000000000000001.segment"
    var bytes = try #require(disk.contents(path))
    let blocks = try LogReader(at: "/x", fileSystem: disk).blocks
    let lost = blocks[1].firstSequence...blocks[1].firstSequence + UInt64(blocks[1].count) - 1
    bytes[192 + blocks[0].storedSize + 100] ^= 4
    disk.put(path, bytes)
    let result = try salvageLog(at: "/x", to: "/y", fileSystem: disk)
    #expect(result.hasLoss)
    #expect(result.lost == [lost])
    #expect(result.records == 180 - UInt64(lost.count))
    let new = try LogReader(at: "/y", mode: .salvage, fileSystem: disk)
    #expect(try new.all().map(\.sequence) == (1...180).filter { !lost.contains($0) })
    // From now on the log knows of it.
    #expect(new.summary.gaps == [LogGap(sequences: lost, dropped: 0, cause: 0)])
    #expect(try new.verify().isGood)
    let again = try salvageLog(at: "/y", to: "/z", fileSystem: disk)
    #expect(!again.hasLoss)
    #expect(again.gaps.map(\.sequences) == [lost])
    #expect(again.records == result.records)
  }

  @Test func aLostFirstBlockOfASegmentTakesWhatItRestatesAlong() throws {
    let disk = try log()
    let summary = try LogReader(at: "/x", fileSystem: disk).summary
    let segment = summary.segments[2]
    #expect(segment.hasPreamble)
    var bytes = try #require(disk.contents(segment.path))
    let blocks = try LogReader(at: "/x", fileSystem: disk).blocks
    let preamble = try #require(blocks.first { $0.isPreamble })
    bytes[192 + preamble.storedSize + 100] ^= 4
    disk.put(segment.path, bytes)
    let result = try salvageLog(at: "/x", to: "/y", fileSystem: disk)
    #expect(result.lost.first?.lowerBound == segment.firstSequence)
    let new = try LogReader(at: "/y", mode: .salvage, fileSystem: disk)
    #expect(new.summary.segments.allSatisfy { !$0.hasPreamble })
    #expect(new.summary.gaps.count == 1)
  }

  @Test func nothingIsWrittenOverSomething() throws {
    let disk = try log()
    #expect(
      logError { _ = try salvageLog(at: "/x", to: "/x", fileSystem: disk) }
        == LogError(
          .invalidArgument,
          """
          There is something at "/x" already. Name a path that is not there yet: a log is never \
          written over another.
          """, path: "/x", errno: EEXIST))
    #expect(
      logError { _ = try salvageLog(at: "/none", to: "/y", fileSystem: disk) }?.code == .notFound)
  }

  /// A disk that loses a bit of what is written to it.
  @Test func whatRecoveryWroteIsReadAgain() throws {
    final class Forgetful: FileSystem {
      let base: MemoryFileSystem
      init(_ base: MemoryFileSystem) { self.base = base }
      func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
        if mode == .read, path.hasPrefix("/y"), path.hasSuffix("001.segment") {
          var bytes = base.contents(path) ?? []
          if bytes.count > 400 { bytes[300] ^= 1 }
          base.put(path, bytes)
        }
        return try base.open(path, mode)
      }
      func makeDirectory(_ path: String) throws(FileError) { try base.makeDirectory(path) }
      func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
      func type(of path: String) throws(FileError) -> FileType { try base.type(of: path) }
      func rename(_ path: String, to target: String) throws(FileError) {
        try base.rename(path, to: target)
      }
      func unlink(_ path: String) throws(FileError) { try base.unlink(path) }
      func syncDirectory(_ path: String) throws(FileError) {}
    }
    let disk = Forgetful(try log())
    #expect(
      logError { _ = try salvageLog(at: "/x", to: "/y", fileSystem: disk) }
        == LogError(
          .damaged,
          """
          What was written to "/y" is not what is read from it. Check the disk that it is on, and \
          write to another one.
          """, path: "/y"))
  }
}
