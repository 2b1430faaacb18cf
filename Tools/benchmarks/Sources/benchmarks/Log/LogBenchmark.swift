import ActionLog
import Foundation

/// Measures the log: appending, durable records, opening, seeking, reading back, and size.
///
/// Peers that are not installed are left out, and said to be.
struct LogBenchmark {
  var rounds = 5
  /// Records of the sustained run.
  var sustained = 20_000_000
  /// Bytes of the logs that are opened after a kill.
  var sizes = [1 << 20, 16 << 20, 256 << 20, 1 << 30]

  let folder: URL
  private var number = 0
  var levelDB: Peer?
  var rocksDB: Peer?
  var sqlite: Peer?

  init(folder: URL) {
    self.folder = folder
    levelDB = Peer("libleveldb", package: "libleveldb-dev")
    rocksDB = Peer("librocksdb", package: "librocksdb-dev")
    sqlite = Peer("libsqlite3", package: "libsqlite3-dev")
  }

  /// Runs all parts, or those that are named.
  ///
  /// - Parameter names: Some of `burst`, `sustained`, `durable`, `open`, `seek`, `read`, `size`;
  ///   `10gib` adds a log of that size to those that are opened.
  static func run(_ names: [String], folder: URL) throws {
    var benchmark = LogBenchmark(folder: folder)
    var names = names
    if let index = names.firstIndex(of: "10gib") {
      names.remove(at: index)
      benchmark.sizes.append(10 << 30)
    }
    let parts: [(name: String, run: () throws -> Void)] = [
      ("burst", { try benchmark.burst() }), ("sustained", { try benchmark.appendForLong() }),
      ("durable", { try benchmark.durable() }), ("open", { try benchmark.open() }),
      ("seek", { try benchmark.seek() }), ("read", { try benchmark.readBack() }),
      ("size", { try benchmark.size() }),
    ]
    for part in parts where names.isEmpty || names.contains(part.name) { try part.run() }
  }

  /// A path for a file or a folder that is not there yet.
  mutating func place(_ name: String) -> String {
    number += 1
    return folder.appendingPathComponent("\(number)-\(name)").path
  }

  func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// 64 bytes that say which record they are of.
  static func fill(_ bytes: UnsafeMutableRawBufferPointer, _ number: UInt64) {
    var word = number
    for index in 0..<8 {
      bytes.storeBytes(of: word, toByteOffset: 8 * index, as: UInt64.self)
      word &+= 0x0101
    }
  }

  static let payloadSize = 64

  /// Gives the body `count` payloads, one after the other, in memory of its own.
  static func eachPayload(
    _ count: Int, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    try withUnsafeTemporaryAllocation(byteCount: payloadSize, alignment: 8) { bytes in
      for number in 1...UInt64(count) {
        fill(bytes, number)
        try body(number, UnsafeRawBufferPointer(bytes))
      }
    }
  }

  static func append(_ writer: LogWriter, _ number: UInt64) throws {
    _ = try writer.append(.action, stream: 0) { buffer in
      guard buffer.count >= payloadSize else { return nil }
      fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<payloadSize]), number)
      return payloadSize
    }
  }

  /// Writes a log of so many records and closes it.
  func makeLog(_ path: String, records: Int) throws {
    let writer = try LogWriter(at: path)
    for number in 1...UInt64(records) {
      try Self.append(writer, number)
      if writer.wantsCut { writer.cut { [] } }
    }
    try writer.close()
  }

  /// Whether the system's cache of files could be emptied; only root may.
  static func dropCaches() -> Bool {
    sync()
    guard let file = fopen("/proc/sys/vm/drop_caches", "w") else { return false }
    fputs("3", file)
    return fclose(file) == 0
  }
}
