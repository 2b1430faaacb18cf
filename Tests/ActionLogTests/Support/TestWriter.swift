import Foundation

/// The program that the tests of kills and forks run; it lies beside the tests' own.
enum TestWriter {
  static let path: String = {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = ((program ?? "") as NSString).deletingLastPathComponent
    return folder + "/ActionLogTestWriter"
  }()
}
