import Foundation
import Testing

@testable import EditorCore

/// The program where the system does not do its part.
@Suite struct FailingPipeTests {
  /// Runs the program with files of the system's as its streams.
  private func run(
    _ arguments: [String], input: String, output: String = "/dev/null"
  ) throws -> (status: Int32, errors: String) {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      EditorProcess.path, arguments, input: .read(input), output: .write(output),
      errors: .write(folder.path("err")))
    let status: Int32 = process.wait()
    return (
      status, String(decoding: try Data(contentsOf: folder.url("err")), as: UTF8.self)
    )
  }

  @Test func answersThatAreLostAreTold() throws {
    let folder = try TemporaryFolder()
    let edits = "{\"patches\": [[0, 0, \"x\"]]}\n{\"command\": \"save\"}\n"
    try Data(edits.utf8).write(to: folder.url("in"))
    let (status, errors) = try run(
      ["--ack", "--file", folder.path("a.txt")], input: folder.path("in"), output: "/dev/full")
    #expect(
      errors == """
        editor: The answers can't be written (No space left on device): there is none from that \
        to line 1 on, though the lines are dealt with.

        """)
    #expect(status == 1)
    #expect(try String(contentsOf: folder.url("a.txt"), encoding: .utf8) == "x")
  }

  @Test func inputThatCannotBeReadIsTold() throws {
    let folder = try TemporaryFolder()
    let (status, errors) = try run([], input: folder.root.path)
    #expect(
      errors == "editor: The input can't be read (Is a directory); what came before was done.\n")
    #expect(status == 1)
  }

  @Test func onlyRegularFilesAreEdited() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in ["/dev/full", folder.path("pipe")] {
      let (status, errors) = try run(["--file", path], input: "/dev/null")
      #expect(
        errors == """
          error: \(path) is not a regular file, and only these can be edited; choose another

          """)
      #expect(status == 1)
    }
  }

  @Test func aFileNeedsItsFolder() throws {
    let folder = try TemporaryFolder()
    let path: String = folder.path("none/a.txt")
    let (status, errors) = try run(["--file", path], input: "/dev/null")
    #expect(
      errors == """
        error: \(path) could not be saved, since there is no directory \(folder.path("none")); \
        make it first, or choose another path

        """)
    #expect(status == 1)
  }

  @Test func aFolderThatIsGoneIsNamed() throws {
    let folder = try TemporaryFolder()
    let path: String = folder.path("none/a.txt")
    let error: FileWriterError? = #expect(throws: FileWriterError.self) {
      try FileReplacement.replace(path, with: TextBuffer("x"))
    }
    #expect(
      error?.description
        == "\(path) was not saved: there is no directory \(folder.path("none")) any more.")
  }

  @Test func emptyPathsAreRefused() throws {
    for option in ["--file", "--record"] {
      let (status, errors) = try run(["\(option)="], input: "/dev/null")
      #expect(errors.contains("a path can't be empty."), "\(errors)")
      #expect(status == 64)
    }
  }

  @Test(arguments: [
    ("infoo", "There is no verb 'infoo'. Did you mean 'info'?"),
    ("notes.txt", "There is no verb 'notes.txt'. To edit a file, write '--file notes.txt'."),
  ])
  func wordsThatAreNoVerbsAreTold(word: String, message: String) throws {
    let (status, errors) = try run([word, "x"], input: "/dev/null")
    #expect(errors.hasPrefix("error: \(message)"), "\(errors)")
    #expect(status == 64)
  }
}
