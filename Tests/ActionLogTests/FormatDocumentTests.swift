import CActionLog
import Foundation
import LogSimulation
import Testing

@testable import ActionLog

/// The worked example of `Format.md` is the log that it says it is.
@Suite struct FormatDocumentTests {
  private static let document = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/ActionLog/ActionLog.docc/Format.md")

  private let records: [(kind: RecordKind, stream: UInt16, time: UInt64, payload: [UInt8])] = [
    (.open, 0, 1_700_000_000_000_000, Array("hello".utf8)),
    (.action, 0, 1_700_000_000_000_250, [1]),
    (.action, 2, 1_700_000_000_000_200, [1, 0xff]),
    (.note, 0, 1_700_000_001_000_000, Array("in the tail".utf8)),
  ]

  /// The bytes of the example under a heading of the document.
  private func bytes(under heading: String) throws -> [UInt8] {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let part = try #require(text.components(separatedBy: "### \(heading)\n").last)
    var bytes: [UInt8] = []
    let lines = try #require(part.components(separatedBy: "```").dropFirst().first)
    for line in lines.split(separator: "\n") {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      guard fields.count == 3, let offset = Int(fields[0].trimmed, radix: 16) else { continue }
      #expect(offset == bytes.count)
      for byte in fields[1].split(separator: " ") {
        bytes.append(try #require(UInt8(byte, radix: 16)))
      }
    }
    return bytes
  }

  @Test func theExampleIsReadAsItSays() throws {
    let disk = MemoryFileSystem()
    try disk.makeDirectory("/x")
    disk.put("/x/00000000000000000001.segment", try bytes(under: "00000000000000000001.segment"))
    disk.put("/x/0000000001.tail", try bytes(under: "0000000001.tail"))
    let reader = try LogReader(at: "/x", mode: .strict, fileSystem: disk)
    var cursor = reader.cursor()
    for (index, expected) in records.enumerated() {
      let record = try #require(try cursor.next())
      #expect(record.sequence == UInt64(index + 1))
      #expect(record.run == 1)
      #expect(record.kind == expected.kind)
      #expect(record.stream == expected.stream)
      #expect(record.time == expected.time)
      #expect(Array(record.payload) == expected.payload)
    }
    #expect(try cursor.next()?.sequence == nil)
    #expect(reader.summary.segments.map(\.hasIndex) == [true])
    #expect(try reader.verify().isGood)
  }

  @Test func theExampleIsWhatIsWritten() throws {
    #expect(try bytes(under: "00000000000000000001.segment") == segment.flatMap(\.bytes))
    #expect(try bytes(under: "0000000001.tail") == tail.flatMap(\.bytes))
  }

  // MARK: Making the example

  private typealias Line = (bytes: [UInt8], meaning: String)

  private func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(value)
    return bytes
  }

  private func split(_ bytes: [UInt8], _ fields: [(Int, String)]) -> [Line] {
    var at = 0
    return fields.map { count, meaning in
      defer { at += count }
      return (Array(bytes[at..<at + count]), meaning)
    }
  }

  private let blockFields: [(Int, String)] = [
    (4, "magic RBLK"), (4, "checksum"), (2, "size"), (1, "codec"), (1, "columns"), (2, "flags"),
    (2, "streams"), (4, "stored size"), (4, "raw size"), (8, "first sequence"), (4, "count"),
    (4, "stored checksum"), (8, "earliest"), (8, "latest"), (4, "kinds 1 and 4"), (4, "reserved"),
    (8, "stream 0: one action"), (8, "stream 2: one action"),
  ]

