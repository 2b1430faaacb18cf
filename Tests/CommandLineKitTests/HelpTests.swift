import Testing

@testable import CommandLineKit

@Suite struct HelpTests {
  @Test func helpHasTheUsualShape() async {
    let (output, errors, status) = await Example.run(["log", "--help"])
    #expect(
      output == """
        OVERVIEW: Actions, one a line.

        USAGE: tool log <log> [<address>] [--limit <count>] [--case <name> ...]
               [--follow] [--json] [--color <when>]

        ARGUMENTS:
          <log>                   The log's directory.
          <address>               Where to look.

        OPTIONS:
          -l, --limit <count>     Print this many.
          --case <name>           Only actions of this case.
          -f, --follow            Wait for more.
          -j, --json              Print JSON Lines.
          --color <when>          Whether to print in colour; NO_COLOR is respected.
                                  (values: auto, always, never; default: auto)
          -h, --help              Show help information.

        """)
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test(arguments: [[], ["--help"], ["-h"], ["help"], ["help", "--help"], ["help", "help"]])
  func rootListsItsVerbs(arguments: [String]) async {
    let (output, _, status) = await Example.run(arguments)
    #expect(
      output == """
        OVERVIEW: Shows things.

        It is an example.

          tool log x

        USAGE: tool <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          log                     Actions, one a line.
          info                    What it is.
          replay                  Fold all.

          See 'tool help <subcommand>' for detailed help.

        """)
    #expect(status == .done)
  }

  @Test func versionIsPrinted() async {
    let (output, errors, status) = await Example.run(["--version"])
    #expect(output == "1.2.3\n")
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func mistakesShowUsageOnStandardError() async {
    let (output, errors, status) = await Example.run(["info"])
    #expect(output == "")
    #expect(
      errors == """
        error: Missing expected argument '<log>'
        Help:  <log>  The log's directory.
        Usage: tool info <log>
          See 'tool info --help' for more information.

        """)
    #expect(status == .wrongUse)
  }

  @Test func longLabelsPushTheirHelpDown() {
    let lines: [String] = Wrapping.entry(
      label: "--a-very-long-option <with-value>", help: "What it does.", column: 26, width: 80)
    #expect(
      lines == [
        "  --a-very-long-option <with-value>", String(repeating: " ", count: 26) + "What it does.",
      ])
  }

  @Test func narrowTerminalsNeitherTrapNorLoop() {
    for width in [-5, 0, 1, 10, 26, 27] {
      let help = HelpText(Example.program.root, path: ["tool"], hasVersion: true)
      #expect(help.rendered(width: width).contains("SUBCOMMANDS:"))
    }
  }

  @Test func manyOptionsAreCountedNotListed() {
    let flags: [any CommandParameter] = (0..<9).map { Flag("flag\($0)", help: "") }
    let command = Command("many", abstract: "", parameters: flags + [Example.log])
    #expect(HelpText(command, path: ["many"]).usage == "many <log> [<options>]")
  }
}
