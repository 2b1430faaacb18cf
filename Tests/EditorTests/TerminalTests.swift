import Testing

@testable import EditorCore

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(Array(text.utf8))
  }

  @Test func textIsTakenTogether() {
    #expect(keys("héllo 日本") == [.text("héllo 日本")])
    #expect(keys("a\rb") == [.text("a"), .enter, .text("b")])
    #expect(keys("\t") == [.text("\t")])
  }

  @Test func keysThatMove() {
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}OD") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}[H\u{1B}[4~\u{1B}[5~\u{1B}[6~") == [.home, .end, .pageUp, .pageDown])
    #expect(keys("\u{1B}[3~\u{7F}\u{8}") == [.delete, .backspace, .backspace])
    #expect(keys("\u{1B}[1;5H\u{1B}[1;5F") == [.textStart, .textEnd])
  }

  @Test func controlKeys() {
    #expect(keys("\u{13}\u{1A}\u{19}\u{11}") == ["s", "z", "y", "q"].map { .control($0) })
  }

  @Test func keysMayArriveInParts() {
    for text in ["日", "😀", "\u{1B}[A", "\u{1B}[15~"] {
      var decoder = KeyDecoder()
      var keys: [Key] = []
      for byte in text.utf8 { keys += decoder.decode([byte]) }
      #expect(keys == self.keys(text))
      #expect(keys.count == 1)
    }
  }

  @Test func unknownKeysAreTakenWhole() {
    #expect(keys("\u{1B}[15~x") == [.unknown, .text("x")])
    #expect(keys("\u{1B}xy") == [.unknown, .text("xy")])
    #expect(keys("\u{0}") == [.unknown])
  }

  @Test func pastedLinesAreText() {
    #expect(keys("\u{1B}[200~one\rtwo\t\nx\u{1B}[201~\r") == [.text("one\ntwo\t\nx"), .enter])
  }

  @Test func bytesThatAreNoTextAreUnknown() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0xFF, 0x61]) == [.unknown, .text("a")])
    #expect(decoder.decode([0xC3, 0x28]) == [.unknown, .text("(")])
    #expect(decoder.decode([0xED, 0xA0, 0x80]) == [.unknown])
  }

  @Test func anEndlessSequenceIsDropped() {
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 100)).first == .unknown)
  }

  @Test func randomBytesNeverTrap() {
    var generator = SeededGenerator(seed: 11)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      let bytes: [UInt8] = (0..<4).map { _ in
        Bool.random(using: &generator)
          ? .random(in: 0...255, using: &generator) : [0x1B, 0x5B, 0x31, 0x7E].randomElement() ?? 0
      }
      _ = decoder.decode(bytes)
    }
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("😀", 2),
    ("👩‍👩‍👧‍👦", 2), ("🇨🇭", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("ｱ", 1), ("Ａ", 2), ("שלום", 4), ("a\tb", 9),
    ("\t", 8), ("\u{1}", 2), ("\u{200B}", 0), ("नमस्ते", 4),
  ])
  func cells(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test func controlCharactersAreShownAsSuch() {
    #expect(DisplayWidth.visible("\u{1B}", at: 0) == "^[")
    #expect(DisplayWidth.visible("\u{7F}", at: 0) == "^?")
    #expect(DisplayWidth.visible("\u{9B}", at: 0) == "?")
    #expect(DisplayWidth.visible("\t", at: 3) == "     ")
    #expect(DisplayWidth.visible("日", at: 0) == "日")
  }
}

@Suite struct ViewportTests {
  private func frame(
    _ text: TextBuffer, cursor: Int, columns: Int = 20, rows: Int = 4,
    viewport: inout Viewport
  ) -> Frame {
    var state = Editor.State(text: text, path: "a.txt")
    state.cursor = cursor
    return viewport.frame(of: state, size: ScreenSize(columns: columns, rows: rows))
  }

  @Test func linesAndStatus() {
    var viewport = Viewport()
    let frame = frame("one\r\n日本 two\n", cursor: 7, columns: 46, viewport: &viewport)
    #expect(
      frame.rows == [
        "one", "日本 two", "", "a.txt | line 2, column 5 | 3 words | ^S save  ",
      ])
    #expect(frame.cursorRow == 1)
    #expect(frame.cursorColumn == 4)
  }

  @Test func theViewFollowsTheCursor() {
    var viewport = Viewport()
    let text = TextBuffer((0..<50).map { "line \($0)" }.joined(separator: "\n"))
    var frame = frame(text, cursor: text.count, viewport: &viewport)
    #expect(Array(frame.rows.prefix(3)) == ["line 47", "line 48", "line 49"])
    #expect(frame.cursorRow == 2)
    frame = self.frame(text, cursor: 0, viewport: &viewport)
    #expect(Array(frame.rows.prefix(3)) == ["line 0", "line 1", "line 2"])
    #expect(frame.cursorRow == 0)
  }

  @Test func longLinesMoveSideways() {
    var viewport = Viewport()
    let text = TextBuffer(String(repeating: "日", count: 30) + "x")
    let frame = frame(text, cursor: 31, columns: 11, viewport: &viewport)
    // The left edge cuts a character in two: a space stands for its half.
    #expect(viewport.leftColumn == 56)
    #expect(frame.rows[0] == "日日x")
    #expect(frame.cursorColumn == 5)
    viewport.leftColumn = 55
    #expect(self.frame(text, cursor: 31, columns: 11, viewport: &viewport).rows[0] == " 日日x")
  }

  @Test(arguments: [(1, 1), (1, 2), (0, 0), (2, 1), (500, 2)])
  func smallScreensNeverTrap(columns: Int, rows: Int) {
    var viewport = Viewport()
    for cursor in 0...7 {
      let frame = frame(
        "a日\n\tb\u{1}", cursor: cursor, columns: columns, rows: rows, viewport: &viewport)
      #expect(!frame.rows.isEmpty)
    }
  }

  @Test func onlyChangedRowsArePainted() {
    var painter = FramePainter()
    var frame = Frame(rows: ["one", "two", "status"], cursorRow: 0, cursorColumn: 1)
    #expect(
      painter.paint(frame)
        == "\u{1B}[?25l\u{1B}[2J\u{1B}[1;1Hone\u{1B}[K\u{1B}[2;1Htwo\u{1B}[K"
        + "\u{1B}[3;1H\u{1B}[7mstatus\u{1B}[0m\u{1B}[1;2H\u{1B}[?25h")
    frame.rows[1] = "TWO"
    #expect(
      painter.paint(frame) == "\u{1B}[?25l\u{1B}[2;1HTWO\u{1B}[K\u{1B}[1;2H\u{1B}[?25h")
  }
}
