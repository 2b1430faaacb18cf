import ActionCoding
import ActionLog
import ComposableArchitecture
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Retrace

/// Logs that could not be written for a while: what was recorded before and after can be replayed.
@MainActor
@Suite
struct SeekGapTests {
  let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private struct Recorded {
    var states: [Counter.State]
    var missing: ClosedRange<Int>
  }

  /// Records while the disk is full in between.
  private func record(at path: String) throws -> Recorded {
    let disk = SmallDisk()
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.initialTailSize = 4 << 10
    options.maximumTailSize = 8 << 10
    options.syncPolicy = .none
    options.failurePolicy = .dropOldest
    options.onFailure = { _ in }
    let recording = try Recording(
      at: path, options: options, checkpoints: .every(500, atOnce: true), fileSystem: disk)
    let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
    var states = [store.state]
    func send(_ count: Int) {
      for _ in 0..<count {
        store.send(.add(states.count &* 7_919 % 1_009))
        states.append(store.state)
      }
    }
    send(1_200)
    try recording.flush()
    disk.isFull.withLock { $0 = true }
    send(5_000)
    disk.isFull.withLock { $0 = false }
    // What was lost is told once the disk takes something again.
    for _ in 0..<200 {
      do {
        try recording.flush()
        break
      } catch {
        usleep(1_000)
      }
    }
    for _ in 0..<200 where !recording.writer.wantsCut { usleep(1_000) }
    #expect(recording.writer.wantsCut)
    send(1_300)
    try recording.close()
    let stream = try LogInspector(at: path).stream()
    #expect(stream.actionCount == states.count - 1)
    return Recorded(states: states, missing: try #require(stream.missingStates.first))
  }

  @Test func whatIsBehindAGapCanBeReached() throws {
    let path = self.folder.path("log.retrace")
    let recorded = try self.record(at: path)
    let missing = recorded.missing
    #expect(missing.lowerBound > 1_200)
    #expect(missing.upperBound < recorded.states.count - 1)
    let timeline = try Timeline(of: path) { Counter() }
    let last = recorded.states.count - 1
    for number in [
      0, 1, missing.lowerBound - 1, missing.upperBound + 1, missing.upperBound + 2, last, 600,
      missing.upperBound + 1, missing.lowerBound - 1, last - 1,
    ] {
      try timeline.move(to: number)
      #expect(timeline.state == recorded.states[number])
    }
    try timeline.move(to: missing.upperBound + 1)
    #expect(timeline.action == nil)
    try timeline.move(to: missing.upperBound + 2)
    #expect(timeline.action == .add((missing.upperBound + 2) &* 7_919 % 1_009))
  }

  @Test func whatIsInAGapIsSaidToBeMissing() throws {
    let path = self.folder.path("log.retrace")
    let recorded = try self.record(at: path)
    let missing = recorded.missing
    let timeline = try Timeline(of: path) { Counter() }
    try timeline.move(to: 7)
    for number in [missing.lowerBound, missing.upperBound] {
      let error = #expect(throws: ReplayError.self) { try timeline.move(to: number) }
      #expect(error?.code == .gap)
      #expect(error?.action == number)
      #expect(
        error?.message == """
          The states \(missing.lowerBound) to \(missing.upperBound) of 'Counter' are missing from \
          '\(path)', which could not be written for a while. It goes on with state \
          \(missing.upperBound + 1). Run 'retrace info' to see what is missing and why.
          """)
      #expect(timeline.position == 7)
      #expect(timeline.state == recorded.states[7])
    }
  }

  @Test func aReplayGoesOverAGap() throws {
    let path = self.folder.path("log.retrace")
    let recorded = try self.record(at: path)
    let timeline = try Timeline(of: path) { Counter() }
    let report = try timeline.replay { _ in }
    #expect(report.divergence == nil)
    #expect(report.missingCount == recorded.missing.count + 1)
    #expect(report.actionCount == recorded.states.count - 1 - report.missingCount)
    #expect(timeline.state == recorded.states.last)
    // The actions are listed with their numbers.
    let inspector = try LogInspector(at: path)
    var actions = inspector.actions(of: try inspector.stream())
    var numbers: [Int] = []
    while let action = try actions.next() { numbers.append(action.number) }
    let first = Array(1...recorded.missing.lowerBound - 1)
    #expect(numbers == first + Array(recorded.missing.upperBound + 2..<recorded.states.count))
  }

  @Test func aChangeThatMayLieInAGapIsNotGuessed() throws {
    let path = self.folder.path("log.retrace")
    let recorded = try self.record(at: path)
    let timeline = try Timeline(of: path) { Counter() }
    let last = recorded.states.count - 1
    #expect(
      try timeline.lastChange(of: RecordPath(parsing: "count"), upTo: last) { _ in }?.action
        == (recorded.states[last] == recorded.states[last - 1] ? last - 1 : last))
    let error = #expect(throws: ReplayError.self) {
      _ = try timeline.lastChange(of: RecordPath(parsing: "choice"), upTo: last) { _ in }
    }
    #expect(
      error?.message == """
        The value is the same since state \(recorded.missing.upperBound + 1) of 'Counter'. When it \
        was changed before can't be told: '\(path)' could not be written for a while after action \
        \(recorded.missing.lowerBound - 1).
        """)
  }
}

/// The machine's file system, on which there may be no room.
private final class SmallDisk: FileSystem {
  let isFull = Mutex(false)
  private let base = PosixFileSystem()

  func checkSpace(_ operation: String, _ path: String) throws(FileError) {
    if self.isFull.withLock({ $0 }) { throw FileError(operation, path, ENOSPC) }
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
    if mode == .create { try self.checkSpace("open", path) }
    return SmallFile(base: try self.base.open(path, mode), disk: self)
  }

  func makeDirectory(_ path: String) throws(FileError) { try self.base.makeDirectory(path) }
  func list(_ path: String) throws(FileError) -> [String] { try self.base.list(path) }
  func type(of path: String) throws(FileError) -> FileType { try self.base.type(of: path) }
  func rename(_ path: String, to target: String) throws(FileError) {
    try self.base.rename(path, to: target)
  }
  func unlink(_ path: String) throws(FileError) { try self.base.unlink(path) }
  func syncDirectory(_ path: String) throws(FileError) { try self.base.syncDirectory(path) }
  func isMappingSafe(in path: String) -> Bool { self.base.isMappingSafe(in: path) }
}

private final class SmallFile: OpenFile {
  private let base: any OpenFile
  private let disk: SmallDisk

  init(base: any OpenFile, disk: SmallDisk) {
    self.base = base
    self.disk = disk
  }

  var path: String { self.base.path }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileError) -> Int {
    try self.base.read(into: buffer, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    try self.disk.checkSpace("write", self.path)
    return try self.base.write(bytes, at: offset)
  }

  func allocate(_ size: Int) throws(FileError) {
    try self.disk.checkSpace("allocate", self.path)
    try self.base.allocate(size)
  }

  func map(_ size: Int) throws(FileError) -> any MappedMemory { try self.base.map(size) }
  func sync() throws(FileError) { try self.base.sync() }
  func size() throws(FileError) -> UInt64 { try self.base.size() }
  func lock() throws(FileError) -> Bool { try self.base.lock() }
  func isLocked() -> Bool? { self.base.isLocked() }
  func close() { self.base.close() }
}
