import ActionLog
import Foundation
import Retrace
import TestSupport
import Testing

/// What is left of a program that ended without closing its recording.
@Suite
struct CrashTests {
  @Test func theActionThatCrashedIsTheLastAndIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let outcome = try Program("crasher").run([path, "trap"])
    #expect(outcome.status < 0)
    let inspector = try LogInspector(at: path)
    let run = try inspector.run()
    #expect(!run.summary.endedCleanly)
    #expect(run.summary.inFlight == [InFlight(run: 1, stream: 1, action: 3)])
    #expect(try values(of: inspector) == ["step(1)", "step(20)", "trap"])
  }

  @Test func aProgramThatEndsBetweenActionsAccusesNone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let outcome = try Program("crasher").run([path, "exit"])
    #expect(outcome.status == 0)
    let inspector = try LogInspector(at: path)
    #expect(try inspector.run().summary.inFlight.isEmpty)
    #expect(try values(of: inspector) == ["step(1)", "step(20)", "step(300)"])
  }

  private func values(of inspector: LogInspector) throws -> [String] {
    var actions = inspector.actions(of: try inspector.stream())
    var values: [String] = []
    while let action = try actions.next() { values.append(action.value.map { "\($0)" } ?? "-") }
    return values
  }
}
