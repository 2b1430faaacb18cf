internal import ActionLog

/// Damages a log of 64 KiB in every place, one place at a time, and looks whether it is noticed
/// where it matters, and costs no more than it must.
package struct DamageCampaign {
  package enum Kind: String, CaseIterable, Sendable {
    /// Each 4 KiB, zeroed.
    case pages
    /// Each 512 bytes, zeroed.
    case sectors
    /// Each length of each file.
    case truncations
    /// Each bit, flipped.
    case flips

    var size: Int { self == .sectors ? 512 : 4096 }
  }

  /// What was damaged, and what came of it.
  package struct Counts: Sendable {
    package var states = 0
    /// What was there was the same before.
    package var unchanged = 0
    package var noticed = 0
    /// Records were lost, and said to be.
    package var lossy = 0
    /// Opened for writing as well, and read again.
    package var recovered = 0

    package init() {}
  }

  /// A rule that was broken.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The file, and the place in it.
  private struct Place {
    var path: String
    var index: Int
  }

  private static let path = "/x"

  package let name: String
  package private(set) var counts: [Kind: Counts] = [:]
  private let disk: MemoryFileSystem
  private let expected: [[UInt8]]
  /// The files that are damaged, with their sizes.
  private let files: [(path: String, bytes: [UInt8])]
  private let spans: [ClosedRange<UInt64>]

  /// A log of 64 KiB in segments: three runs, which were closed.
  package static func closed() throws -> DamageCampaign {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.blockSize = 4 << 10
    var expected: [[UInt8]] = []
    for _ in 1...3 {
      let writer = try LogWriter(at: path, options: options, fileSystem: disk)
      while size(disk, ".segment", writer) < 21_000 * Int(writer.run) {
        let bytes = payload(expected.count)
        try writer.append(.action, stream: UInt16(expected.count % 3), payload: bytes)
        expected.append(bytes)
        try writer.flush()
      }
      try writer.close()
    }
    return try DamageCampaign("closed", disk, ".segment", expected)
  }

  /// A log whose program was killed: a tail of 64 KiB.
  package static func killed() throws -> DamageCampaign {
    let disk = MemoryFileSystem()
    var options = LogOptions()
    options.syncPolicy = .none
    options.blockSize = 1 << 20
    options.initialTailSize = 64 << 10
    let writer = try LogWriter(at: path, options: options, fileSystem: disk)
    var expected: [[UInt8]] = []
    var used = 0
    while used < 60 << 10 {
      let bytes = payload(expected.count)
      try writer.append(.action, stream: 1, payload: bytes)
      expected.append(bytes)
      used += 24 + bytes.count
    }
    let left = disk.copyAfterKill()
    try writer.close()
    // The tail that was made ahead holds nothing.
    for path in left.paths where path.hasSuffix(".tail") && !path.hasSuffix("/0000000001.tail") {
      left.remove(path)
    }
    return try DamageCampaign("killed", left, ".tail", expected)
  }

  private static func size(_ disk: MemoryFileSystem, _ suffix: String, _ writer: LogWriter) -> Int {
    disk.paths.filter { $0.hasSuffix(suffix) }.reduce(0) { $0 + (disk.contents($1)?.count ?? 0) }
  }

  private static func payload(_ number: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(number))
    return (0..<60 + number % 90).map { _ in UInt8(truncatingIfNeeded: generator.next() & 63) }
  }

  private init(
    _ name: String, _ disk: MemoryFileSystem, _ suffix: String, _ expected: [[UInt8]]
  ) throws {
    self.name = name
    self.disk = disk
    self.expected = expected
    files = disk.paths.filter { $0.hasSuffix(suffix) }.map { ($0, disk.contents($0) ?? []) }
    let reader = try LogReader(at: Self.path, mode: .strict, fileSystem: disk)
    spans = reader.blocks.map { $0.firstSequence...$0.firstSequence + UInt64($0.count) - 1 }
  }

  /// The bytes of the files that are damaged.
  package var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// How many states of a kind there are.
  package func count(_ kind: Kind) -> Int {
    switch kind {
    case .flips: size * 8
    case .truncations: size
    case .sectors, .pages:
      files.reduce(0) { $0 + ($1.bytes.count + kind.size - 1) / kind.size }
    }
  }

  /// Damages the log in the place of this number, and looks at it.
  package mutating func run(_ kind: Kind, _ number: Int) throws {
    var rest = number
    for file in files {
      let unit = kind == .flips ? 8 : kind == .truncations ? 1 : 0
      let count =
        unit > 0 ? file.bytes.count * unit : (file.bytes.count + kind.size - 1) / kind.size
      if rest < count {
        try run(kind, Place(path: file.path, index: rest), file.bytes, number)
        return
      }
      rest -= count
    }
  }

  private mutating func run(
    _ kind: Kind, _ place: Place, _ whole: [UInt8], _ number: Int
  ) throws {
    var bytes = whole
    switch kind {
    case .flips: bytes[place.index / 8] ^= 1 << UInt8(place.index % 8)
    case .truncations: bytes.removeLast(bytes.count - place.index)
    case .sectors, .pages:
      let start = place.index * kind.size
      for index in start..<min(start + kind.size, bytes.count) { bytes[index] = 0 }
    }
    counts[kind, default: Counts()].states += 1
    if bytes == whole {
      counts[kind, default: Counts()].unchanged += 1
      return
    }
    disk.put(place.path, bytes)
    defer { disk.put(place.path, whole) }
    do {
      try check(kind, place, whole.count)
      let isSample = kind == .flips || kind == .truncations ? number % 32 == 0 : true
      if isSample { try checkRecovery(kind) }
    } catch let failure as Failure {
      throw Failure(
        description: "\(name), \(kind.rawValue) \(place.index) of \(place.path): \(failure)")
    } catch let error as LogError {
      throw Failure(
        description: "\(name), \(kind.rawValue) \(place.index) of \(place.path): \(error.message)")
    }
  }

  private mutating func check(_ kind: Kind, _ place: Place, _ size: Int) throws {
    let reader = try LogReader(at: Self.path, mode: .salvage, fileSystem: disk)
    let report = try reader.verify()
    let found = try sequences(reader)
    let lost = expected.count - found.count
    if !report.isGood { counts[kind, default: Counts()].noticed += 1 }
    if lost > 0 { counts[kind, default: Counts()].lossy += 1 }
    let isTail = place.path.hasSuffix(".tail")
    let isLast = place.path == files.last?.path
    // A file that ends early, or is empty, is what a kill leaves at the end of a log.
    let mayBeSilent = kind == .truncations && isLast
    // A tail's unused rest may hold what an encoder left.
    let isHarmless = isTail && lost == 0
    if report.isGood && !mayBeSilent && !isHarmless {
      throw Failure(description: "it is not noticed")
    }
    if lost > 0 {
      // A tail's sector that reads as zero, with nothing behind it, is its end.
      let isEnd = isTail && kind != .flips
      if !report.hasLoss && !mayBeSilent && !isEnd && !isTail {
        throw Failure(description: "\(lost) records are lost, and it is not said")
      }
      if !isTail && kind == .flips { try checkSpan(found) }
      if !isTail && !mayBeSilent {
        // What is not salvaged is an error, never a shorter log.
        let plain = try LogReader(at: Self.path, fileSystem: disk)
        do throws(LogError) {
          var cursor = plain.cursor()
          while try cursor.next() != nil {}
          throw LogError(.invalidArgument, "")
        } catch {
          if error.code != .damaged { throw Failure(description: "a gap is passed in silence") }
        }
      }
      if isTail, found.last.map({ Int($0) != found.count }) ?? false {
        throw Failure(description: "a tail is read behind what is damaged")
      }
    }
  }

  /// Whether all that is lost was in one block.
  private func checkSpan(_ found: [UInt64]) throws {
    let kept = Set(found)
    let lost = (1...UInt64(expected.count)).filter { !kept.contains($0) }
    let isOne = spans.contains { span in lost.allSatisfy(span.contains) }
    if !isOne { throw Failure(description: "records \(lost) are lost, of more than one block") }
  }

  /// The numbers of the records that can be read, each as it was written.
  private func sequences(_ reader: LogReader, allowingNew: Bool = false) throws -> [UInt64] {
    var cursor = reader.cursor()
    var found: [UInt64] = []
    while let record = try cursor.next() {
      if record.kind == .action, let index = Int(exactly: record.sequence - 1),
        index < expected.count, record.payload.elementsEqual(expected[index])
      {
        found.append(record.sequence)
      } else if !allowingNew {
        throw Failure(description: "record \(record.sequence) was never written")
      }
    }
    return found
  }

  /// The log opens for writing, too, and no good record is lost by that.
  private mutating func checkRecovery(_ kind: Kind) throws {
    let copy = disk.copyAfterKill()
    let before = try sequences(LogReader(at: Self.path, mode: .salvage, fileSystem: copy))
    let writer = try LogWriter(at: Self.path, fileSystem: copy)
    try writer.append(.note, stream: 0, payload: [1])
    try writer.close()
    let reader = try LogReader(at: Self.path, mode: .salvage, fileSystem: copy)
    let after = try sequences(reader, allowingNew: true)
    if !Set(before).isSubset(of: after) {
      throw Failure(description: "the next run lost records \(Set(before).subtracting(after))")
    }
    counts[kind, default: Counts()].recovered += 1
  }
}
