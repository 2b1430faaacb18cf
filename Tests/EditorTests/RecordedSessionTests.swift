import Foundation
import Testing

@testable import EditorCore

/// Sessions recorded by the program and replayed by it.
@Suite struct RecordedSessionTests {
  @Test(arguments: EditingSession.own)
  func ownSessionsReplay(file: URL) throws {
    try check(file)
  }

  @Test(.enabled(if: EditingSession.folder != nil, EditingSession.isMissing))
  func realSessionsReplay() throws {
    for file in try EditingSession.real() { try check(file) }
  }

  private func check(_ file: URL) throws {
    let session = try EditingSession(file: file)
    let folder = try TemporaryFolder()
    let log: String = folder.path("session.retrace")
    let recorded = try EditorProcess.run(
      ["--record", log, "--ack"], input: try lines(of: session.transactions))
    #expect(recorded.status == 0)
    #expect(recorded.errors == "")
    #expect(recorded.output.hasSuffix("{\"ack\": \(session.transactions.count)}\n"))
    let name: Comment = "\(file.lastPathComponent)"
    #expect(try EditorProcess.run(["state", log, "0", "text", "--raw"]).output == "", name)
    let end = try EditorProcess.run(["state", log, "end", "text", "--raw"])
    #expect(end.status == 0)
    EditorTests.check(isSame(end.output, session.end), name)
    let words = try EditorProcess.run(["state", log, "end", "wordCount"])
    #expect(words.output == "\(TextBuffer(session.end).wordCount)\n", name)
    let replay = try EditorProcess.run(["replay", log])
    #expect(replay.status == 0, name)
  }

  @Test func anEditIsExplained() throws {
    let folder = try TemporaryFolder()
    let log: String = folder.path("session.retrace")
    let recorded = try EditorProcess.run(
      ["--record", log], input: "{\"patches\": [[0, 0, \"two words\"]]}\n")
    #expect(recorded.status == 0)
    let why = try EditorProcess.run(["why", log, "wordCount"])
    #expect(why.status == 0)
    #expect(why.output.contains("wordsCounted(revision: 1, count: 2)"))
    #expect(why.output.contains("edit"))
  }

  @Test func aSecondSessionIsASecondRun() throws {
    let folder = try TemporaryFolder()
    let log: String = folder.path("session.retrace")
    for text in ["one", "two"] {
      let recorded = try EditorProcess.run(
        ["--record", log], input: "{\"patches\": [[0, 0, \"\(text)\"]]}\n")
      #expect(recorded.status == 0)
    }
    #expect(try EditorProcess.run(["state", log, "end", "text", "--raw"]).output == "two")
    #expect(try EditorProcess.run(["state", log, "1:end", "text", "--raw"]).output == "one")
  }

  @Test func aPlaceThatIsNoLogIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data("text".utf8).write(to: folder.url("file"))
    for path in [folder.path("file"), folder.path("missing/log.retrace")] {
      let result = try EditorProcess.run(
        ["--record", path], input: "{\"patches\": [[0, 0, \"x\"]]}\n")
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("error: "))
      #expect(result.errors.contains(path))
    }
  }
}
