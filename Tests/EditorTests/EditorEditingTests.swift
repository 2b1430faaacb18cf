import Testing

@testable import EditorCore

/// Expects what a mutating call gives, which a macro can't take apart.
func check(
  _ isTrue: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(isTrue, comment, sourceLocation: sourceLocation)
}

@Suite struct EditorEditingTests {
  private func patch(_ at: Int, _ delete: Int, _ insert: String) -> Editor.Patch {
    Editor.Patch(at: at, delete: delete, insert: insert)
  }

  @Test func patchesOfAnActionApplyInOrder() throws {
    var text: TextBuffer = "hello"
    let inverse = try text.apply([patch(5, 0, " world"), patch(0, 1, "J"), patch(5, 6, "")])
    #expect(String(text) == "Jello")
    _ = try text.apply(inverse)
    #expect(String(text) == "hello")
  }

  @Test func allPatchesOfAnActionApplyOrNone() {
    var state = Editor.State(text: "hello")
    state.cursor = 2
    let before = state
    check(!state.edit([patch(5, 0, "!"), patch(0, 2, ""), patch(9, 0, "x"), patch(0, 0, "y")]))
    #expect(
      state.message
        == .refusal(
          "Edit 3 of 4 does not fit, and none of them was made: position 9 is outside the text, "
            + "which has the positions 0 to 4."))
    state.message = nil
    #expect(state == before)
    check(!state.edit([patch(1, 5, "")]))
    #expect(
      state.message
        == .refusal(
          "The edit does not fit: 5 code points can't be deleted at position 1: the text ends "
            + "after 4 more."))
  }

  @Test func theCursorStandsBehindTheLastEdit() {
    var state = Editor.State(text: "hello")
    check(state.edit([patch(1, 2, "日本語")]))
    #expect(state.cursor == 4)
    check(state.edit([patch(0, 0, "x"), patch(3, 1, "")]))
    #expect(state.cursor == 3)
    #expect(state.revision == 2)
  }

  @Test func anActionWithoutPatchesChangesNothing() {
    var state = Editor.State(text: "hello")
    let before = state
    check(!state.edit([]))
    #expect(state == before)
  }

  @Test func undoAndRedoTakeActionsWhole() {
    var state = Editor.State()
    check(state.edit([patch(0, 0, "one "), patch(4, 0, "two")]))
    check(state.edit([patch(0, 3, "1")]))
    #expect(String(state.text) == "1 two")
    check(state.undo())
    #expect(String(state.text) == "one two")
    #expect(state.cursor == 7)
    check(state.undo())
    #expect(String(state.text) == "")
    check(!state.undo())
    #expect(state.message == .note("There is nothing to undo."))
    check(state.redo())
    check(state.redo())
    #expect(String(state.text) == "1 two")
    #expect(state.cursor == 1)
    check(!state.redo())
    #expect(state.message == .note("There is nothing to redo."))
    check(state.undo())
    check(state.edit([patch(0, 0, "x")]))
    check(!state.redo())
    #expect(state.revision == 8)
  }

  @Test func typedTextIsUndoneTogether() {
    var state = Editor.State()
    for letter in ["a", "b", "日"] { check(state.edit([at(state, letter)], isTyped: true)) }
    check(state.edit([at(state, "\n")], isTyped: false))
    check(state.edit([at(state, "c")], isTyped: true))
    state.move(.left)
    check(state.edit([at(state, "d")], isTyped: true))
    #expect(String(state.text) == "ab日\ndc")
    check(state.undo())
    #expect(String(state.text) == "ab日\nc")
    check(state.undo())
    #expect(String(state.text) == "ab日\n")
    check(state.undo())
    check(state.undo())
    #expect(String(state.text) == "")
    check(!state.undo())
  }

  private func at(_ state: Editor.State, _ text: String) -> Editor.Patch {
    patch(state.cursor, 0, text)
  }

  @Test func theOldestStepsAreForgotten() {
    var steps = Editor.Steps()
    let limit = Editor.Steps.maximumCost
    // 16 + 32 + 208 bytes: a page of 32 is 8 KiB, and 32 pages are the limit.
    let step = Editor.Step(
      patches: [patch(0, 0, String(repeating: "x", count: 208))], cursor: 0, isOpen: false)
    #expect(step.cost == 256)
    for _ in 0..<(limit / 256) { steps.push(step) }
    #expect(steps.cost == limit)
    #expect(steps.count == limit / 256)
    steps.push(step)
    #expect(steps.cost == limit - 8_192 + 256)
    #expect(steps.count == limit / 256 - 31)
    var left = 0
    while steps.pop() != nil { left += 1 }
    #expect(left == limit / 256 - 31)
    #expect(steps == Editor.Steps())
  }

  @Test func aStepThatIsTooLargeForgetsAll() {
    var state = Editor.State(text: TextBuffer(String(repeating: "x", count: 300_000)))
    check(state.edit([patch(0, 1, "")]))
    check(state.edit([patch(0, 299_999, "")]))
    check(!state.undo())
    #expect(state.undoSteps == Editor.Steps())
  }

  @Test func undoOfManyRandomActionsGivesEveryTextBack() {
    var generator = SeededGenerator(seed: 3)
    var state = Editor.State()
    var texts: [String] = [""]
    for _ in 0..<400 {
      let patches: [Editor.Patch] = [
        patch(
          Int.random(in: 0...state.text.count, using: &generator), 0,
          pieces.randomElement(using: &generator) ?? ""),
        patch(0, Int.random(in: 0...min(1, state.text.count), using: &generator), "é"),
      ]
      check(state.edit(patches))
      texts.append(String(state.text))
    }
    for text in texts.dropLast().reversed() {
      check(state.undo())
      #expect(isSame(String(state.text), text))
    }
    for text in texts.dropFirst() {
      check(state.redo())
      #expect(isSame(String(state.text), text))
    }
  }

  @Test func movesGoByCharacters() {
    var state = Editor.State(text: "e\u{301}👩‍👩‍👧‍👦\r\nx")
    let stops: [Int] = [0, 2, 9, 11, 12, 12]
    for stop in stops.dropFirst() {
      state.move(.right)
      #expect(state.cursor == stop)
    }
    for stop in [11, 9, 2, 0, 0] {
      state.move(.left)
      #expect(state.cursor == stop)
    }
  }

  @Test func movesUpAndDownKeepTheColumn() {
    var state = Editor.State(text: "abcdef\n日本語\nx\n\tabc")
    state.move(.lineEnd)
    #expect(state.cursor == 6)
    state.move(.down(lines: 1))
    #expect(state.cursor == 10)
    state.move(.left)
    #expect(state.cursor == 9)
    state.move(.down(lines: 1))
    #expect(state.cursor == 12)
    state.move(.up(lines: 2))
    #expect(state.cursor == 4)
    state.move(.down(lines: 99))
    #expect(state.cursor == 13)
    state.move(.down(lines: 1))
    #expect(state.cursor == 17)
    state.move(.up(lines: 99))
    #expect(state.cursor == 6)
    state.move(.up(lines: 1))
    #expect(state.cursor == 0)
    state.move(.textEnd)
    #expect(state.cursor == 17)
    state.move(.lineStart)
    #expect(state.cursor == 13)
    state.move(.textStart)
    #expect(state.cursor == 0)
    state.move(.down(lines: .max))
    state.move(.up(lines: .min))
    #expect(state.cursor <= 17)
  }
}