  private var segment: [Line] {
    let header = SegmentHeader(
      salt: 0x1122_3344_5566_7788, firstSequence: 1, run: 1, flags: .startsRun,
      created: records[0].time, durable: 0)
    let headerFields: [(Int, String)] = [
      (8, "magic"), (2, "version"), (2, "size"), (4, "compatible"), (4, "read-only compatible"),
      (4, "incompatible"), (8, "salt"), (8, "first sequence"), (4, "run"), (4, "flags: starts run"),
      (8, "created"), (8, "durable"), (28, "reserved"), (4, "checksum"),
    ]
    let bytes = header.encoded()
    var lines = split(Array(bytes[..<96]), headerFields)
    lines.append((Array(bytes[96...]), "the header again"))

    var builder = BlockBuilder()
    builder.firstSequence = 1
    for record in records.prefix(3) {
      record.payload.withUnsafeBytes {
        builder.add(kind: record.kind, stream: record.stream, time: record.time, body: $0)
      }
    }
    let seed = ActionLog.seed(of: header.salt)
    var block: [UInt8] = []
    let (blockHeader, _) = builder.finish(into: &block, seed: seed)
    lines += split(
      block,
      blockFields + [
        (3, "kinds"), (3, "streams, low bytes"), (3, "streams, high bytes"), (3, "lengths"),
        (1, "time of the first: earliest"), (2, "time of the second: 250 later"),
        (1, "time of the third: 50 earlier"), (5, "payload: hello"), (1, "payload"), (2, "payload"),
      ])
    let end = UInt64(192 + block.count)
    let footer = Footer(
      flags: Footer.cleanFlag, nextSequence: 4,
      entries: [BlockEntry(offset: 192, header: blockHeader)]
    ).encoded(at: end, seed: seed)
    lines += split(
      footer,
      [
        (4, "magic RFTR"), (4, "checksum"), (4, "size"), (4, "flags: closed"), (4, "count"),
        (4, "reserved"), (8, "next sequence"), (8, "offset of the block"),
        (80, "the block's header again"), (8, "trailer: offset of the footer"),
        (4, "size of the footer"), (8, "magic"), (4, "checksum"),
      ])
    return lines
  }

  private var tail: [Line] {
    let record = records[3]
    let base = record.time - 5 - Format.timeSlack
    let header = TailHeader(
      salt: 0x99aa_bbcc_ddee_ff00, firstSequence: 4, baseTime: base, run: 1, ordinal: 1)
    let bytes = header.encoded()
    var lines = split(
      Array(bytes[..<64]),
      [
        (8, "magic"), (2, "version"), (2, "size"), (4, "incompatible"), (8, "salt"),
        (8, "first sequence"), (8, "base"), (4, "run"), (4, "ordinal"), (12, "reserved"),
        (4, "checksum"),
      ])
    lines.append((Array(bytes[64...]), "the header again"))
    let padded = record.payload + [UInt8](repeating: 0, count: 5)
    let length = UInt32(16 + record.payload.count)
    let meta =
      UInt64(record.kind.rawValue) | UInt64(record.stream) << 8 | (record.time - base) << 24
    let crc = al_frame_crc(
      ActionLog.seed(of: header.salt), length, meta, padded, padded.count)
    lines += split(
      number(length) + number(crc) + number(meta) + padded,
      [
        (4, "length"), (4, "checksum"), (1, "kind: note"), (2, "stream"), (5, "time since base"),
        (11, "payload: in the tail"), (5, "padding"),
      ])
    lines.append(([UInt8](repeating: 0, count: 16), "no frame yet"))
    return lines
  }

  /// `ACTIONLOG_PRINT_EXAMPLE=1` prints what stands in the document.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["ACTIONLOG_PRINT_EXAMPLE"] != nil))
  func printTheExample() {
    for (name, lines) in [("00000000000000000001.segment", segment), ("0000000001.tail", tail)] {
      var text = "### \(name)\n\n```\n"
      var at = 0
      for line in lines {
        for start in stride(from: 0, to: line.bytes.count, by: 16) {
          let part = line.bytes[start..<min(start + 16, line.bytes.count)]
          let hex = part.map { hexadecimal(Int($0), 2) }.joined(separator: " ")
          let padding = String(repeating: " ", count: max(0, 47 - hex.utf8.count))
          text += "\(hexadecimal(at, 4)) | \(hex)\(padding) |"
          text += start == 0 ? " \(line.meaning)\n" : "\n"
          at += part.count
        }
      }
      print(text + "```\n")
    }
  }

  private func hexadecimal(_ value: Int, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension Substring {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
