/// Finds out once whether this process is a test runner, and whose.
enum TestProcess {
  enum Framework { case swiftTesting, xcTest }

  /// The package manager starts its test runner once for each framework and names Swift Testing
  /// by an argument; the runner's file ends in ".xctest" everywhere.
  static let framework: Framework? = framework(of: CommandLine.arguments)

  static func framework(of arguments: [String]) -> Framework? {
    guard let program = arguments.first else { return nil }
    for (index, argument) in arguments.enumerated().dropFirst() {
      let value: String
      if argument == "--testing-library", index + 1 < arguments.count {
        value = arguments[index + 1]
      } else if argument.hasPrefix("--testing-library=") {
        value = String(argument.dropFirst("--testing-library=".count))
      } else {
        continue
      }
      if value == "swift-testing" { return .swiftTesting }
      if value == "xctest" { return .xcTest }
    }
    let name = program.split(separator: "/").last ?? ""
    return name.hasSuffix(".xctest") || name == "xctest" ? .xcTest : nil
  }
}
