import CommandLineKit
import ComposableArchitecture
import Foundation
import Testing

@testable import RetraceCommands

/// The help of every verb, kept as files so that a change of it is seen in review.
///
/// With `RETRACE_UPDATE_FIXTURES` set the files are written anew.
@Suite struct HelpFixtureTests {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/help")

  static let verbs: [String] = [
    "completions", "diff", "info", "log", "manual", "prune", "recover", "replay", "show", "state",
    "verify", "why",
  ]

  @Test func everyVerbHasAFixture() {
    let tool = RetraceTool(name: "shop") { Shop() }
    #expect(tool.program.root.subcommands.map(\.name).sorted() == Self.verbs)
    #expect(
      RetraceTool(name: "retrace").program.root.subcommands.map(\.name)
        == ["info", "log", "show", "verify", "recover", "prune", "completions", "manual"])
  }

  @Test(arguments: verbs.map { ["shop", $0] } + [["shop"], ["retrace"], ["retrace", "show"]])
  func helpIsAsItWas(path: [String]) async throws {
    let tool: RetraceTool =
      path[0] == "shop" ? RetraceTool(name: "shop") { Shop() } : RetraceTool(name: "retrace")
    let output: OutputChannel = .memory()
    let status: ExitCode = await tool.run(
      path.dropFirst() + ["--help"], console: Console(output: output, errors: .memory()))
    #expect(status == .done)
    let file: URL = Self.folder.appendingPathComponent(path.joined(separator: "-") + ".txt")
    if ProcessInfo.processInfo.environment["RETRACE_UPDATE_FIXTURES"] != nil {
      try output.contents.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(output.contents == (try String(contentsOf: file, encoding: .utf8)))
    for line in output.contents.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
