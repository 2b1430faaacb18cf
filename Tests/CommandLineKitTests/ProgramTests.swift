import Testing

@testable import CommandLineKit

@Suite struct ProgramTests {
  @Test func dataGoesToOutput() async {
    let (output, errors, status) = await Example.run(["log", "x", "12"])
    #expect(output == "log x 12\n")
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func failuresGoToErrors() async {
    let (output, errors, status) = await Example.run(["info", "x"])
    #expect(output == "")
    #expect(errors == "error: There is no log at x.\n")
    #expect(status == .failed)
  }

  @Test func theActionsStatusIsTheProgramsStatus() async {
    #expect(await Example.run(["replay"]).status == .divergence)
  }

  @Test func statusesAreThoseOfTheDesign() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 64, 141])
  }

  @Test func verbsAreTold() {
    #expect(Example.program.handles(["log"]))
    #expect(Example.program.handles(["help"]))
    #expect(!Example.program.handles(["notes.txt"]))
    #expect(!Example.program.handles([]))
  }

  @Test func colourFollowsFlagTerminalAndEnvironment() {
    func isOn(_ choice: ColorChoice, _ terminal: Bool, _ variables: [String: String]) -> Bool {
      choice.isOn(isTerminal: terminal) { variables[$0] }
    }
    #expect(isOn(.auto, true, [:]))
    #expect(!isOn(.auto, false, [:]))
    #expect(!isOn(.auto, true, ["NO_COLOR": "1"]))
    #expect(isOn(.auto, true, ["NO_COLOR": ""]))
    #expect(!isOn(.auto, true, ["TERM": "dumb"]))
    #expect(isOn(.always, false, ["NO_COLOR": "1"]))
    #expect(!isOn(.never, true, [:]))
    #expect(Palette(isOn: true).red("x") == "\u{1B}[31mx\u{1B}[0m")
    #expect(Palette(isOn: true).red("") == "")
    #expect(Palette(isOn: false).red("x") == "x")
  }
}
