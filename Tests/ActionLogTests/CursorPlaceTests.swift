import ActionLog
import LogSimulation
import Testing

/// Cursors that begin and go on anywhere in blocks of many records, of which only a stretch is made
/// ready at a time.
@Suite struct CursorPlaceTests {
  private let count = 6_000
  private let kinds: [RecordKind] = [.action, .action, .action, .read, .effect]

  /// Writes blocks of about 2,000 records: of one size, of any, and with some that are large.
  private func write(_ fileSystem: any FileSystem, _ path: String) throws -> [Kept] {
    var generator = SeededGenerator(seed: 11)
    let writer = try LogWriter(at: path, fileSystem: fileSystem)
    var records: [Kept] = []
    for number in 0..<count {
      let size: Int =
        switch number / 2_000 {
        case 0: 3
        case 1: generator.below(24)
        default: generator.chance(10) ? 5_000 : 12 + generator.below(20)
        }
      let kind = number < 2_000 ? RecordKind.action : kinds[generator.below(kinds.count)]
      let bytes = payload(number, size)
      let stream = UInt16(generator.below(2))
      let sequence = try writer.append(kind, stream: stream, payload: bytes)
      records.append(Kept(sequence, stream: stream, kind, bytes))
    }
    try writer.close()
    return records
  }

  @Test func everyPlaceOfABlockIsThatOfAReadFromTheStart() throws {
    try onEachFileSystem { fileSystem, path in
      let records = try write(fileSystem, path)
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      #expect(Array(try reader.all().prefix(count)) == records)
      var times: [UInt64] = []
      var cursor = reader.cursor()
      while let record = try cursor.next() { times.append(record.time) }
      var generator = SeededGenerator(seed: 12)
      for _ in 0..<300 {
        let first = generator.below(count)
        var cursor = reader.cursor(from: UInt64(first + 1))
        #expect(cursor.nextSequence == UInt64(first + 1))
        for index in first..<min(count, first + generator.below(700)) {
          let record = try #require(try cursor.next())
          #expect(Kept(record) == records[index])
          #expect(record.time == times[index])
        }
      }
    }
  }

  @Test func goingToAndFroInABlockMeetsTheSameRecords() throws {
    try onEachFileSystem { fileSystem, path in
      let records = try write(fileSystem, path)
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      var generator = SeededGenerator(seed: 13)
      var cursors = [reader.cursor(), reader.cursor(from: 3_000)]
      for _ in 0..<2_000 {
        // Copies read from the same memory.
        if generator.chance(20) {
          cursors[generator.below(2)] = cursors[generator.below(2)]
        }
        let which = generator.below(2)
        if generator.chance(400) {
          let near = Int(cursors[which].nextSequence) - 1
          let place =
            generator.chance(100) ? generator.below(count) : near - 600 + generator.below(1_200)
          try cursors[which].seek(to: UInt64(max(0, min(count, place)) + 1))
        }
        for _ in 0..<generator.below(30) {
          let index = Int(cursors[which].nextSequence) - 1
          guard index < count, let record = try cursors[which].next() else { break }
          #expect(Kept(record) == records[index])
        }
      }
    }
  }

  @Test func recordsOfAKindAreThoseThatAReadFromTheStartMeets() throws {
    try onEachFileSystem { fileSystem, path in
      let records = try write(fileSystem, path)
      // Some that are in no block yet.
      let writer = try LogWriter(at: path, fileSystem: fileSystem)
      var all = records
      for number in 0..<500 {
        let kind = number % 7 == 0 ? RecordKind.effect : .action
        let bytes = payload(number, 9)
        all.append(Kept(try writer.append(kind, stream: 0, payload: bytes), run: 2, kind, bytes))
      }
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      var generator = SeededGenerator(seed: 14)
      for round in 0..<300 {
        let first = generator.below(all.count)
        let end = round % 3 == 0 ? all.count : min(all.count, first + generator.below(900))
        let kind = [RecordKind.effect, .read, .action, .state][generator.below(4)]
        var cursor = reader.cursor(from: UInt64(first + 1))
        var found: [Kept] = []
        while let record = try cursor.next(of: kind, before: UInt64(end + 1)) {
          found.append(Kept(record))
          // What stands behind is met as well.
          if generator.chance(100), cursor.nextSequence <= UInt64(end),
            let next = try cursor.next()
          {
            #expect(Kept(next) == all[Int(next.sequence) - 1])
            if next.kind == kind { found.append(Kept(next)) }
          }
        }
        #expect(found == all[first..<end].filter { $0.kind == kind })
      }
      try writer.close()
    }
  }
}
