import Testing

@testable import CommandLineKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct OutputTests {
  @Test func aClosedPipeIsAQuietEnd() async throws {
    System.ignoreClosedPipes()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let channel: OutputChannel = .descriptor(ends[1], name: "standard output")
    let errors: OutputChannel = .memory()
    let program = Program(
      Command(
        "tool", abstract: "",
        subcommands: [
          Command("flood", abstract: "") { (call: Invocation) in
            while true { try call.console.output.line(String(repeating: "x", count: 1_000)) }
          }
        ]),
      version: "1")
    let console = Console(output: channel, errors: errors)
    #expect(await program.run(["flood"], console: console) == .closedPipe)
    #expect(errors.contents == "")
    // The channel stays shut.
    let error: OutputError? = #expect(throws: OutputError.self) { try channel.line("more") }
    #expect(error?.isClosedPipe == true)
  }

  @Test func aFullDiskIsToldOnce() async throws {
    let descriptor: Int32 = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let errors: OutputChannel = .memory()
    let console = Console(
      output: .descriptor(descriptor, name: "standard output"), errors: errors)
    #expect(await Example.program.run(["log", "x"], console: console) == .failed)
    #expect(
      errors.contents == "error: Can't write to standard output: No space left on device.\n")
  }

  @Test func whatWasPrintedComesBeforeWhatFailed() async throws {
    let output: OutputChannel = .memory()
    let program = Program(
      Command(
        "tool", abstract: "",
        subcommands: [
          Command("half", abstract: "") { (call: Invocation) in
            try call.console.output.line("one")
            throw UsageError("The address 'x' is no address.")
          }
        ]),
      version: "1")
    let errors: OutputChannel = .memory()
    let status: ExitCode = await program.run(
      ["half"], console: Console(output: output, errors: errors))
    #expect(output.contents == "one\n")
    #expect(
      errors.contents == """
        error: The address 'x' is no address.
        Usage: tool half
          See 'tool half --help' for more information.

        """)
    #expect(status == .wrongUse)
  }

  @Test func jsonLinesCarryAVersion() throws {
    var line = JSONLine()
    line.field("name", "a \"b\"\n\u{1}\u{7F}\\ é 😀")
    line.field("count", UInt64.max)
    line.field("low", -3)
    line.field("rate", 0.5)
    line.field("odd", Double.nan)
    line.field("far", -Double.infinity)
    line.field("on", true)
    line.null("none")
    line.json("raw", "[1]".utf8)
    line.object("empty") { _ in }
    line.object("inner") { (inner: inout JSONLine) in inner.field("a", 1) }
    line.array("list", [1, 2]) { (element: inout JSONLine, value: Int) in
      element.field("v", value)
    }
    line.strings("words", ["x", "y"])
    line.strings("nothing", [])
    #expect(
      line.text == #"{"version":1,"name":"a \"b\"\n\u0001\u007f\\ é 😀","#
        + #""count":18446744073709551615,"low":-3,"rate":0.5,"odd":"nan","far":"-inf","#
        + #""on":true,"none":null,"raw":[1],"empty":{},"inner":{"a":1},"#
        + #""list":[{"v":1},{"v":2}],"words":["x","y"],"nothing":[]}"#)
    let channel: OutputChannel = .memory()
    try channel.json(line)
    #expect(channel.contents == line.text + "\n")
  }
}

@Suite struct ExclusiveOutputTests {
  @Test func othersPrintNowhere() async throws {
    let result = try await #require(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let channel: OutputChannel = .standardOutput()
      print("before")
      try channel.exclusively(showingOthers: false) {
        print("noise")
        try channel.line("data")
      }
      print("after")
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains("before\ndata\nafter\n"))
    #expect(!output.contains("noise"))
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("noise"))
  }

  @Test func othersPrintOnStandardErrorWhereAsked() async throws {
    let result = try await #require(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let channel: OutputChannel = .standardOutput()
      try channel.exclusively(showingOthers: true) {
        print("noise")
        try channel.line("data")
      }
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains("data\n"))
    #expect(!output.contains("noise"))
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("noise\n"))
  }
}

@Suite struct ProgressTests {
  @Test func itEstimatesWhatIsLeft() {
    let progress = Progress(
      "replaying", total: 200, console: Console(output: .memory(), errors: .memory()))
    #expect(progress.text(0, elapsed: .seconds(1)) == "replaying 0 %")
    #expect(progress.text(50, elapsed: .seconds(10)) == "replaying 25 %, about 30 s left")
    #expect(progress.text(50, elapsed: .seconds(100)) == "replaying 25 %, about 5 min left")
    #expect(progress.text(50, elapsed: .seconds(10_000)) == "replaying 25 %, about 8 h left")
    #expect(progress.text(300, elapsed: .seconds(10)) == "replaying 100 %, about 1 s left")
  }

  @Test func itIsSilentWithoutATerminal() {
    let errors: OutputChannel = .memory()
    var progress = Progress(
      "replaying", total: 2, console: Console(output: .memory(), errors: errors))
    progress.update(1)
    progress.finish()
    #expect(errors.contents == "")
  }
}
