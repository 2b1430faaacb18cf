public import Foundation

/// A program that the package built, run as a child process.
public struct Program: Sendable {
  /// What a program did.
  public struct Outcome: Sendable {
    /// The exit status; the negative number of the signal that ended it.
    public var status: Int
    public var output: String
    public var errors: String
  }

  /// Where the program is.
  public var url: URL

  /// The program of that name among the products of this build.
  public init(_ name: String) {
    self.url = Self.products.appendingPathComponent(name)
  }

  /// The folder of the products of this build: that of the running test bundle.
  public static var products: URL {
    URL(
      fileURLWithPath: CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        ?? CommandLine.arguments[0]
    ).deletingLastPathComponent()
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - input: What it reads from standard input.
  ///   - stackLimit: The most its stack may take, in KiB.
  ///   - environment: Variables to be set besides those of the test.
  public func run(
    _ arguments: [String] = [], input: String = "", stackLimit: Int? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    if let stackLimit {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -s \(stackLimit) && exec \"$@\"", "sh", self.url.path] + arguments
    } else {
      process.executableURL = self.url
      process.arguments = arguments
    }
    // A crashing child is not to be taken apart by the debugger: the test only wants its status.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    let folder = try TemporaryFolder()
    let (inputFile, outputFile, errorFile) =
      (folder.url("input"), folder.url("output"), folder.url("errors"))
    try Data(input.utf8).write(to: inputFile)
    for file in [outputFile, errorFile] { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitUntilExit()
    let status = Int(process.terminationStatus)
    return Outcome(
      status: process.terminationReason == .exit ? status : -status,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }
}

/// A folder that is deleted when the last reference to it goes.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    self.url = FileManager.default.temporaryDirectory
      .appendingPathComponent("retrace-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: self.url)
  }

  /// A place in the folder.
  public func url(_ name: String) -> URL {
    self.url.appendingPathComponent(name)
  }

  /// The path of a place in the folder.
  public func path(_ name: String) -> String {
    self.url(name).path
  }
}
