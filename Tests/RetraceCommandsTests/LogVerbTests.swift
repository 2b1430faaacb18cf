import CommandLineKit
import ComposableArchitecture
import Retrace
import Testing

@testable import RetraceCommands

@MainActor
@Suite struct LogVerbTests {
  @Test func actionsAreListed() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("log", session.log)
    #expect(
      output == #"""
        1  TIME  user      increment
        2  TIME  user      rename("two words")
        3  TIME  user      add(name: "tea", price: 2.5)
        4  TIME  user      load
        5  TIME  effect 4  loaded(40)
        6  TIME  user      row(id: 7, action: tapped)
        7  TIME  user      row(id: 7, action: moved(to: 3))
        8  TIME  user      increment
        9  TIME  user      rename("\u{1b}[31m\"x\"\n")

        """#)
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test(arguments: [
    (["3"], [3]), (["3-4"], [3, 4]), (["-2-"], [8, 9]), (["end"], [9]), (["8-end"], [8, 9]),
    (["--case", "increment"], [1, 8]), (["--case", "row.*"], [6, 7]),
    (["--case", "row.tapped", "--case", "lo*"], [4, 5, 6]), (["--origin", "effect"], [5]),
    (["--origin", "4"], [5]), (["--origin", "user", "--limit", "2"], [1, 2]),
    (["--origin", "observer"], []), (["--text", "tea"], [3]), (["--from", "8"], [8, 9]),
    (["--from", "2", "--to", "3"], [2, 3]), (["--to", "1970-01-01T00:00Z"], []),
    (["--from", "2100-01-01T00:00Z"], []), (["--from", "1970-01-01T00:00Z", "--to", "1"], [1]),
    (["1:Shop/2"], [2]), (["Shop/2-3", "--limit", "1"], [2]), (["--follow", "1-2"], [1, 2]),
    (["--follow"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
  ])
  func filtersSelect(arguments: [String], numbers: [Int]) async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status: ExitCode = await session.tool.run(
      ["log", session.log] + arguments, console: Console(output: output, errors: errors))
    let listed: [Int] = output.contents.split(separator: "\n").compactMap {
      Int($0.prefix { $0 != " " })
    }
    #expect(listed == numbers)
    #expect(errors.contents == "")
    #expect(status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, _, status) = await session.run("log", session.log, "4-5", "--json")
    #expect(
      output == """
        {"version":1,"run":1,"stream":"Shop","number":4,"time":"DATE","origin":{"kind":"user"},\
        "action":{"load":{}}}
        {"version":1,"run":1,"stream":"Shop","number":5,"time":"DATE","origin":{"kind":"effect",\
        "action":4},"action":{"loaded":{"_0":40}}}

        """)
    #expect(status == .done)
  }

  @Test func linesFitATerminal() async throws {
    let session = try Session()
    try await session.record([.rename(String(repeating: "long ", count: 100))])
    let (output, _, _) = await session.run("log", session.log, columns: 60)
    let line: Substring = output.split(separator: "\n")[0]
    #expect(line.hasSuffix("…"))
    // TIME stands for a time of 12 characters.
    #expect(line.count + 8 <= 60)
  }

  @Test func laterRunsAreTheDefault() async throws {
    let session = try Session()
    try await session.record([.increment])
    try await session.record([.load, .increment], as: "second")
    #expect(
      await session.run("log", session.log, "end").output
        == "3  TIME  user      increment\n")
    #expect(
      await session.run("log", session.log, "1:1").output == "1  TIME  user      increment\n")
  }

  @Test(arguments: [
    (
      ["10"],
      "error: Action 10 does not exist: stream Shop of run 1 has actions 1 to 9.\n",
      ExitCode.failed
    ),
    (
      ["3:1"], "error: 'LOG' has no run 3. It has one run, 1.\n", .failed
    ),
    (
      ["cart/1"], "error: Run 1 of 'LOG' has no stream 'cart'. It has 'Shop' (1).\n", .failed
    ),
  ])
  func whatIsNotThereIsNamed(
    arguments: [String], message: String, status: ExitCode
  ) async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let result = await session.run("log", session.log, arguments[0])
    #expect(result.errors == message)
    #expect(result.output == "")
    #expect(result.status == status)
  }

  @Test func addressesThatAreNoneAreWrongUse() async throws {
    let session = try Session()
    let (output, errors, status) = await session.run("log", session.log, "x")
    #expect(output == "")
    #expect(
      errors == """
        error: The value 'x' is invalid for '<range>': \(AddressError.rangeGrammar).
        Help:  <range>  The actions to print; all of them if left out.
        Usage: shop log <log> [<range>] [<options>]
          See 'shop log --help' for more information.

        """)
    #expect(status == .wrongUse)
  }

  @Test func followingEndsWithTheStream() async throws {
    let session = try Session()
    let recording = try Recording(at: session.log)
    let store = Store(initialState: Shop.State()) { Shop().recorded(by: recording) }
    await store.send(.increment).finish()
    let output: OutputChannel = .memory()
    let following = Task { @MainActor in
      await session.tool.run(
        ["log", session.log, "--follow"], console: Console(output: output, errors: .memory()))
    }
    // The line of the first action is out before the second one is sent.
    while output.contents.isEmpty { await Task.yield() }
    await store.send(.rename("later")).finish()
    try recording.close()
    #expect(await following.value == .done)
    let lines: [Substring] = output.contents.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasSuffix("rename(\"later\")") == true)
  }
}
