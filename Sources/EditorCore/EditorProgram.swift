internal import ActionLog
internal import CommandLineKit
internal import ComposableArchitecture
internal import Retrace

/// The program `editor`: a text editor on a terminal, or the core of one behind a pipe.
package enum EditorProgram {
  /// Edits as the command line asks, and gives the status to exit with.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - verbs: The words that would have asked for something else, to find what was mistyped.
  package static func run(_ arguments: [String], verbs: [String] = []) async -> Int32 {
    var command: Command = command
    var arguments: [String] = arguments
    if let word = arguments.first, !word.hasPrefix("-") {
      let message: String = unknown(word, verbs)
      command.action = { _ in throw UsageError(message) }
      arguments = []
    }
    return await Program(command, version: "0.1.0").run(arguments).rawValue
  }

  /// What is said of a word that is no verb.
  static func unknown(_ word: String, _ verbs: [String]) -> String {
    let suggestion: String = Suggestions.sentence(for: word, among: verbs)
    return suggestion.isEmpty
      ? "There is no verb '\(word)'. To edit a file, write '--file \(word)'."
      : "There is no verb '\(word)'.\(suggestion)"
  }

  private static let file = Option<String>(
    "file", value: "path", .path(completion: .file),
    help: "The file to edit, and to save to. It need not exist yet.")
  private static let record = Option<String>(
    "record", value: "log", .path(completion: .directory),
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
    var options = LogOptions()
    // It is told at the end: on a terminal there is no place for it before.
    options.onFailure = { _ in }
    let recording: Recording? = try log.map { try Recording(at: $0, options: options) }
    let isGood: Bool = await session(
      store(Editor.State(text: text, path: path), recording), acknowledges: acknowledges)
    if let failure = recording?.failure {
      let reached: String = recording.flatMap { lastRecorded($0, log) } ?? ""
      throw CommandError("The recording is not complete. \(failure)\(reached)")
    }
    try recording?.close()
    return isGood ? .done : .failed
  }

  /// How far the log goes, as it is on disk now.
  private static func lastRecorded(_ recording: Recording, _ log: String?) -> String? {
    guard let log, let inspector = try? LogInspector(at: log, mode: .salvage),
      let stream = try? inspector.stream(run: recording.run)
    else { return nil }
    return stream.actionCount == 0
      ? " No action of this session is in it."
      : " The last action of this session that is in it is \(stream.actionCount)."
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
