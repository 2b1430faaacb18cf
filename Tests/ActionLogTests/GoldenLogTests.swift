import Foundation
import LogSimulation
import Testing

@testable import ActionLog

/// Logs of every version of the format stay readable: each is kept with what must be read from it.
///
/// `ACTIONLOG_MAKE_FIXTURES=1` makes those that are not there yet; one that is there is never made
/// anew, since the point of it is that its bytes are old.
@Suite struct GoldenLogTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/logs").path

  /// What stands beside a log, as JSON.
  struct Twin: Codable, Equatable {
    struct Record: Codable, Equatable {
      var sequence: UInt64
      var run: UInt32
      var stream: UInt16
      var kind: UInt8
      var time: UInt64
      var payload: String
    }
    struct Run: Codable, Equatable {
      var number: UInt32
      var firstSequence: UInt64
      var lastSequence: UInt64
      var endedCleanly: Bool
      var inFlight: [String]
    }
    struct Damage: Codable, Equatable {
      var effect: String
      var file: String
      var offset: UInt64?
      var sequences: String?
      var message: String
    }

    /// The error that opening ends in, if it does.
    var error: String?
    var runs: [Run] = []
    /// What can be read in salvage mode, large payloads by their size alone.
    var records: [Record] = []
    var preambles: [[Record]] = []
    /// What a look at every byte finds.
    var damage: [Damage] = []
  }

  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { !$0.hasSuffix(".json") }.sorted()

  @Test(arguments: names)
  func goldenLogIsReadAsItsTwinSays(_ name: String) throws {
    let path = Self.folder + "/" + name
    let twin = try JSONDecoder().decode(
      Twin.self, from: Data(contentsOf: URL(fileURLWithPath: path + ".json")))
    let found = try read(path)
    #expect(found.error == twin.error)
    #expect(found.runs == twin.runs)
    #expect(found.records == twin.records)
    #expect(found.preambles == twin.preambles)
    #expect(found.damage == twin.damage)
  }

  @Test func thereAreGoldenLogs() {
    #expect(Self.names.count >= 10)
  }

  private func read(_ path: String) throws -> Twin {
    var twin = Twin()
    let reader: LogReader
    do throws(LogError) {
      reader = try LogReader(at: path, mode: .salvage)
    } catch {
      twin.error = error.message.replacingOccurrences(of: path, with: "LOG")
      return twin
    }
    let summary = reader.summary
    twin.runs = summary.runs.map { run in
      Twin.Run(
        number: run.number, firstSequence: run.firstSequence, lastSequence: run.lastSequence,
        endedCleanly: run.endedCleanly,
        inFlight: run.inFlight.map { "\($0.stream)/\($0.action)" })
    }
    var cursor = reader.cursor()
    while let record = try cursor.next() {
      twin.records.append(
        Twin.Record(
          sequence: record.sequence, run: record.run, stream: record.stream,
          kind: record.kind.rawValue, time: record.time, payload: text(Array(record.payload))))
    }
    for segment in summary.segments where segment.hasPreamble {
      let records = try reader.preamble(of: segment)
      twin.preambles.append(
        records.map { record in
          Twin.Record(
            sequence: 0, run: segment.run, stream: record.stream, kind: record.kind.rawValue,
            time: 0, payload: text(record.payload))
        })
    }
    twin.damage = try reader.verify().damage.map { damage in
      Twin.Damage(
        effect: "\(damage.effect)", file: (damage.path as NSString).lastPathComponent,
        offset: damage.offset, sequences: damage.sequences.map { "\($0)" },
        message: damage.message)
    }
    return twin
  }

  private func text(_ payload: [UInt8]) -> String {
    if payload.count > 64 {
      let sum = payload.reduce(UInt64(14_695_981_039_346_656_037)) {
        ($0 ^ UInt64($1)) &* 1_099_511_628_211
      }
      return "\(payload.count) bytes, FNV-1a \(String(sum, radix: 16))"
    }
    return payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: Making them

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ACTIONLOG_MAKE_FIXTURES"] != nil))
  func makeWhatIsMissing() throws {
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    for (name, make) in makers {
      let path = Self.folder + "/" + name
      if FileManager.default.fileExists(atPath: path) { continue }
      let disk = MemoryFileSystem()
      let left = try make(disk)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for file in left.paths {
        let target = path + file.dropFirst("/x".count)
        try FileManager.default.createDirectory(
          atPath: (target as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true)
        try Data(left.contents(file) ?? []).write(to: URL(fileURLWithPath: target))
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      let twin = try encoder.encode(read(path)) + Data("\n".utf8)
      try twin.write(to: URL(fileURLWithPath: path + ".json"))
    }
  }

  private typealias Maker = (MemoryFileSystem) throws -> MemoryFileSystem

  private var options: LogOptions {
    var options = LogOptions()
    options.initialTailSize = 4 << 10
    options.blockSize = 1 << 10
    options.syncPolicy = .none
    return options
  }

  private func write(_ disk: MemoryFileSystem, actions: Int) throws {
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    try fill(writer, actions: actions)
    try writer.append(.close, stream: 0, payload: [])
    try writer.close()
  }

  private func fill(_ writer: LogWriter, actions: Int) throws {
    try writer.append(.open, stream: 0, payload: Array("editor".utf8))
    try writer.append(.state, stream: 0, payload: payload(1, 40))
    for number in 1...actions {
      try writer.append(
        .action, stream: UInt16(number % 3 == 0 ? 1 : 0), payload: payload(number, 24))
      if number % 4 == 0 {
        try writer.append(RecordKind(rawValue: 200), stream: 0, payload: [UInt8(number & 255)])
      }
    }
  }

  private func flip(_ disk: MemoryFileSystem, _ path: String, _ offset: Int) throws {
    var bytes = try #require(disk.contents(path))
    bytes[offset] ^= 0x10
    disk.put(path, bytes)
  }

  private let first = "/x/00000000000000000001.segment"

  private var makers: [(String, Maker)] {
    [
      (
        "v1-closed-one-run",
        { disk in
          try write(disk, actions: 10)
          return disk
        }
      ),
      (
        "v1-closed-three-runs",
        { disk in
          for run in 1...3 { try write(disk, actions: 4 * run) }
          return disk
        }
      ),
      (
        "v1-several-blocks",
        { disk in
          try write(disk, actions: 120)
          return disk
        }
      ),
      (
        "v1-large-state",
        { disk in
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try writer.append(.state, stream: 0) { buffer in
            guard buffer.count >= 200_000 else { return nil }
            for index in 0..<200_000 { buffer[index] = UInt8(index >> 8 & 0xff) }
            return 200_000
          }
          try writer.append(.action, stream: 0, payload: [1])
          try writer.close()
          return disk
        }
      ),
      (
        "v1-cut-with-preamble",
        { disk in
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try fill(writer, actions: 5)
          writer.cut {
            [
              PreambleRecord(kind: .open, stream: 0, payload: Array("editor".utf8)),
              PreambleRecord(kind: .state, stream: 0, payload: payload(5, 40)),
            ]
          }
          try writer.append(.action, stream: 0, payload: [6])
          try writer.close()
          return disk
        }
      ),
      (
        "v1-killed-in-an-action",
        { disk in
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try fill(writer, actions: 12)
          writer.setInFlight(stream: 0, action: 12)
          return disk.copyAfterKill()
        }
      ),
      (
        "v1-killed-and-recovered",
        { disk in
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try fill(writer, actions: 12)
          writer.setInFlight(stream: 0, action: 12)
          let left = disk.copyAfterKill()
          try write(left, actions: 3)
          return left
        }
      ),
      (
        "v1-without-index",
        { disk in
          try write(disk, actions: 120)
          let end =
            192
            + (try LogReader(at: "/x", fileSystem: disk)).blocks
            .reduce(0) { $0 + $1.storedSize }
          disk.put(first, Array(try #require(disk.contents(first))[..<end]))
          return disk
        }
      ),
      (
        "v1-corrupt-header-copy",
        { disk in
          try write(disk, actions: 10)
          try flip(disk, first, 30)
          return disk
        }
      ),
      (
        "v1-corrupt-block",
        { disk in
          try write(disk, actions: 120)
          let block = (try LogReader(at: "/x", fileSystem: disk)).blocks[0]
          try flip(disk, first, 192 + block.storedSize + 100)
          return disk
        }
      ),
      (
        "v1-corrupt-index",
        { disk in
          try write(disk, actions: 10)
          try flip(disk, first, try #require(disk.contents(first)).count - 40)
          return disk
        }
      ),
      (
        "v1-corrupt-truncated-segment",
        { disk in
          try write(disk, actions: 120)
          let bytes = try #require(disk.contents(first))
          disk.put(first, Array(bytes[..<(bytes.count / 2)]))
          return disk
        }
      ),
      (
        "v1-corrupt-missing-segment",
        { disk in
          for _ in 1...3 { try write(disk, actions: 5) }
          let segments = (try LogReader(at: "/x", fileSystem: disk)).summary.segments
          disk.remove(segments[1].path)
          return disk
        }
      ),
      (
        "v1-corrupt-torn-tail",
        { disk in
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try fill(writer, actions: 12)
          let left = disk.copyAfterKill()
          try flip(left, "/x/0000000001.tail", 128 + 400)
          return left
        }
      ),
      (
        "v1-gap-of-a-full-disk",
        { disk in
          let faulty = FaultyFileSystem(disk)
          var options = options
          options.maximumTailSize = 4 << 10
          let writer = try LogWriter(at: "/x", options: options, fileSystem: faulty)
          try fill(writer, actions: 12)
          try writer.flush()
          faulty.change { $0.space = 0 }
          for number in 1...400 {
            try writer.append(.action, stream: 0, payload: payload(number, 24))
          }
          faulty.change { $0.space = .max }
          while (try? writer.flush()) == nil {}
          writer.cut(next: {
            SegmentCut(
              [PreambleRecord(kind: .state, stream: 0, payload: payload(5, 40))], isComplete: true)
          })
          try writer.append(.action, stream: 0, payload: [1])
          try writer.close()
          return disk
        }
      ),
      (
        "v1-corrupt-before-a-sync-mark",
        { disk in
          var options = options
          options.syncPolicy = .each
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try fill(writer, actions: 12)
          let left = disk.copyAfterKill()
          left.remove("/x/0000000001.copy")
          try flip(left, "/x/0000000001.tail", 128 + 400)
          try writer.close()
          return left
        }
      ),
      (
        "v1-repacked",
        { disk in
          try write(disk, actions: 120)
          let repacking = Repacking(directory: "/x", fileSystem: disk, blockSize: 64 << 10)
          let name = FileName.segment(1)
          repacking.place(try #require(try repacking.pack(name, isStopped: { false })))
          return disk
        }
      ),
      (
        "v1-torn-block-written-again",
        { disk in
          let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
          try fill(writer, actions: 120)
          try writer.flush()
          let left = disk.copyAfterKill()
          try writer.close()
          let block = (try LogReader(at: "/x", fileSystem: left)).blocks[0]
          try flip(left, first, 192 + block.storedSize + 100)
          try LogWriter(at: "/x", options: options, fileSystem: left).close()
          return left
        }
      ),
      (
        "v2-newer-version",
        { disk in
          try write(disk, actions: 3)
          var bytes = try #require(disk.contents(first))
          for copy in 0..<2 { bytes[96 * copy + 8] = 2 }
          disk.put(first, bytes)
          return disk
        }
      ),
      (
        "not-a-segment",
        { disk in
          try disk.makeDirectory("/x")
          disk.put(first, Array("This is a text, and no segment of a log.\n".utf8))
          return disk
        }
      ),
    ]
  }
}
