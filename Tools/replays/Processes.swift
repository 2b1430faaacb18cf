import Foundation
import ReplayFeatures

/// Asks many processes for the digest of one log.
struct Processes {
  private static let zones = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"]
  private static let languages = ["C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "ja_JP.UTF-8"]

  let log: String
  let count: Int

  /// - Returns: Whether all gave the same.
  func run() throws -> Bool {
    var answers: [String: Int] = [:]
    var seeds = 0
    for number in 0..<self.count {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["digest", self.log]
      var environment = ProcessInfo.processInfo.environment
      // Without it each process orders sets and dictionaries by a seed of its own.
      environment["SWIFT_DETERMINISTIC_HASHING"] = nil
      environment["TZ"] = Self.zones[number % Self.zones.count]
      environment["LANG"] = Self.languages[number % Self.languages.count]
      environment["LC_ALL"] = environment["LANG"]
      process.environment = environment
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        print("A process ended with status \(process.terminationStatus): \(text)")
        return false
      }
      answers[text.trimmingCharacters(in: .newlines), default: 0] += 1
      seeds += 1
    }
    for (answer, count) in answers.sorted(by: { $0.key < $1.key }) {
      print("\(count) of \(seeds) processes: \(answer)")
    }
    return answers.count == 1
  }
}
