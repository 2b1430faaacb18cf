import CommandLineKit
import Foundation
import Testing

@testable import RetraceCommands

/// Whatever can't be meant ends with status 64, before anything is done.
@MainActor
@Suite struct WrongUseTests {
  /// `LOG` stands for the log.
  @Test(arguments: [
    ["nonsense"], ["help", "nonsense"],
    ["log", "LOG", "5-3"], ["log", "LOG", "3-2"], ["log", "LOG", "x"],
    ["log", "LOG", "--limit", "0"], ["log", "LOG", "--limit=-1"], ["log", "LOG", "--limit", "x"],
    ["log", "LOG", "--origin", "me"], ["log", "LOG", "--from", "yesterday"],
    ["log", "LOG", "--to", "never"], ["log", "LOG", "--from", "3", "--to", "2"],
    ["log", "LOG", "--from", "2100-01-01", "--to", "2000-01-01"], ["log", ""],
    ["show", "LOG"], ["show", "LOG", "x"], ["show", "LOG", "1-2"],
    ["state", "LOG", "x"], ["state", "LOG", "1", "items["],
    ["diff", "LOG"], ["diff", "LOG", "x"], ["diff", "LOG", "3-1"], ["diff", "LOG", "1", "x"],
    ["diff", "LOG", "1-2", "3"], ["diff", "LOG", "1", "2:3"],
    ["why", "LOG"], ["why", "LOG", "a..b"], ["why", "LOG", "count", "--at", "x"],
    ["recover", "LOG"], ["completions"], ["completions", "tcsh"],
    ["prune", "LOG"], ["prune", "LOG", "--dry-run"], ["prune", "LOG", "--keep-bytes"],
    ["prune", "LOG", "--keep-bytes", "much"], ["prune", "LOG", "--keep-age=-1d"],
  ])
  func whatCannotBeMeant(arguments: [String]) async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let before = try FileManager.default.contentsOfDirectory(atPath: session.log).sorted()
    let (output, errors, status) = await run(arguments, in: session)
    #expect(status == .wrongUse, "\(errors)")
    #expect(output == "")
    #expect(errors.hasPrefix("error: "), "\(errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.log).sorted() == before)
  }

  /// Of every verb, those that are still to come included.
  @Test func noVerbTakesWhatItDoesNotKnow() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    for verb in session.tool.verbs where verb != "help" {
      let takesLog: Bool = !["completions", "manual"].contains(verb)
      var all: [[String]] = [
        [verb, "--nonsense"], [verb, "-?"], [verb, "LOG", "1", "2", "3", "4", "5", "6"],
      ]
      if takesLog { all += [[verb], [verb, "LOG", "--color", "blue"], [verb, "LOG", "--color"]] }
      for arguments in all {
        let (output, errors, status) = await run(arguments, in: session)
        #expect(status == .wrongUse, "\(arguments) \(errors)")
        #expect(output == "", "\(arguments)")
        #expect(errors.hasPrefix("error: "), "\(arguments) \(errors)")
      }
    }
  }

  private func run(
    _ arguments: [String], in session: Session
  ) async -> (output: String, errors: String, status: ExitCode) {
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status: ExitCode = await session.tool.run(
      arguments.map { $0 == "LOG" ? session.log : $0 },
      console: Console(output: output, errors: errors))
    return (output.contents, errors.contents, status)
  }
}
