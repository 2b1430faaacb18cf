import Testing

@testable import CommandLineKit

@Suite struct CompletionTests {
  @Test(arguments: Shell.allCases)
  func everyVerbAndOptionIsOffered(shell: Shell) {
    let script: String = Example.program.completions(for: shell)
    for word in ["log", "info", "replay", "help", "limit", "case", "follow", "json", "color"] {
      #expect(script.contains(word), "\(word) in \(shell)")
    }
    #expect(script.contains("auto always never"))
    #expect(script.hasSuffix("\n"))
  }

  @Test func quotesInHelpDoNotEndAWord() {
    #expect(ShellQuoting.posix("log's") == #"'log'\''s'"#)
    #expect(ShellQuoting.fish(#"log's \x"#) == #"'log\'s \\x'"#)
    #expect(ShellQuoting.zshDescription("a [b]: c") == #"a \[b\]\: c"#)
  }

  @Test func theManualHasEveryVerbOptionAndStatus() {
    let page: String = ManualPage(Example.program).roff
    for line in [
      ".TH \"TOOL\" 1 \"\" \"tool 1.2.3\"", ".SS \"log\"", "\\fB\\-l, \\-\\-limit <count>\\fR",
      ".SH EXIT STATUS", "\\fB64\\fR", "\\fBNO_COLOR\\fR", "  tool log x",
    ] {
      #expect(page.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
    #expect(!page.split(separator: "\n").contains { $0.hasPrefix("'") })
  }
}
