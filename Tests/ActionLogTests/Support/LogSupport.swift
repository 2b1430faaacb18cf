import ActionLog
import Foundation
import LogSimulation
import Testing

/// A record, kept.
struct Kept: Hashable, CustomStringConvertible {
  var sequence: UInt64
  var run: UInt32
  var stream: UInt16
  var kind: RecordKind
  var payload: [UInt8]

  init(_ record: LogRecord) {
    sequence = record.sequence
    run = record.run
    stream = record.stream
    kind = record.kind
    payload = Array(record.payload)
  }

  init(
    _ sequence: UInt64, run: UInt32 = 1, stream: UInt16 = 0, _ kind: RecordKind,
    _ payload: [UInt8]
  ) {
    self.sequence = sequence
    self.run = run
    self.stream = stream
    self.kind = kind
    self.payload = payload
  }

  var description: String {
    "\(sequence) run \(run) stream \(stream) \(kind) \(payload.count) bytes \(payload.prefix(8))"
  }
}

extension LogReader {
  /// Everything that the log holds, from `sequence` on.
  func all(from sequence: UInt64 = 1) throws -> [Kept] {
    var cursor = cursor(from: sequence)
    var records: [Kept] = []
    while let record = try cursor.next() { records.append(Kept(record)) }
    return records
  }
}

/// Runs a test in memory, on a disk that gives and takes a few bytes at a time, on one whose files
/// cannot be mapped safely, and on the disk of the machine.
func onEachFileSystem(
  _ body: (_ fileSystem: any FileSystem, _ path: String) throws -> Void
) throws {
  try body(MemoryFileSystem(losesPower: true), "/test.retrace")
  try body(MemoryFileSystem(isMappingSafe: false), "/test.retrace")
  try body(FaultyFileSystem.slow(), "/test.retrace")
  try inTemporaryDirectory { try body(.real, $0 + "/test.retrace") }
}

func inTemporaryDirectory<R>(_ body: (String) throws -> R) throws -> R {
  let place = NSTemporaryDirectory() + "actionlog-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: place) }
  return try body(place)
}

/// The error that `body` throws.
func logError(_ body: () throws -> Void) -> LogError? {
  do {
    try body()
    return nil
  } catch let error as LogError {
    return error
  } catch {
    return nil
  }
}

/// A payload that says which record it is of.
func payload(_ number: Int, _ count: Int) -> [UInt8] {
  var generator = SeededGenerator(seed: UInt64(number))
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() & 15) }
}
