import ActionLog
import Foundation

extension LogBenchmark {
  /// A small action of a fixed sequence, as positional bytes and as a line of JSON.
  private struct Sample {
    var positional: [UInt8] = []
    var json = ""

    private static let words = ["milk", "bread", "call mother", "write tests", "read the log", ""]

    init(_ number: Int, time: UInt64, _ random: inout UInt64) {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let id = random >> 33
      let word = Self.words[Int(random >> 20 & 0xffff) % Self.words.count]
      let head = "{\"n\":\(number),\"t\":\(time),\"origin\":\"user\",\"action\":"
      switch number % 5 {
      case 0, 1:
        positional = [0, 0]
        json = head + "{\"increment\":{}}}\n"
      case 2:
        positional = [0, 1] + Self.identifier(id) + [UInt8(word.utf8.count)] + Array(word.utf8)
        json =
          head + "{\"itemRenamed\":{\"id\":\"\(Self.text(id))\",\"name\":\"\(word)\"}}}\n"
      case 3:
        positional = [0, 2, 0, UInt8(id & 63), 1]
        json = head + "{\"child\":{\"row\":{\"toggle\":{\"index\":\(id & 63),\"on\":true}}}}}\n"
      default:
        let values = (0..<3).map { id >> (8 * $0) & 0x7f }
        positional = [1, 3, 3] + values.map { UInt8($0) }
        json =
          head
          + "{\"response\":{\"items\":[\(values.map(String.init).joined(separator: ","))]}}}\n"
      }
    }

    private static func identifier(_ id: UInt64) -> [UInt8] {
      let first = withUnsafeBytes(of: (id % 500 &* 0x9e37_79b9_7f4a_7c15).bigEndian, Array.init)
      return first + withUnsafeBytes(of: (id % 500 &* 0xbf58_476d_1ce4_e5b9).bigEndian, Array.init)
    }

    private static func text(_ id: UInt64) -> String {
      let hex = identifier(id).map { byte in
        let text = String(byte, radix: 16, uppercase: true)
        return text.count < 2 ? "0" + text : text
      }
      return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]]
        .map { $0.joined() }.joined(separator: "-")
    }
  }

  /// Bytes an action on disk, with time stamps, against JSON Lines packed by zstd.
  mutating func size() throws {
    let count = 200_000
    let path = place("size.retrace")
    let writer = try LogWriter(at: path)
    var random: UInt64 = 1
    var lines: [UInt8] = []
    var plain = 0
    for number in 1...count {
      let time = UInt64(Date().timeIntervalSince1970 * 1e6)
      let sample = Sample(number, time: time, &random)
      try writer.append(.action, stream: 0, payload: sample.positional)
      lines += Array(sample.json.utf8)
      plain += 16 + (sample.positional.count + 7) & ~7
      if number % 1000 == 0 { usleep(200) }
    }
    try writer.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let stored = try names.filter { $0.hasSuffix(".segment") }.reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
    remove(path)
    func perAction(_ bytes: Int) -> String {
      String(format: "%6.2f", Double(bytes) / Double(count))
    }
    print("Bytes an action, \(count) small actions with time stamps")
    print("  in a tail                 \(perAction(plain))")
    print("  this log, in segments     \(perAction(stored))")
    print("  JSON Lines                \(perAction(lines.count))")
    guard let zstd = Peer("libzstd", package: "libzstd-dev") else { return }
    let packed = pack(lines, with: zstd)
    print("  JSON Lines, zstd -3, 1 MiB \(perAction(packed))")
    print(String(format: "  the log's part of that    %6.2f", Double(stored) / Double(packed)))
  }

  private func pack(_ bytes: [UInt8], with zstd: Peer) -> Int {
    let compress:
      @convention(c) (
        UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, Int32
      ) -> Int = zstd.function("ZSTD_compress")
    var target = [UInt8](repeating: 0, count: 2 << 20)
    var sum = 0
    for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
      let part = Array(bytes[start..<min(start + 1 << 20, bytes.count)])
      sum += part.withUnsafeBytes { source in
        target.withUnsafeMutableBytes {
          compress($0.baseAddress, $0.count, source.baseAddress, source.count, 3)
        }
      }
    }
    return sum
  }
}
