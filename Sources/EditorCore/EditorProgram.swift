internal import CommandLineKit
internal import ComposableArchitecture
internal import Retrace

/// The program `editor`: a text editor on a terminal, or the core of one behind a pipe.
package enum EditorProgram {
  /// Edits as the command line asks, and gives the status to exit with.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  package static func run(_ arguments: [String]) async -> Int32 {
    await Program(command, version: "0.1.0").run(arguments).rawValue
  }

  private static let file = Option<String>(
    "file", value: "path", .text(completion: .file),
    help: "The file to edit, and to save to. It need not exist yet.")
  private static let record = Option<String>(
    "record", value: "log", .text(completion: .directory),
    help: "Record the session into this log, a directory such as session.retrace.")
  private static let ack = Flag(
    "ack",
    help: "From a pipe: print {\"ack\": N} once the action of line N has been reduced.")

  private static let command = Command(
    "editor", abstract: "Edit a text, and record how it came about.",
    discussion: """
      On a terminal: type. The arrows, Home, End and the page keys move; ^S saves, ^Z undoes, ^Y \
      redoes, ^Q quits.

      From a pipe each line is one action, in JSON. \(PipeInput.grammar) Positions count Unicode \
      code points.

      With a verb, such as 'editor state LOG end text --raw', it answers questions about a log: \
      see 'editor help'.
      """,
    parameters: [file, record, ack],
    action: { invocation in
      try await edit(
        path: invocation.arguments[file], log: invocation.arguments[record],
        acknowledges: invocation.arguments[ack])
    })

  @MainActor
  private static func edit(
    path: String?, log: String?, acknowledges: Bool
  ) async throws -> ExitCode {
    let text: TextBuffer = try path.map(FileContents.text) ?? TextBuffer()
    let recording: Recording? = try log.map { try Recording(at: $0) }
    let isGood: Bool = await session(
      store(Editor.State(text: text, path: path), recording), acknowledges: acknowledges)
    if let failure = recording?.failure {
      throw CommandError("The recording is not complete. \(failure)")
    }
    try recording?.close()
    return isGood ? .done : .failed
  }

  @MainActor
  private static func store(_ state: Editor.State, _ recording: Recording?) -> StoreOf<Editor> {
    guard let recording else { return Store(initialState: state) { Editor() } }
    return Store(initialState: state) {
      Editor()
        .recorded(by: recording)
    }
  }

  @MainActor
  private static func session(_ store: StoreOf<Editor>, acknowledges: Bool) async -> Bool {
    if TerminalDevice.isAvailable, let terminal = TerminalDevice() {
      defer { terminal.restore() }
      await TerminalSession(store: store, terminal: terminal).run()
      return true
    }
    return await PipeSession(store: store, acknowledges: acknowledges)
      .run(PipeLines(descriptor: 0))
  }
}
