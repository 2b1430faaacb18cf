import Testing

@testable import RetraceCommands

@Suite struct CasePatternTests {
  @Test(arguments: [
    ("edit", ["edit"], true), (".edit", ["edit"], true), ("edit", ["edited"], false),
    ("edit*", ["edited"], true), ("*Response", ["saveResponse"], true), ("*", ["x"], true),
    ("e?it", ["edit"], true), ("e?it", ["eit"], false), ("*a*b", ["xaxbxab"], true),
    ("*a*b", ["xaxbxa"], false), ("row", ["row", "tapped"], true),
    ("row.tapped", ["row", "tapped"], true), ("row.*", ["row"], false),
    ("tapped", ["row", "tapped"], false), ("*.tapped", ["row", "tapped"], true),
    ("", ["edit"], false), ("edit", [], false),
  ])
  func casesMatch(pattern: String, names: [String], matches: Bool) {
    #expect(CasePattern(pattern).matches(names) == matches)
  }

  @Test func manyStarsAreQuick() {
    let pattern = CasePattern(String(repeating: "*a", count: 200) + "b")
    #expect(!pattern.matches([String(repeating: "a", count: 2_000)]))
  }
}
