import Testing

@testable import CommandLineKit

@Suite struct ParsingTests {
  @Test func valuesAreReadInEveryForm() throws {
    for arguments in [
      ["log", "x", "--limit", "3"], ["log", "x", "--limit=3"], ["log", "-l", "3", "x"],
      ["log", "-l3", "x"], ["log", "-l=3", "x"], ["log", "--limit", "9", "--limit", "3", "x"],
    ] {
      let outcome: ParseOutcome = try CommandParser(Example.program.root).parse(arguments)
      guard case .run(let command, let parsed, let path) = outcome else {
        Issue.record("\(arguments) did not run")
        continue
      }
      #expect(command.name == "log")
      #expect(path == ["tool", "log"])
      #expect(parsed[Example.limit] == 3)
      #expect(parsed[Example.log] == "x")
      #expect(parsed[Example.address] == nil)
    }
  }

  @Test func shortFlagsCombine() throws {
    let parsed: ParsedArguments = try Example.parse("log", "-fjl2", "x")
    #expect(parsed[Example.follow])
    #expect(parsed[Example.json])
    #expect(parsed[Example.limit] == 2)
  }

  @Test func repeatedOptionsKeepTheirOrder() throws {
    let parsed: ParsedArguments = try Example.parse("log", "x", "--case", "b", "--case=a")
    #expect(parsed.all(Example.cases) == ["b", "a"])
    #expect(!parsed[Example.json])
  }

  @Test func defaultsAreParsedAsIfTyped() throws {
    let parsed: ParsedArguments = try Example.parse("log", "x")
    #expect(parsed[StandardParameters.color] == .auto)
    #expect(parsed[Example.limit] == nil)
  }

  @Test func negativeNumbersAreArguments() throws {
    #expect(try Example.parse("log", "x", "-5")[Example.address] == "-5")
    #expect(try Example.parse("log", "x", "-5-end")[Example.address] == "-5-end")
    #expect(try Example.parse("log", "-", "--", "--json")[Example.address] == "--json")
  }

  @Test(arguments: [
    (["log"], "Missing expected argument '<log>'"),
    (["log", "x", "y", "z"], "Unexpected argument 'z'"),
    (["log", "x", "y", "z", "w"], "Unexpected arguments 'z', 'w'"),
    (["log", "x", "--limit"], "Missing value for '--limit <count>'"),
    (["log", "x", "--limit", "--json"], "Missing value for '--limit <count>'"),
    (
      ["log", "x", "--limit", "abc"],
      "The value 'abc' is invalid for '--limit <count>': it is not a whole number."
    ),
    (
      ["log", "x", "--limit=0"],
      "The value '0' is invalid for '--limit <count>': it must be at least 1."
    ),
    (
      ["log", "x", "--color", "blue"],
      "The value 'blue' is invalid for '--color <when>': it must be one of auto, always, never."
    ),
    (["log", "x", "--limt", "3"], "Unknown option '--limt'. Did you mean '--limit'?"),
    (["log", "x", "--qqqqqq"], "Unknown option '--qqqqqq'."),
    (["log", "x", "--="], "Unknown option '--'."),
    (["log", "x", "-q"], "Unknown option '-q'."),
    (["log", "x", "-fé"], "Unknown option '-é'."),
    (["log", "x", "--json=yes"], "The flag '--json' takes no value, but got 'yes'."),
    (["log", "x", "-j=yes"], "The flag '--json' takes no value, but got 'yes'."),
    (["lgo", "x"], "Unknown subcommand 'lgo'. Did you mean 'log'?"),
    (["qqqq"], "Unknown subcommand 'qqqq'."),
    ([""], "Unknown subcommand ''."),
    (["help", "inf"], "Unknown subcommand 'inf'. Did you mean 'info'?"),
    (["--json"], "Unknown option '--json'."),
  ])
  func mistakesAreNamed(arguments: [String], message: String) {
    let error: UsageError? = #expect(throws: UsageError.self) {
      try CommandParser(Example.program.root, version: "1").parse(arguments)
    }
    #expect(error?.message == message)
  }

  @Test func helpWinsOverMistakes() throws {
    for arguments in [
      ["log", "--help"], ["log", "--nonsense", "-h"], ["help", "log"], ["help", "help", "log"],
      ["log", "a", "b", "c", "--help"],
    ] {
      let outcome: ParseOutcome = try CommandParser(Example.program.root).parse(arguments)
      guard case .help(let command, let path) = outcome else {
        Issue.record("\(arguments) gave no help")
        continue
      }
      #expect(command.name == "log")
      #expect(path == ["tool", "log"])
    }
    // After `--` it is an argument as any other.
    #expect(try Example.parse("log", "x", "--", "--help")[Example.address] == "--help")
  }

  @Test func noArgumentListTraps() {
    let words: [String] = [
      "", "-", "--", "---", "-=", "--=", "--=x", "-l", "-l=", "--limit", "--limit=", "log", "help",
      "-5", "--json", "é", "\u{0}", "--limit=\u{1F600}", "-\u{301}", "=", "x", "--version",
    ]
    var seed: UInt64 = 7
    for _ in 0..<20_000 {
      var arguments: [String] = []
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      for index in 0..<Int(seed >> 61) {
        arguments.append(words[Int((seed >> (index * 5 + 8)) % UInt64(words.count))])
      }
      _ = try? CommandParser(Example.program.root, version: "1").parse(arguments)
    }
  }
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("lgo", "log"), ("LOG", "log"), ("inof", "info"), ("repl", "replay"), ("replya", "replay"),
  ])
  func nearWordsAreOffered(word: String, meant: String) {
    #expect(Suggestions.nearest(to: word, among: ["log", "info", "replay"]) == meant)
  }

  @Test func farWordsAreNot() {
    #expect(Suggestions.nearest(to: "xyzzy", among: ["log", "info"]) == nil)
    #expect(Suggestions.nearest(to: "", among: ["log"]) == nil)
    #expect(Suggestions.nearest(to: String(repeating: "l", count: 65), among: ["log"]) == nil)
    #expect(Suggestions.nearest(to: "x", among: []) == nil)
  }

  @Test func distanceCountsASwapOnce() {
    #expect(Suggestions.distance(Array("abcd"), Array("abdc")) == 1)
    #expect(Suggestions.distance(Array("kitten"), Array("sitting")) == 3)
    #expect(Suggestions.distance([], Array("abc")) == 3)
  }
}
