internal import Foundation
internal import LogSimulation

/// What has been done so far, in files, so that a run goes on where the last one stopped.
struct Memory {
  private struct Numbers: Codable {
    var numbers: [String: Int] = [:]
  }

  let folder: URL
  private var file: URL { folder.appendingPathComponent("done.json") }

  init(folder: String) throws {
    self.folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
  }

  private func read() -> Numbers {
    guard let data = try? Data(contentsOf: file) else { return Numbers() }
    return (try? JSONDecoder().decode(Numbers.self, from: data)) ?? Numbers()
  }

  func number(_ name: String) -> Int { read().numbers[name] ?? 0 }

  func set(_ name: String, _ number: Int) throws {
    var numbers = read()
    numbers.numbers[name] = number
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    try encoder.encode(numbers).write(to: file, options: .atomic)
  }

  func hashes(_ name: String) -> Set<UInt64> {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return [] }
    return data.withUnsafeBytes { bytes in
      Set(
        (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) })
    }
  }

  func set(_ name: String, _ hashes: Set<UInt64>) throws {
    let data = Array(hashes).withUnsafeBytes { Data($0) }
    try data.write(to: folder.appendingPathComponent(name), options: .atomic)
  }

  /// Keeps a disk that broke a promise, and returns where.
  func keep(_ disk: MemoryFileSystem, _ name: String, why: String) throws -> String {
    let place = folder.appendingPathComponent("failures/\(name)")
    for path in disk.paths {
      let target = place.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(disk.contents(path) ?? []).write(to: target)
    }
    try Data((why + "\n").utf8).write(to: place.appendingPathComponent("why.txt"))
    return place.path
  }
}
