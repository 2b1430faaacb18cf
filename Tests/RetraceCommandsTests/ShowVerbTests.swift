import CommandLineKit
import Testing

@testable import RetraceCommands

@MainActor
@Suite struct ShowVerbTests {
  @Test func anAnswerHasItsCause() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("show", session.log, "5")
    #expect(
      output == """
        1:Shop/5  DATE  sent by an effect of action 4
        {
          "loaded": {
            "_0": 40
          }
        }
        cause
          5  TIME  effect 4  loaded(40)
          4  TIME  user      load
        changes
          count  1 → 41

        """)
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func aCauseHasItsEffectsAndAnswers() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, _, _) = await session.run("show", session.log, "4")
    let lines: [Substring] = output.split(separator: "\n")
    #expect(lines[0] == "1:Shop/4  DATE  sent by the user")
    #expect(lines.contains("effects"))
    let effect: Substring? = lines.first { $0.hasPrefix("  0  load RetraceCommandsTests/") }
    #expect(effect?.hasSuffix("  finished after action 5") == true)
    #expect(lines.contains("answers"))
    #expect(lines.contains("  5  TIME  effect 4  loaded(40)"))
    #expect(lines.suffix(2) == ["changes", "  none"])
  }

  @Test func withoutReducersThereAreNoChanges() async throws {
    let session = try Session(tool: RetraceTool(name: "retrace"))
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("show", session.log, "2")
    #expect(
      output == """
        1:Shop/2  DATE  sent by the user
        {
          "rename": {
            "_0": "two words"
          }
        }

        """)
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, _, _) = await session.run("show", session.log, "5", "--json")
    #expect(
      output == """
        {"version":1,"run":1,"stream":"Shop","number":5,"time":"DATE",\
        "origin":{"kind":"effect","action":4},"action":{"loaded":{"_0":40}},\
        "cause":[{"number":4,"time":"DATE","origin":"user","action":{"load":{}}}],\
        "reads":[],"effects":[],"answers":[],"changes":[{"path":"count","old":1,"new":41}]}

        """)
  }
}
