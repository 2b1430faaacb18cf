import Foundation
import Testing

@testable import EditorCore

/// The program behind a pipe.
@Suite struct PipeTests {
  @Test func eachLineIsAcknowledged() throws {
    let folder = try TemporaryFolder()
    let result = try EditorProcess.run(
      ["--ack", "--file", folder.path("a.txt")],
      input: #"""
        {"patches": [[0, 0, "h\u00e9llo"], [5, 0, " 🌍"]]}

        {"command": "undo"}
        {"command": "redo"}
        {"command": "save"}
        {"patches": [[0, 1, ""]]}
        {"command": "save"}
        {"command": "quit"}
        {"patches": [[0, 0, "never"]]}
        """#)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output == [1, 3, 4, 5, 6, 7, 8].map { "{\"ack\": \($0)}\n" }.joined())
    let saved = String(decoding: try Data(contentsOf: folder.url("a.txt")), as: UTF8.self)
    #expect(isSame(saved, "éllo 🌍"))
  }

  @Test func withoutAckThereIsNoOutput() throws {
    let result = try EditorProcess.run([], input: #"{"patches": [[0, 0, "x"]]}"#)
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(result.errors == "")
  }

  @Test func badLinesAreReportedAndTheRestIsDone() throws {
    let folder = try TemporaryFolder()
    let result = try EditorProcess.run(
      ["--ack", "--file", folder.path("a.txt")],
      input: """
        {"patches": [[0, 0, "abc"]]}
        nonsense
        {"patches": [[0, 1, ""], [7, 0, "x"]]}
        {"patches": [[3, 0, "d"]]}
        {"command": "save"}
        """)
    #expect(result.status == 1)
    let outOfRange =
      "Edit 2 of 2 does not fit, and none of them was made: "
      + "position 7 is outside the text, which has the positions 0 to 2."
    let noJSON =
      "Not JSON of an edit or a command: an object is expected, "
      + "and something else stands at byte 1. \(PipeInput.grammar)"
    #expect(result.errors == "editor: line 2: \(noJSON)\neditor: line 3: \(outOfRange)\n")
    #expect(
      result.output == """
        {"ack": 1}
        {"error": \(JSONText.quoted(noJSON)), "line": 2}
        {"error": "\(outOfRange)", "line": 3}
        {"ack": 4}
        {"ack": 5}

        """)
    #expect(try Data(contentsOf: folder.url("a.txt")) == Data("abcd".utf8))
  }

  @Test func aFileIsEditedAndKeepsItsMode() throws {
    let folder = try TemporaryFolder()
    try Data("one\r\ntwo".utf8).write(to: folder.url("a.txt"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.path("a.txt"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.txt"), withDestinationPath: "a.txt")
    let result = try EditorProcess.run(
      ["--file", folder.path("link.txt")],
      input: "{\"patches\": [[5, 3, \"2\"]]}\n{\"command\": \"save\"}\n")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(try Data(contentsOf: folder.url("a.txt")) == Data("one\r\n2".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a.txt"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.root.path).sorted()
        == ["a.txt", "link.txt"])
  }

  @Test func aSaveThatFailsEndsInStatusOne() throws {
    // A folder in which no one can make files.
    let path = "/proc/a.txt"
    let result = try EditorProcess.run(
      ["--file", path], input: "{\"patches\": [[0, 0, \"x\"]]}\n{\"command\": \"save\"}\n")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("editor: \(path) was not saved: \(path).saving-"))
    #expect(result.errors.hasSuffix(" can't be made (No such file or directory).\n"))
  }

  @Test func aSaveWithoutAFileIsRefused() throws {
    let result = try EditorProcess.run([], input: "{\"command\": \"save\"}\n")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "editor: line 1: The text has no file to be saved to: start the editor with "
        + "--file PATH.\n")
  }

  @Test func filesThatCanNotBeEdited() throws {
    let folder = try TemporaryFolder()
    let path: String = folder.path("a.bin")
    try Data([0x61, 0xFF]).write(to: folder.url("a.bin"))
    var result = try EditorProcess.run(["--file", path])
    #expect(result.status == 1)
    #expect(
      result.errors
        == "error: \(path) is not UTF-8 text; convert it first, for instance with iconv\n")
    result = try EditorProcess.run(["--file", folder.root.path])
    #expect(result.status == 1)
    #expect(result.errors == "error: \(folder.root.path) can't be read (Is a directory)\n")
  }

  @Test func wrongUse() throws {
    let result = try EditorProcess.run(["--fiel", "x"])
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("error: Unknown option '--fiel'"))
  }
}
