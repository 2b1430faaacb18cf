import ComposableArchitecture
import TestSupport
import Testing

@testable import EditorCore

/// The feature in a store, its clock and its files in the hands of the test.
@MainActor
@Suite(.mainSerialExecutor) struct EditorFeatureTests {
  private func store(
    _ state: Editor.State = Editor.State(), clock: some Clock<Duration> = ImmediateClock(),
    write: @escaping @Sendable (TextBuffer, String) async throws(FileWriterError) -> Int = {
      text, _ throws(FileWriterError) in text.utf8Count
    }
  ) -> StoreOf<Editor> {
    Store(initialState: state) {
      Editor()
    } withDependencies: {
      $0.continuousClock = clock
      $0.fileWriter = FileWriter(write: write)
    }
  }

  @Test func wordsAreCountedByAnEffect() async {
    let store = store()
    let task = store.send(.edit([Editor.Patch(at: 0, delete: 0, insert: "two words")]))
    #expect(store.isCounting)
    #expect(store.wordCount == 0)
    await task.finish()
    #expect(!store.isCounting)
    #expect(store.wordCount == 2)
  }

  @Test func oneCountIsUnderWayAtATime() async {
    let clock = TestClock()
    let store = store(clock: clock)
    let task = store.send(.typed("one"))
    #expect(store.send(.typed(" two")).isCancelled)
    #expect(store.send(.typed(" three")).isCancelled)
    await clock.advance(by: .milliseconds(50))
    // The first count is of the text as it was when it began, and is followed by another.
    #expect(store.wordCount == 1)
    #expect(!store.isCounting)
    await clock.advance(by: .milliseconds(49))
    #expect(store.wordCount == 1)
    await clock.advance(by: .milliseconds(1))
    #expect(store.wordCount == 3)
    await task.finish()
  }

  @Test func aCountThatFollowsGivesWayToThatOfAnEdit() async {
    let clock = TestClock()
    let store = store(clock: clock)
    store.send(.typed("one"))
    store.send(.typed(" two"))
    await clock.advance(by: .milliseconds(80))
    #expect(store.wordCount == 1)
    let task = store.send(.typed(" three"))
    #expect(store.isCounting)
    await clock.advance(by: .milliseconds(49))
    #expect(store.wordCount == 1)
    await clock.advance(by: .milliseconds(1))
    #expect(store.wordCount == 3)
    await task.finish()
  }

  @Test func savesAndTellsHowMuch() async {
    let written = LockIsolated<[String]>([])
    let store = store(Editor.State(text: "é", path: "a.txt")) {
      text, path throws(FileWriterError) in
      written.withValue { $0.append("\(path): \(text)") }
      return text.utf8Count
    }
    store.send(.typed("x"))
    #expect(store.isModified)
    let task = store.send(.save)
    #expect(store.saveStatus == .saving)
    await task.finish()
    #expect(store.saveStatus == .saved(revision: 1))
    #expect(store.message == .note("Saved 3 bytes."))
    #expect(!store.isModified)
    #expect(written.value == ["a.txt: xé"])
  }

  @Test func aFailedSaveSaysWhy() async {
    let store = store(Editor.State(path: "a.txt")) { _, path throws(FileWriterError) in
      throw FileWriterError(path: path, reason: "the disk is full")
    }
    store.send(.typed("x"))
    await store.send(.save).finish()
    #expect(store.saveStatus == .failed("a.txt was not saved: the disk is full."))
    #expect(store.message == .refusal("a.txt was not saved: the disk is full."))
    #expect(store.isModified)
  }

  @Test func aSaveWithoutAFileIsRefused() {
    let store = store()
    #expect(store.send(.save).isCancelled)
    #expect(
      store.message
        == .refusal("The text has no file to be saved to: start the editor with --file PATH."))
    #expect(store.saveStatus == .unsaved)
  }

  @Test func aSaveDuringASaveFollowsIt() async {
    let written = LockIsolated<[String]>([])
    let store = store(Editor.State(path: "a.txt")) { text, _ throws(FileWriterError) in
      await Task.yield()
      written.withValue { $0.append(String(text)) }
      return text.utf8Count
    }
    store.send(.typed("x"))
    let task = store.send(.save)
    store.send(.typed("y"))
    #expect(store.send(.save).isCancelled)
    await task.finish()
    #expect(written.value == ["x", "xy"])
    #expect(store.saveStatus == .saved(revision: 2))
  }

  @Test func editingKeys() {
    let store = store(Editor.State(text: "e\u{301}👩‍👩‍👧‍👦x"))
    store.send(.deletedBackward)
    #expect(store.revision == 0)
    store.send(.deletedForward)
    #expect(isSame(String(store.text), "👩‍👩‍👧‍👦x"))
    store.send(.moved(.textEnd))
    store.send(.deletedForward)
    #expect(store.revision == 1)
    store.send(.deletedBackward)
    store.send(.deletedBackward)
    #expect(store.text.isEmpty)
    #expect(store.revision == 3)
    store.send(.undo)
    store.send(.undo)
    store.send(.undo)
    #expect(isSame(String(store.text), "e\u{301}👩‍👩‍👧‍👦x"))
    store.send(.redo)
    #expect(isSame(String(store.text), "👩‍👩‍👧‍👦x"))
  }

  @Test func editsThatDoNotFitLeaveAMessage() {
    let store = store(Editor.State(text: "abc"))
    store.send(.edit([Editor.Patch(at: 4, delete: 0, insert: "x")]))
    #expect(
      store.message
        == .refusal(
          "The edit does not fit: position 4 is outside the text, which has the positions 0 to 3."
        ))
    #expect(String(store.text) == "abc")
    store.send(.typed("x"))
    #expect(store.message == nil)
  }
}
