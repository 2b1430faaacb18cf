import CommandLineKit
import Foundation
import Testing

@testable import RetraceCommands

@MainActor
@Suite struct PruneTests {
  private func session() async throws -> Session {
    let session = try Session()
    for _ in 1...4 { try await session.record([.increment, .increment]) }
    return session
  }

  private func segments(_ session: Session) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: session.log)
      .filter { $0.hasSuffix(".segment") }.sorted()
  }

  @Test func aDryRunRemovesNothing() async throws {
    let session = try await session()
    let before: [String] = try segments(session)
    let (output, errors, status) = await session.run(
      "prune", session.log, "--keep-bytes", "1kB", "--dry-run")
    #expect(try segments(session) == before)
    #expect(output.hasPrefix("would remove  LOG/00000000000000000001.segment\n"))
    #expect(output.contains("LOG  would remove 3 segments, "))
    #expect(output.hasSuffix(" would stay\n"))
    #expect(status == .done)
    #expect(errors == "" || errors.hasPrefix("note: LOG is still larger"))
  }

  @Test func theOldestGoAndTheRestCanBeReplayed() async throws {
    let session = try await session()
    let before: [String] = try segments(session)
    let (output, _, status) = await session.run("prune", session.log, "--keep-bytes", "1kB")
    #expect(output.contains("LOG  removed 3 segments, "))
    #expect(status == .done)
    #expect(try segments(session) == Array(before.suffix(1)))
    let state = await session.run("state", session.log, "end", "count")
    #expect(state.output == "2\n")
    let verify = await session.run("verify", session.log)
    #expect(verify.status == .done)
  }

  @Test func youngSegmentsStay() async throws {
    let session = try await session()
    let before: [String] = try segments(session)
    let (output, errors, status) = await session.run("prune", session.log, "--keep-age", "30d")
    #expect(output.hasPrefix("LOG  removed 0 segments, 0 bytes; 4 segments with "))
    #expect(errors == "")
    #expect(status == .done)
    #expect(try segments(session) == before)
  }

  @Test func linesForPrograms() async throws {
    let session = try await session()
    let (output, _, _) = await session.run(
      "prune", session.log, "--keep-age", "1h", "--dry-run", "--json")
    #expect(
      output.hasPrefix(
        #"{"version":1,"kind":"result","path":"LOG","dryRun":true,"removedSegments":0,"#))
  }

  @Test func whatIsToStayMustBeSaid() async throws {
    let session = try await session()
    let nothing = await session.run("prune", session.log)
    #expect(
      nothing.errors.hasPrefix(
        "error: Nothing says what is to stay. Give '--keep-bytes', '--keep-age' or both.\n"))
    #expect(nothing.status == .wrongUse)
    for (option, value, text) in [
      ("--keep-bytes", "much", "a size looks like 500MB or 2GB"),
      ("--keep-bytes", "-5MB", "a size looks like 500MB or 2GB"),
      ("--keep-age", "5 weeks", "an age looks like 30d, 12h, 15m or 90s"),
    ] {
      let wrong = await session.run("prune", session.log, "\(option)=\(value)")
      #expect(wrong.errors.contains(text), "\(wrong.errors)")
      #expect(wrong.status == .wrongUse)
    }
  }
}
