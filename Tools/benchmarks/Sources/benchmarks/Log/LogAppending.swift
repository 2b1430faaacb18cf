import ActionLog
import Foundation

extension LogBenchmark {
  /// Bursts that the log's tails take without waiting for anything.
  mutating func burst() throws {
    let steps = 300_000
    var turns = TurnTaking(rounds: rounds)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: steps * 80, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    defer { memory.deallocate() }
    turns.add("bare store to memory", steps: steps) {
      let time = Lap {
        for number in 0..<steps {
          let slot = UnsafeMutableRawBufferPointer(rebasing: memory[number * 80..<number * 80 + 80])
          slot.storeBytes(of: UInt64(number), toByteOffset: 0, as: UInt64.self)
          slot.storeBytes(of: UInt64(number), toByteOffset: 8, as: UInt64.self)
          Self.fill(UnsafeMutableRawBufferPointer(rebasing: slot[16...]), UInt64(number))
        }
      }
      keep(memory[steps])
      return time
    }
    let (log, file, level, rocks, batched, single) = (
      place("burst.retrace"), place("burst"), place("level"), place("rocks"), place("batched.db"),
      place("single.db")
    )
    turns.add("this log, append", steps: steps) { [self] in
      remove(log)
      var options = LogOptions()
      options.initialTailSize = 32 << 20
      options.maximumTailSize = 32 << 20
      let writer = try LogWriter(at: log, options: options)
      let time = try Lap {
        for number in 1...UInt64(steps) { try Self.append(writer, number) }
      }
      try writer.close()
      return time
    }
    turns.add("write(2)", steps: steps / 10) { [self] in
      remove(file)
      let descriptor = Glibc.open(file, O_CREAT | O_WRONLY | O_APPEND, 0o600)
      defer { close(descriptor) }
      return Lap {
        Self.eachPayload(steps / 10) { _, payload in
          _ = write(descriptor, payload.baseAddress, payload.count)
        }
      }
    }
    for (name, peer, prefix, path) in [
      ("LevelDB", levelDB, "leveldb", level), ("RocksDB", rocksDB, "rocksdb", rocks),
    ] {
      guard let peer else { continue }
      turns.add("\(name), put", steps: steps / 10) { [self] in
        remove(path)
        let store = KeyValueStore(peer, prefix: prefix, path: path)
        return Lap {
          Self.eachPayload(steps / 10) { store.append($0, $1) }
        }
      }
    }
    if let sqlite {
      turns.add("SQLite, 1,000 a transaction", steps: steps / 10) { [self] in
        removeDatabase(batched)
        let database = SQLite(sqlite, path: batched, synchronous: "NORMAL")
        return Lap {
          Self.eachPayload(steps / 10) { number, payload in
            if number % 1000 == 1 { database.execute("BEGIN") }
            database.append(number, payload)
            if number % 1000 == 0 { database.execute("COMMIT") }
          }
        }
      }
      turns.add("SQLite, one a transaction", steps: steps / 100) { [self] in
        removeDatabase(single)
        let database = SQLite(sqlite, path: single, synchronous: "NORMAL")
        return Lap {
          Self.eachPayload(steps / 100) { database.append($0, $1) }
        }
      }
    }
    try turns.run("Appending a burst of 64-byte records")
    for path in [log, file, level, rocks] { remove(path) }
  }

  func removeDatabase(_ path: String) {
    for end in ["", "-wal", "-shm"] { remove(path + end) }
  }

