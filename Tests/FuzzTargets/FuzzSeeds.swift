internal import ActionCoding
internal import ActionLog
internal import Foundation
internal import LogSimulation

extension FuzzTarget {
  /// Inputs to begin with, by name: what our own programs write, and what was made to hurt.
  package func seeds() throws -> [(name: String, bytes: [UInt8])] {
    switch self {
    case .segment: try Self.segmentSeeds()
    case .block: Self.blockSeeds()
    case .record: try Self.recordSeeds()
    case .schema: try Self.schemaSeeds()
    case .value: try Self.valueSeeds()
    }
  }

  private static func log(
    _ name: String, _ suffix: String, killed: Bool = false,
    _ body: (LogWriter) throws -> Void
  ) throws -> (name: String, bytes: [UInt8]) {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.blockSize = 1 << 10
    options.initialTailSize = 4 << 10
    if killed { options.syncPolicy = .none }
    let writer = try LogWriter(at: "/x", options: options, fileSystem: disk)
    try body(writer)
    let left = killed ? disk.copyAfterKill() : disk
    try writer.close()
    let path = left.paths.first { $0.hasSuffix(suffix) } ?? ""
    return (name, left.contents(path) ?? [])
  }

  private static func segmentSeeds() throws -> [(name: String, bytes: [UInt8])] {
    let logs = [
      try log("one-record", ".segment") { try $0.append(.note, stream: 0, payload: [1, 2, 3]) },
      try log("kinds-and-streams", ".segment") { writer in
        for number in 0..<30 {
          try writer.append(
            RecordKind(rawValue: UInt8(1 + number % 40)), stream: UInt16(number * 700 % 3000),
            payload: [UInt8](repeating: UInt8(number), count: number))
        }
      },
      try log("three-blocks", ".segment") { writer in
        for number in 0..<24 {
          try writer.append(
            .action, stream: 1, payload: (0..<110).map { UInt8(truncatingIfNeeded: $0 * number) })
        }
      },
    ]
    return logs.flatMap { log in
      [(log.name, [7] + log.bytes), (log.name + "-written", [135] + log.bytes)]
    }
  }

  /// Nine bytes of the block's header, then its content.
  private static func block(
    codec: UInt8, columns: UInt8, count: Int, raw: Int, _ stored: [UInt8]
  ) -> [UInt8] {
    var bytes = [codec, columns, 0]
    bytes.append(2, UInt64(count))
    bytes.append(4, UInt64(raw))
    return bytes + stored
  }

  private static func blockSeeds() -> [(name: String, bytes: [UInt8])] {
    let plain: [UInt8] =
      [1, 4, 4] + [0, 0, 2] + [0, 0, 0] + [5, 1, 2] + [0, 2, 4] + Array("hello".utf8) + [1, 1, 255]
    // A literal, then one match that repeats it: 255 in each byte adds as many.
    let bomb: [UInt8] = [0x1f, 0, 1, 0] + [UInt8](repeating: 255, count: 4096) + [0, 0x50]
    return [
      ("plain", block(codec: 0, columns: 0, count: 3, raw: 0, plain)),
      ("columns", block(codec: 0, columns: 8, count: 3, raw: 0, plain)),
      ("packed", block(codec: 1, columns: 0, count: 3, raw: 25, [0xf0, 10] + plain)),
      ("bomb", block(codec: 1, columns: 0, count: 60_000, raw: 64 << 20, bomb)),
      ("bomb-with-columns", block(codec: 1, columns: 32, count: 60_000, raw: 1_048_576, bomb)),
      ("largest-size", block(codec: 1, columns: 0, count: 1, raw: (64 << 20) + (64 << 10), bomb)),
      ("beyond-largest", block(codec: 1, columns: 0, count: 1, raw: (64 << 20) + 65_537, bomb)),
      ("largest-count", block(codec: 1, columns: 0, count: 65_535, raw: 327_675, bomb)),
      (
        "payload-of-4-gib",
        block(
          codec: 0, columns: 0, count: 1, raw: 0,
          [4, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0] + [1])
      ),
      (
        "varint-without-end",
        block(
          codec: 0, columns: 0, count: 1, raw: 0, [4, 0, 0] + [UInt8](repeating: 255, count: 20))
      ),
    ]
  }

