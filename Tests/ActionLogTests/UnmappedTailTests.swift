import Foundation
import LogSimulation
import Testing

@testable import ActionLog

/// File systems where a mapped file can't always be written: tails are written by calls there.
@Suite struct UnmappedTailTests {
  private final class Copying: FileSystem {
    let base: any FileSystem
    init(_ base: any FileSystem) { self.base = base }
    func open(_ path: String, _ mode: OpenMode) throws(FileError) -> any OpenFile {
      Unmapped(try base.open(path, mode))
    }
    func makeDirectory(_ path: String) throws(FileError) { try base.makeDirectory(path) }
    func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
    func type(of path: String) throws(FileError) -> FileType { try base.type(of: path) }
    func rename(_ path: String, to target: String) throws(FileError) {
      try base.rename(path, to: target)
    }
    func unlink(_ path: String) throws(FileError) { try base.unlink(path) }
    func syncDirectory(_ path: String) throws(FileError) { try base.syncDirectory(path) }
    func isMappingSafe(in path: String) -> Bool { false }
  }

  private final class Unmapped: OpenFile {
    let base: any OpenFile
    init(_ base: any OpenFile) { self.base = base }
    var path: String { base.path }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError)
      -> Int
    {
      try base.read(into: buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
      try base.write(bytes, at: offset)
    }
    func allocate(_ size: Int) throws(FileError) { try base.allocate(size) }
    func map(_ size: Int) throws(FileError) -> any MappedMemory {
      Issue.record("a file was mapped")
      throw FileError("map", path, ENODEV)
    }
    func sync() throws(FileError) { try base.sync() }
    func size() throws(FileError) -> UInt64 { try base.size() }
    func lock() throws(FileError) -> Bool { try base.lock() }
    func isLocked() -> Bool? { base.isLocked() }
    func close() { base.close() }
  }

  private func options(_ policy: SyncPolicy = .none) -> LogOptions {
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.initialTailSize = 4 << 10
    options.maximumTailSize = 16 << 10
    options.syncPolicy = policy
    return options
  }

  @Test func everyRecordIsInTheFileWhenAppendReturns() throws {
    let memory = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options(), fileSystem: Copying(memory))
    for number in 1...300 {
      try writer.append(.action, stream: 0, payload: payload(number, number % 200))
      if number % 30 == 0 {
        let killed = memory.copyAfterKill()
        let records = try LogReader(at: "/x", mode: .strict, fileSystem: killed).all()
        #expect(records.map(\.payload) == (1...number).map { payload($0, $0 % 200) })
      }
    }
    writer.setInFlight(stream: 3, action: 300)
    let killed = memory.copyAfterKill()
    #expect(
      try LogReader(at: "/x", fileSystem: killed).summary.inFlight
        == InFlight(run: 1, stream: 3, action: 300))
    writer.clearInFlight(stream: 3)
    let later = memory.copyAfterKill()
    #expect(try LogReader(at: "/x", fileSystem: later).summary.inFlight == nil)
    try writer.close()
    #expect(try LogReader(at: "/x", mode: .strict, fileSystem: memory).all().count == 300)
    let next = try LogWriter(at: "/x", fileSystem: Copying(killed))
    #expect(next.firstSequence == 302)
    try next.close()
  }

  @Test(arguments: [SyncPolicy.none, .group, .each, .interval(milliseconds: 1)])
  func threadsAppendWithoutAMapping(_ policy: SyncPolicy) throws {
    let memory = MemoryFileSystem()
    let writer = try LogWriter(at: "/x", options: options(policy), fileSystem: Copying(memory))
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      for number in 1...200 {
        _ = try? writer.append(.action, stream: UInt16(thread), payload: payload(number, 70))
      }
    }
    let killed = memory.copyAfterKill()
    try writer.close()
    for disk in [memory, killed] {
      let records = try LogReader(at: "/x", mode: .strict, fileSystem: disk).all()
      for thread in 0..<3 {
        #expect(
          records.filter { $0.stream == UInt16(thread) }.map(\.payload)
            == (1...200).map { payload($0, 70) })
      }
    }
  }

  @Test func aFullDiskIsSurvivedWithoutAMapping() throws {
    let disk = FaultyFileSystem()
    let writer = try LogWriter(at: "/x", options: options(), fileSystem: Copying(disk))
    for number in 1...10 { try writer.append(.action, stream: 0, payload: payload(number, 50)) }
    disk.change { $0.space = 0 }
    for number in 11...500 { try writer.append(.action, stream: 0, payload: payload(number, 50)) }
    disk.change { $0.space = .max }
    while logError({ try writer.flush() }) != nil {}
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
    #expect(writer.statistics.dropped > 0)
    let reader = try LogReader(at: "/x", mode: .salvage, fileSystem: disk)
    let records = try reader.all()
    #expect(records.prefix(10).map(\.payload) == (1...10).map { payload($0, 50) })
    #expect(records.contains { $0.kind == .gap }, "\(records.suffix(4)) \(writer.statistics)")
    #expect(records.last?.kind == .note)
  }

  @Test func theMachinesFileSystemSaysWhichItIs() throws {
    try inTemporaryDirectory { place in
      #expect(PosixFileSystem().isMappingSafe(in: place))
      #expect(PosixFileSystem().isMappingSafe(in: place + "/none"))
    }
  }
}