  /// Records without a pause, and with a sync each 10 milliseconds.
  mutating func appendForLong() throws {
    let path = place("sustained.retrace")
    // Faster than any disk: without this the oldest records would be let go.
    var waiting = LogOptions()
    waiting.failurePolicy = .pause
    let writer = try LogWriter(at: path, options: waiting)
    let batch = 1000
    var times: [UInt64] = []
    var number: UInt64 = 0
    let start = nanoseconds()
    for _ in 0..<sustained / batch {
      let begin = nanoseconds()
      for _ in 0..<batch {
        number += 1
        try Self.append(writer, number)
      }
      times.append((nanoseconds() - begin) / UInt64(batch))
      if writer.wantsCut { writer.cut { [] } }
    }
    let mean = Double(nanoseconds() - start) / Double(sustained)
    try writer.close()
    let (dropped, lost) = (writer.statistics.dropped, writer.statistics.lost)
    remove(path)
    let sorted = times.sorted()
    print(
      String(
        format: """
          Appending \(sustained) records without a pause: median %d ns (over %d), mean %.1f ns, \
          slowest thousand %d ns a record, dropped \(dropped), let go for the disk \(lost)
          """, Int(sorted[sorted.count / 2]), batch, mean, Int(sorted.last ?? 0)))

    var options = LogOptions()
    options.syncPolicy = .interval(milliseconds: 10)
    let synced = try LogWriter(at: path, options: options)
    var single: [UInt64] = []
    for number in 1...2_000_000 {
      let begin = nanoseconds()
      try Self.append(synced, UInt64(number))
      single.append(nanoseconds() - begin)
      if synced.wantsCut { synced.cut { [] } }
      // About a record each microsecond: what the log can seal and the disk can take.
      while nanoseconds() - begin < 1000 {}
    }
    try synced.close()
    remove(path)
    print(
      "  a sync each 10 ms, single appends (each with 2 clock reads): \(Percentiles(single).text)")
  }

  /// Records that are safe against a loss of power when the call returns.
  mutating func durable() throws {
    let steps = 400
    print("One durable record of 64 bytes, \(rounds) rounds of \(steps) in turn")
    var times: [String: [UInt64]] = [:]
    var names: [String] = []
    func note(_ name: String, _ time: UInt64) {
      if times[name] == nil { names.append(name) }
      times[name, default: []].append(time)
    }
    for _ in 0..<rounds {
      let file = place("durable")
      let descriptor = Glibc.open(file, O_CREAT | O_RDWR, 0o600)
      _ = posix_fallocate(descriptor, 0, 1 << 20)
      fsync(descriptor)
      Self.eachPayload(steps) { number, payload in
        let begin = nanoseconds()
        _ = pwrite(descriptor, payload.baseAddress, payload.count, Int(number) * 80)
        fdatasync(descriptor)
        note("write and fdatasync, preallocated", nanoseconds() - begin)
      }
      close(descriptor)
      remove(file)
      let path = place("durable.retrace")
      var options = LogOptions()
      options.syncPolicy = .each
      let writer = try LogWriter(at: path, options: options)
      for number in 1...UInt64(steps) {
        let begin = nanoseconds()
        try Self.append(writer, number)
        note("this log, sync policy each", nanoseconds() - begin)
      }
      try writer.close()
      remove(path)
      for (name, peer, prefix) in [
        ("LevelDB, sync", levelDB, "leveldb"), ("RocksDB, sync", rocksDB, "rocksdb"),
      ] {
        guard let peer else { continue }
        let path = place(prefix)
        let store = KeyValueStore(peer, prefix: prefix, path: path, syncs: true)
        Self.eachPayload(steps) { number, payload in
          let begin = nanoseconds()
          store.append(number, payload)
          note(name, nanoseconds() - begin)
        }
        remove(path)
      }
      if let sqlite {
        let path = place("durable.db")
        let database = SQLite(sqlite, path: path, synchronous: "FULL")
        Self.eachPayload(steps) { number, payload in
          let begin = nanoseconds()
          database.append(number, payload)
          note("SQLite, synchronous FULL", nanoseconds() - begin)
        }
        removeDatabase(path)
      }
    }
    let bare = Percentiles(times[names[0]] ?? []).microseconds(500)
    for name in names {
      let percentiles = Percentiles(times[name] ?? [])
      let padded = name.padding(toLength: 36, withPad: " ", startingAt: 0)
      let ratio = String(format: "%6.2f x", percentiles.microseconds(500) / bare)
      print("  \(padded) \(percentiles.text) \(ratio)")
    }
  }
}
