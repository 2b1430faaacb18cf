import ActionLog
import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace
import Testing

@testable import RetraceCommands

@MainActor
@Suite struct RecoverTests {
  @Test func aGoodLogIsRecoveredWhole() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    try await session.record([.increment])
    let target: String = session.directory + "/good.retrace"
    let (output, errors, status) = await session.run("recover", session.log, target)
    #expect(output.hasPrefix("\(target)  recovered whole: "))
    #expect(output.contains(" records in 2 segments, "))
    #expect(output.hasSuffix(", read again\n"))
    #expect(errors == "")
    #expect(status == .done)
    let before = await session.run("log", session.log)
    let after = await session.run("log", target)
    #expect(before.output == after.output)
    let state = await session.run("state", target, "end", "count")
    #expect(state.output == "1\n")
  }

  @Test func lossEndsWithThree() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    try await session.record([.increment])
    try await session.record([.increment])
    let segments: [String] = try FileManager.default.contentsOfDirectory(atPath: session.log)
      .filter { $0.hasSuffix(".segment") }.sorted()
    try FileManager.default.removeItem(atPath: "\(session.log)/\(segments[1])")
    let target: String = session.directory + "/good.retrace"
    let (output, errors, status) = await session.run("recover", session.log, target)
    #expect(output.contains("lost  LOG: records "))
    #expect(output.contains("\nlost  records "))
    #expect(output.contains("\(target)  recovered with loss: "))
    #expect(errors == "")
    #expect(status == .recoveredWithLoss)
    // The new log knows what it lacks.
    let again: String = session.directory + "/again.retrace"
    let second = await session.run("recover", target, again)
    #expect(second.output.hasPrefix("known  records "))
    #expect(second.status == .done)
    let verify = await session.run("verify", target)
    #expect(verify.status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record([.increment])
    let target: String = session.directory + "/good.retrace"
    let (output, _, status) = await session.run("recover", session.log, target, "--json")
    #expect(
      output.hasPrefix(
        #"{"version":1,"kind":"result","path":"LOG","target":"\#(target)","loss":false,"records":"#)
    )
    #expect(status == .done)
  }

  @Test func whatIsThereIsNotWrittenOver() async throws {
    let session = try Session()
    try await session.record([.increment])
    let (output, errors, status) = await session.run("recover", session.log, session.log)
    #expect(output == "")
    #expect(
      errors == """
        error: There is something at "LOG" already. Name a path that is not there yet: a log is \
        never written over another.

        """)
    #expect(status == .failed)
  }
}
