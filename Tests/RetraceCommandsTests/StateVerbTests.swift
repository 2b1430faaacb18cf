import ActionCoding
import CommandLineKit
import Testing

@testable import RetraceCommands

@MainActor
@Suite struct StateVerbTests {
  @Test func theWholeStateIsPrinted() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("state", session.log, "3")
    #expect(
      output == """
        {
          "count": 1,
          "note": "two words",
          "items": [
            "tea"
          ],
          "total": 2.5
        }

        """)
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test(arguments: [
    (["0", "count"], "0\n"), (["end", "count"], "42\n"), (["-2", "note"], "\"two words\"\n"),
    (["-2", "note", "--raw"], "two words"), (["end", "count", "--raw"], "42\n"),
    (["end", "note", "--raw"], "\u{1B}[31m\"x\"\n"), (["3", "items[0]", "--raw"], "tea"),
    (
      ["3", "total", "--json"],
      "{\"version\":1,\"run\":1,\"stream\":\"Shop\",\"number\":3,\"path\":\"total\",\"value\":2.5}\n"
    ),
  ])
  func partsArePrinted(arguments: [String], printed: String) async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status: ExitCode = await session.tool.run(
      ["state", session.log] + arguments, console: Console(output: output, errors: errors))
    #expect(output.contents == printed)
    #expect(errors.contents == "")
    #expect(status == .done)
  }

  @Test func whatIsNotThereIsNamed() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("state", session.log, "10")
    #expect(output == "")
    #expect(
      errors == "error: State 10 does not exist: stream Shop of run 1 has states 0 to 9.\n")
    #expect(status == .failed)
    let path = await session.run("state", session.log, "end", "price")
    #expect(path.output == "")
    #expect(
      path.errors == "error: The path 'price' does not exist. The value has no 'price'. "
        + "It has: count, note, items, total.\n")
    #expect(path.status == .failed)
  }

  @Test func reducersDoNotPrintIntoTheData() async throws {
    let session = try Session()
    try await session.record([.say, .increment])
    #expect(await session.run("state", session.log, "end", "count").output == "1\n")
  }

  @Test func otherProgramsAreTold() async throws {
    let session = try Session(tool: RetraceTool(name: "retrace"))
    let (output, errors, status) = await session.run("state", session.log, "1")
    #expect(output == "")
    #expect(
      errors == """
        error: 'state' folds actions through the reducers of the program that recorded them, and \
        retrace has none. Run it with that program, as in 'PROGRAM state LOG', if it has the verbs \
        of Retrace built in.

        """)
    #expect(status == .wrongUse)
  }
}

@MainActor
@Suite struct DiffVerbTests {
  @Test(arguments: [
    (["3"], "items[0]  absent → \"tea\"\ntotal  0.0 → 2.5\n"),
    (
      ["1-3"],
      "count  0 → 1\nnote  \"\" → \"two words\"\nitems[0]  absent → \"tea\"\n"
        + "total  0.0 → 2.5\n"
    ),
    (["0", "1"], "count  0 → 1\n"),
    (["5", "4"], "count  41 → 1\n"),
    (["6"], ""),
  ])
  func changesAreListed(arguments: [String], printed: String) async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status: ExitCode = await session.tool.run(
      ["diff", session.log] + arguments, console: Console(output: output, errors: errors))
    #expect(output.contents == printed)
    #expect(errors.contents == (printed.isEmpty ? "States 5 and 6 are equal.\n" : ""))
    #expect(status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    #expect(
      await session.run("diff", session.log, "3", "--json").output == """
        {"version":1,"run":1,"stream":"Shop","from":2,"to":3,"changes":[\
        {"path":"items[0]","new":"tea"},{"path":"total","old":0.0,"new":2.5}]}

        """)
  }

  @Test func addressesMustFit() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let range = await session.run("diff", session.log, "1-2", "3")
    #expect(
      range.errors.hasPrefix(
        "error: A range and another address can't be compared; give two addresses.\n"))
    #expect(range.status == .wrongUse)
    let streams = await session.run("diff", session.log, "1", "2:3")
    #expect(streams.errors.hasPrefix("error: Both addresses must be about one stream.\n"))
    #expect(streams.status == .wrongUse)
  }

  @Test func longTextsShowWhatDiffers() {
    let text = DifferenceText(palette: Palette(isOn: false))
    let before = String(repeating: "a", count: 70) + "old" + String(repeating: "b", count: 70)
    let after = String(repeating: "a", count: 70) + "new!" + String(repeating: "b", count: 70)
    #expect(
      text.change(.string(before), .string(after))
        == "at 70: -\"old\" +\"new!\" after \"aaaaaaaaaaaa\", before \"bbbbbbbbbbbb\"")
    #expect(
      text.change(.string(before), .string(before + "c"))
        == "at 143: +\"c\" after \"bbbbbbbbbbbb\", before \"\"")
    #expect(text.change(.string("a"), nil) == "\"a\" → absent")
  }
}

@MainActor
@Suite struct WhyVerbTests {
  @Test func theLastChangeIsFound() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run(
      "why", session.log, "count", "--at", "7")
    #expect(
      output == """
        1:Shop/5 last changed it, DATE
          count  1 → 41
        cause
          5  TIME  effect 4  loaded(40)
          4  TIME  user      load

        """)
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    #expect(
      await session.run("why", session.log, "total", "--json").output == """
        {"version":1,"run":1,"stream":"Shop","number":3,"time":"DATE","origin":{"kind":"user"},\
        "action":{"add":{"name":"tea","price":2.5}},"path":"total","old":0.0,"new":2.5,\
        "cause":[]}

        """)
  }

  @Test func whatNeverChangedIsTold() async throws {
    let session = try Session()
    try await session.record([.increment])
    let (output, _, status) = await session.run("why", session.log, "note")
    #expect(
      output == "No action up to 1 changed it: it is \"\" from the initial state on.\n")
    #expect(status == .done)
    #expect(
      await session.run("why", session.log, "note", "--json").output
        == "{\"version\":1,\"run\":1,\"stream\":\"Shop\",\"number\":null,\"path\":\"note\",\"new\":\"\"}\n"
    )
    let missing = await session.run("why", session.log, "price")
    #expect(missing.output == "")
    #expect(missing.errors.contains("'price'"))
    #expect(missing.status == .failed)
  }
}

@MainActor
@Suite struct ReplayVerbTests {
  @Test func theWholeStreamIsFolded() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("replay", session.log)
    let lines: [Substring] = output.split(separator: "\n")
    #expect(lines[0].hasPrefix("1:Shop  9 actions in 0."))
    #expect(lines[0].hasSuffix(" a second"))
    #expect(lines[2] == "state 9")
    #expect(lines[3] == "  count  42")
    #expect(lines[5] == "  items  [\"tea\"]")
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, _, _) = await session.run("replay", session.log, "1:Shop", "--json")
    #expect(output.hasPrefix(#"{"version":1,"run":1,"stream":"Shop","actions":9,"seconds":"#))
    #expect(output.hasSuffix("\"divergence\":null}\n"))
  }

  @Test func otherBuildsAreNamed() {
    let recorded: [String: String] = ["build": "0123456789abcdef", "program": "shop"]
    #expect(
      BuildNote.text(recorded: recorded, current: ["build": "fedcba9876543210"])
        == "note: This is not the build that recorded the log (shop, build 0123456789ab; this is "
        + "build fedcba987654): where its reducers differ, so do the states.")
    #expect(BuildNote.text(recorded: recorded, current: recorded) == nil)
    #expect(BuildNote.text(recorded: [:], current: recorded) == nil)
  }
}