  private static func recordSeeds() throws -> [(name: String, bytes: [UInt8])] {
    let tail = try log("tail", ".tail", killed: true) { writer in
      for number in 0..<12 {
        try writer.append(
          .action, stream: UInt16(number), payload: [UInt8](repeating: 7, count: number * 5))
      }
    }
    let frames = Array(tail.bytes.dropFirst(128).prefix(700))
    var live = Array("RTRCLIV\n".utf8)
    live.append(4, 1)
    live.append(4, 3)
    live.append(4, 4711)
    live += [UInt8](repeating: 0, count: 108)
    live.append(8, 2 << 48 | 99)
    var note: [UInt8] = []
    note.append(4, 4711)
    note.append(4, 496)
    return [
      ("frames", [1] + frames), ("frames-and-copy", [3] + frames), ("written", [131] + frames),
      ("live", [5] + live), ("note-of-496", [4] + note),
      ("length-of-4-gib", [1] + [255, 255, 255, 255, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]),
      (
        "skips",
        [1] + (0..<20).flatMap { _ -> [UInt8] in [16, 0, 0, 0] + Array(repeating: 0, count: 12) }
      ),
    ]
  }

  private static func schemaSeeds() throws -> [(name: String, bytes: [UInt8])] {
    var wide: [UInt8] = [1, 2, 5, 1, 97]
    wide.append(1, 60)
    for _ in 0..<60 { wide += [1, 98, 1, 0] }
    wide += [0, 1]
    // A structure of 40 arrays, each of the next one twice: a value of no bytes that never ends.
    var deep: [UInt8] = [1, 40]
    for number in 0..<40 {
      deep += [5, 1, 97, 2, 1, 98, UInt8(min(39, number + 1)), 0, 1, 99, 0, 0]
    }
    return [
      ("sample", try recordCoder(for: FuzzSample.self).schema.bytes()),
      ("tree", try recordCoder(for: FuzzTree.self).schema.bytes()),
      ("bridged", try recordCoder(for: FuzzBridged.self).schema.bytes()),
      ("optional-of-itself", [1, 1, 1, 0]), ("array-of-itself", [1, 1, 2, 0]),
      ("structure-of-itself", [1, 1, 5, 1, 97, 1, 1, 98, 0, 0]),
      ("cycle-of-two", [1, 2, 5, 1, 97, 1, 1, 98, 1, 0, 5, 1, 97, 1, 1, 98, 0, 0]),
      ("wide", wide), ("doubling", deep),
    ]
  }

  private static func valueSeeds() throws -> [(name: String, bytes: [UInt8])] {
    let samples: [FuzzSample] = [
      .nothing, .number(-1, 255, .min), .text("a\u{301}é", "👨‍👩‍👧"),
      .list([1, -2, .max], names: ["a": true, "b": false], tags: ["x", "y"]),
      .maybe(nil, "", [0, -0.0, .infinity, .nan]),
      .dates(
        Date(timeIntervalSince1970: 1),
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)), nil),
      .nested(.nested(.nothing, []), [.nothing, .text("", "x")]),
    ]
    var seeds: [(name: String, bytes: [UInt8])] = []
    let coder = recordCoder(for: FuzzSample.self)
    for (number, sample) in samples.enumerated() {
      seeds.append(("sample-\(number)", [1] + (try coder.bytes(of: sample))))
    }
    let tree = FuzzTree(
      name: "a", weight: 1.5, children: [FuzzTree(name: "b", children: [FuzzTree()])])
    seeds.append(("tree", [2] + (try recordCoder(for: FuzzTree.self).bytes(of: tree))))
    seeds.append(("deep-tree", [2] + [UInt8](repeating: 1, count: 4000)))
    let bridged = FuzzBridged(
      parts: [.init(id: 1, label: nil), .init(id: -5, label: "x")], table: ["k": [1, 2]], flag: nil)
    seeds.append(("bridged", [3] + (try recordCoder(for: FuzzBridged.self).bytes(of: bridged))))
    for seed in try schemaSeeds() where seed.bytes.count < 4000 {
      var bytes: [UInt8] = [0]
      bytes.append(2, UInt64(seed.bytes.count))
      seeds.append(("schema-" + seed.name, bytes + seed.bytes + [1, 1, 0, 2, 255, 1, 7]))
    }
    return seeds
  }
}
