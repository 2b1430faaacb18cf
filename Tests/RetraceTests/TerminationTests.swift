import ActionLog
import Foundation
import Retrace
import TestSupport
import Testing

/// What is left of a program that was told to end, and closes its recording then.
@Suite(.serialized)
struct TerminationTests {
  private struct Outcome: Equatable {
    var printed: String
    var isSignal: Bool
    var status: Int32
  }

  /// Starts the program, sends it the signals once it is ready, and waits for its end.
  private func run(_ path: String, _ how: String, _ signals: Int32...) throws -> Outcome {
    let process = Process()
    process.executableURL = Program("crasher").url
    process.arguments = [path, how]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var printed: [UInt8] = []
    while printed.count < 6 {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      printed += part
    }
    for signal in signals { kill(process.processIdentifier, signal) }
    printed += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      printed: String(decoding: printed, as: UTF8.self),
      isSignal: process.terminationReason == .uncaughtSignal,
      status: process.terminationStatus)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func theLogEndsInOrderAndTheProgramByItsSignal(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let outcome = try run(path, "wait", signal)
    #expect(outcome == Outcome(printed: "ready\n", isSignal: true, status: signal))
    let run = try LogInspector(at: path, mode: .strict).run()
    #expect(run.summary.endedCleanly)
    #expect(run.summary.actions.map(\.count) == [3])
  }

  @Test func aHandlerOfTheProgramIsCalledBehindIt() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let outcome = try run(path, "handler", SIGTERM)
    #expect(outcome == Outcome(printed: "ready\nhandled\n", isSignal: false, status: 7))
    #expect(try LogInspector(at: path, mode: .strict).run().summary.endedCleanly)
  }

  @Test func anIgnoredSignalStaysIgnored() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let outcome = try run(path, "ignore", SIGHUP, SIGTERM)
    #expect(outcome == Outcome(printed: "ready\n", isSignal: true, status: SIGTERM))
    #expect(try LogInspector(at: path, mode: .strict).run().summary.endedCleanly)
  }

  /// A kill asks nobody.
  @Test func aKillIsNoEndInOrder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let outcome = try run(path, "wait", SIGKILL)
    #expect(outcome == Outcome(printed: "ready\n", isSignal: true, status: SIGKILL))
    let run = try LogInspector(at: path).run()
    #expect(!run.summary.endedCleanly)
    #expect(run.summary.actions.map(\.count) == [3])
  }
}
