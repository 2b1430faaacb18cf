import Foundation
import Testing

/// A reader in another language, written from the format's page alone, reads every golden log.
@Suite struct OtherReaderTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = root.appendingPathComponent("Fixtures/logs").path

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { !$0.hasSuffix(".json") }.sorted()

  private struct Record: Codable, Equatable {
    var sequence: UInt64
    var run: UInt32
    var stream: UInt16
    var kind: UInt8
    var time: UInt64
    var payload: String

    /// Long payloads stand in a twin by their size and a sum.
    var short: Record {
      guard payload.utf8.count > 128 else { return self }
      var copy = self
      var sum: UInt64 = 14_695_981_039_346_656_037
      var digits = payload.utf8.makeIterator()
      while let high = digits.next(), let low = digits.next() {
        sum = (sum ^ UInt64(Self.digit(high) << 4 | Self.digit(low))) &* 1_099_511_628_211
      }
      copy.payload = "\(payload.utf8.count / 2) bytes, FNV-1a \(String(sum, radix: 16))"
      return copy
    }

    private static func digit(_ byte: UInt8) -> UInt8 { byte > 0x39 ? byte - 0x57 : byte - 0x30 }
  }

  private struct Twin: Codable {
    var error: String?
    var records: [Record]
  }

  @Test(.enabled(if: python != nil, "there is no python3"), arguments: names)
  func aReaderFromTheFormatAloneReadsTheSame(_ name: String) throws {
    let path = Self.folder + "/" + name
    let twin = try JSONDecoder().decode(
      Twin.self, from: Data(contentsOf: URL(fileURLWithPath: path + ".json")))
    let (output, status) = try run(path)
    let records = try output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Record.self, from: Data(line.utf8)).short
    }
    #expect(records == twin.records)
    // 3: records are missing, and that is said.
    let isRefused = twin.error?.contains("version") == true
    #expect(isRefused ? status == 1 : status == 0 || status == 3)
  }

  private func run(_ path: String) throws -> (String, Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [Self.root.appendingPathComponent("Tools/read_log.py").path, path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = Pipe()
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}
