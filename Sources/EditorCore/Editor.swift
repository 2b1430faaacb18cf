package import ComposableArchitecture

/// The core of a text editor as a feature: a text, a cursor, undo, save, and a count of words.
///
/// Every position is one in Unicode code points. An action costs the same whatever the length of
/// the text: the words are counted by an effect that answers with an action of its own.
@Reducer
package struct Editor {
  /// One replacement in the text: at `at`, `delete` code points go and `insert` comes.
  package struct Patch: Equatable, Sendable {
    package var at: Int
    package var delete: Int
    package var insert: String

    package init(at: Int, delete: Int, insert: String) {
      self.at = at
      self.delete = delete
      self.insert = insert
    }
  }

  /// What takes back one action.
  package struct Step: Equatable, Sendable {
    /// To be applied in order.
    package var patches: [Patch]
    /// Where the cursor is to stand afterwards.
    package var cursor: Int
    /// Whether more that is typed at the same place may join this step.
    package var isOpen: Bool
  }

  /// Steps, newest last, of which the oldest are forgotten once they take too many bytes.
  ///
  /// The older ones are kept in pages: where the state is shared, a change copies the newest few.
  package struct Steps: Equatable, Sendable {
    package var pages: [[Step]] = []
    package var newest: [Step] = []
    /// What the steps take, in bytes; see ``Step/cost``.
    package var cost = 0

    package init() {}
  }

  package enum Movement: Equatable, Sendable {
    case left
    case right
    case up(lines: Int)
    case down(lines: Int)
    case lineStart
    case lineEnd
    case textStart
    case textEnd
  }

  package enum SaveStatus: Equatable, Sendable {
    /// Nothing was saved so far.
    case unsaved
    case saving
    case saved(revision: Int)
    case failed(String)
  }

  package struct Saved: Equatable, Sendable {
    package var revision: Int
    package var bytes: Int
  }

  package struct SaveFailure: Error, Equatable, Sendable {
    package var message: String
  }

  /// What the editor has to say about the last action.
  package enum Message: Equatable, Sendable {
    case note(String)
    /// The action could not be carried out; the text is as it was.
    case refusal(String)
  }

  @ObservableState
  package struct State: Equatable {
    package var text: TextBuffer
    package var cursor = 0
    /// How often the text was changed.
    package var revision = 0
    /// The revision that the file holds.
    package var savedRevision = 0
    /// The words of the text, as of the last time that they were counted.
    package var wordCount = 0
    /// Whether an edit has started a count that has not been answered.
    package var isCounting = false
    /// Where the text is saved.
    package var path: String?
    package var saveStatus = SaveStatus.unsaved
    /// Whether a save was asked for while another was under way.
    package var isSaveDue = false
    package var message: Message?
    package var undoSteps = Steps()
    package var redoSteps = Steps()
    /// The column, in cells, that moves up and down try to keep.
    package var goalColumn: Int?

    package init(text: TextBuffer = TextBuffer(), path: String? = nil) {
      self.text = text
      self.path = path
      wordCount = text.wordCount
    }
  }

  package enum Action: Equatable, Sendable {
    /// Edits by position. Either all of them are made, in order, or none is.
    case edit([Patch])
    /// Text typed at the cursor.
    case typed(String)
    case deletedBackward
    case deletedForward
    case moved(Movement)
    case undo
    case redo
    case save
    case saveResponse(Result<Saved, SaveFailure>)
    case wordsCounted(revision: Int, count: Int)
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.fileWriter) var fileWriter

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .edit(let patches):
        return state.edit(patches) ? countWords(&state) : .none

      case .typed(let text):
        let patch = Patch(at: state.cursor, delete: 0, insert: text)
        let joins: Bool = !text.contains(where: \.isNewline)
        return state.edit([patch], isTyped: joins) ? countWords(&state) : .none

      case .deletedBackward:
        let start: Int = state.text.characterStart(before: state.cursor)
        guard start < state.cursor else { return .none }
        let patch = Patch(at: start, delete: state.cursor - start, insert: "")
        return state.edit([patch]) ? countWords(&state) : .none

      case .deletedForward:
        let end: Int = state.text.characterEnd(after: state.cursor)
        guard end > state.cursor else { return .none }
        let patch = Patch(at: state.cursor, delete: end - state.cursor, insert: "")
        return state.edit([patch]) ? countWords(&state) : .none

      case .moved(let movement):
        state.move(movement)
        return .none

      case .undo:
        return state.undo() ? countWords(&state) : .none

      case .redo:
        return state.redo() ? countWords(&state) : .none

      case .save:
        return save(&state)

      case .saveResponse(.success(let saved)):
        state.saveStatus = .saved(revision: saved.revision)
        state.savedRevision = saved.revision
        state.message = .note("Saved \(saved.bytes) bytes.")
        return state.isSaveDue ? save(&state) : .none

      case .saveResponse(.failure(let failure)):
        state.saveStatus = .failed(failure.message)
        state.message = .refusal(failure.message)
        return state.isSaveDue ? save(&state) : .none

      case .wordsCounted(let revision, let count):
        state.isCounting = false
        state.wordCount = count
        // Counts what was typed since, unless more is typed: that starts a count of its own.
        return revision == state.revision ? .none : wordCounter(state)
      }
    }
  }

  private enum CancelID { case count }

  /// Counts words after an edit, unless an earlier edit has a count under way.
  private func countWords(_ state: inout State) -> Effect<Action> {
    guard !state.isCounting else { return .none }
    state.isCounting = true
    return wordCounter(state)
  }

  /// Tells the number of words in the present text, a moment later.
  private func wordCounter(_ state: State) -> Effect<Action> {
    .run { [clock, text = state.text, revision = state.revision] send in
      try await clock.sleep(for: .milliseconds(50))
      await send(.wordsCounted(revision: revision, count: text.wordCount))
    }
    .cancellable(id: CancelID.count, cancelInFlight: true)
  }

  private func save(_ state: inout State) -> Effect<Action> {
    guard let path = state.path else {
      state.message = .refusal(
        "The text has no file to be saved to: start the editor with --file PATH.")
      return .none
    }
    guard state.saveStatus != .saving else {
      state.isSaveDue = true
      return .none
    }
    state.isSaveDue = false
    state.saveStatus = .saving
    return .run { [fileWriter, text = state.text, revision = state.revision] send in
      do throws(FileWriterError) {
        let bytes: Int = try await fileWriter.write(text, path)
        await send(.saveResponse(.success(Saved(revision: revision, bytes: bytes))))
      } catch {
        await send(.saveResponse(.failure(SaveFailure(message: error.description))))
      }
    }
  }
}
