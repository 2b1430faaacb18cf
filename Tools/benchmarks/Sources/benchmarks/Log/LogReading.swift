import ActionLog
import Foundation

extension LogBenchmark {
  /// The first words of a child that writes a log until it has so many bytes, and then kills itself.
  static let writerWord = "log-writer"

  /// What such a child does.
  static func writeAndDie(_ path: String, bytes: Int) throws {
    let writer = try LogWriter(at: path)
    var random: UInt64 = 88_172_645_463_325_252
    var written = 0
    while written < bytes {
      _ = try writer.append(.action, stream: 0) { buffer in
        guard buffer.count >= 1024 else { return nil }
        for index in 0..<128 {
          random ^= random << 13
          random ^= random >> 7
          random ^= random << 17
          buffer.storeBytes(of: random, toByteOffset: 8 * index, as: UInt64.self)
        }
        return 1024
      }
      written += 1024
      if writer.wantsCut { writer.cut { [] } }
    }
    kill(getpid(), SIGKILL)
  }

  /// Opens logs of many sizes for writing whose program was killed.
  mutating func open() throws {
    print("Opening a log for writing after SIGKILL: milliseconds of \(rounds) kills, cold and warm")
    for size in sizes {
      let path = place("killed.retrace")
      try die(path, bytes: size)
      var cold: [Double] = []
      var warm: [Double] = []
      for round in 0..<2 * rounds {
        // A little more, so that there is always something to recover.
        try die(path, bytes: 200 << 10)
        let isCold = round % 2 == 0 && Self.dropCaches()
        let start = nanoseconds()
        let writer = try LogWriter(at: path)
        let time = Double(nanoseconds() - start) / 1e6
        try writer.close()
        if isCold { cold.append(time) } else { warm.append(time) }
      }
      print(
        String(
          format: "  %7d MiB on disk: cold %@, warm %@", try bytes(of: path) >> 20, text(cold),
          text(warm)))
      remove(path)
    }
  }

  private func text(_ times: [Double]) -> String {
    let sorted = times.sorted()
    guard let first = sorted.first, let last = sorted.last else { return "not measured" }
    return String(format: "%.2f (%.2f to %.2f)", sorted[sorted.count / 2], first, last)
  }

  private func die(_ path: String, bytes: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Self.writerWord, path, String(bytes)]
    try process.run()
    process.waitUntilExit()
  }

  private func bytes(of path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }

  /// Lands on records at random.
  mutating func seek() throws {
    let records = 10_000_000
    let path = place("seek.retrace")
    try makeLog(path, records: records)
    defer { remove(path) }
    let reader = try LogReader(at: path)
    var generator = SystemRandomNumberGenerator()
    func land() throws -> UInt64 {
      let number = UInt64.random(in: 1...UInt64(records), using: &generator)
      let start = nanoseconds()
      var cursor = reader.cursor(from: number)
      let record = try cursor.next()
      let time = nanoseconds() - start
      if record?.sequence != number { fatalError("record \(number) was not found") }
      return time
    }
    _ = try land()
    var warm: [UInt64] = []
    for _ in 0..<1000 { warm.append(try land()) }
    var cold: [UInt64] = []
    for _ in 0..<30 where Self.dropCaches() { cold.append(try land()) }
    print("Landing on one of \(records) records")
    print("  warm  \(Percentiles(warm).text)")
    print(
      "  cold  \(cold.isEmpty ? "not measured: only root may empty the cache" : Percentiles(cold).text)"
    )
    var opening: [UInt64] = []
    for _ in 0..<30 {
      let start = nanoseconds()
      let reader = try LogReader(at: path)
      opening.append(nanoseconds() - start)
      keep(reader)
    }
    print("  opening it for reading, warm  \(Percentiles(opening).text)")
  }

  /// Reads everything, in order.
  mutating func readBack() throws {
    let records = 1_000_000
    var turns = TurnTaking(rounds: rounds)
    let path = place("read.retrace")
    try makeLog(path, records: records)
    turns.add("this log", steps: records) {
      try Lap {
        let reader = try LogReader(at: path)
        var cursor = reader.cursor()
        var sum = 0
        while let record = try cursor.next() {
          sum += record.payload.count + Int(record.payload[0])
        }
        keep(sum)
      }
    }
    for (name, peer, prefix) in [
      ("LevelDB", levelDB, "leveldb"), ("RocksDB", rocksDB, "rocksdb"),
    ] {
      guard let peer else { continue }
      let store = KeyValueStore(peer, prefix: prefix, path: place(prefix))
      Self.eachPayload(records) { store.append($0, $1) }
      turns.add(name, steps: records) { Lap { keep(store.readAll()) } }
    }
    if let sqlite {
      let database = SQLite(sqlite, path: place("read.db"), synchronous: "OFF")
      database.execute("BEGIN")
      Self.eachPayload(records) { database.append($0, $1) }
      database.execute("COMMIT")
      turns.add("SQLite", steps: records) { Lap { keep(database.readAll()) } }
    }
    try turns.run("Reading everything back, records of 64 bytes")
    remove(path)
  }
}
