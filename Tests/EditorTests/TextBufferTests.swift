import Testing

@testable import EditorCore

/// A generator of numbers that gives the same ones for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed: UInt64 = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The plain model of a text: an array of code points.
struct PlainText {
  var scalars: [Unicode.Scalar] = []

  mutating func replace(at: Int, delete: Int, insert: String) -> String {
    let removed = scalars[at..<(at + delete)]
    var text = String.UnicodeScalarView()
    text.append(contentsOf: removed)
    scalars.replaceSubrange(at..<(at + delete), with: Array(insert.unicodeScalars))
    return String(text)
  }

  var string: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  var words: Int {
    scalars.split { $0.properties.isWhitespace }.count
  }
}

/// Whether two strings are the same bytes: `==` takes canonically equivalent ones for equal.
func isSame(_ left: String, _ right: String) -> Bool {
  left.utf8.elementsEqual(right.utf8)
}

let pieces: [String] = [
  "a", " ", "word ", "\n", "\r\n", "é", "e\u{301}", "👩‍👩‍👧‍👦", "🇨🇭", "日本語", "שלום ", "\u{301}", "\t",
  "\u{2003}", "नमस्ते", "\r", "x y z ", "\u{0}",
]

@Suite struct TextBufferTests {
  @Test func emptyText() throws {
    var text = TextBuffer()
    #expect(text.count == 0)
    #expect(text.isEmpty)
    #expect(text.wordCount == 0)
    #expect(text.lineCount == 1)
    #expect(String(text) == "")
    #expect(text[0..<5] == "")
    #expect(text.scalar(at: 0) == nil)
    #expect(try text.replace(at: 0, delete: 0, insert: "") == "")
    #expect(text == TextBuffer())
  }

  @Test func replaceGivesWhatItRemoved() throws {
    var text = TextBuffer("naïve text")
    let removed = try text.replace(at: 2, delete: 1, insert: "i")
    #expect(removed == "ï")
    #expect(String(text) == "naive text")
  }

  @Test func codePointsAreNotCharacters() throws {
    var text = TextBuffer("e\u{301}\r\n👩‍👩‍👧‍👦")
    #expect(text.count == 11)
    try text.replace(at: 1, delete: 1, insert: "\u{300}")
    #expect(isSame(String(text), "e\u{300}\r\n👩‍👩‍👧‍👦"))
    try text.replace(at: 2, delete: 1, insert: "")
    #expect(isSame(String(text), "e\u{300}\n👩‍👩‍👧‍👦"))
  }

  @Test(arguments: [
    (-1, 0, "position -1 is outside the text, which has the positions 0 to 4"),
    (5, 0, "position 5 is outside the text, which has the positions 0 to 4"),
    (Int.max, Int.max, "position \(Int.max) is outside the text, which has the positions 0 to 4"),
    (Int.min, 1, "position \(Int.min) is outside the text, which has the positions 0 to 4"),
    (1, -1, "-1 code points can't be deleted: the number must not be negative"),
    (1, 4, "4 code points can't be deleted at position 1: the text ends after 3 more"),
    (
      4, Int.max,
      "\(Int.max) code points can't be deleted at position 4: the text ends after 0 more"
    ),
  ])
  func editsThatDoNotFitThrowAndChangeNothing(at: Int, delete: Int, message: String) {
    var text = TextBuffer("four")
    let error = #expect(throws: TextBufferError.self) {
      try text.replace(at: at, delete: delete, insert: "x")
    }
    #expect(error?.description == message)
    #expect(String(text) == "four")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomEditsAgreeWithAnArrayOfCodePoints(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var text = TextBuffer()
    var plain = PlainText()
    var copies: [(TextBuffer, String)] = []
    for step in 0..<3_000 {
      let at = Int.random(in: 0...plain.scalars.count, using: &generator)
      let most = min(plain.scalars.count - at, step % 50 == 0 ? 2_500 : 8)
      let delete = Int.random(in: 0...most, using: &generator)
      let repeats = step % 40 == 0 ? Int.random(in: 0...900, using: &generator) : 1
      var insert = ""
      for _ in 0..<repeats { insert += pieces.randomElement(using: &generator) ?? "" }
      let removed = try text.replace(at: at, delete: delete, insert: insert)
      #expect(isSame(removed, plain.replace(at: at, delete: delete, insert: insert)))
      if step % 100 == 0 {
        #expect(text.root.faults() == [])
        #expect(isSame(String(text), plain.string))
        #expect(text.count == plain.scalars.count)
        #expect(text.wordCount == plain.words)
        #expect(text == TextBuffer(plain.string))
        copies.append((text, plain.string))
        let lower = Int.random(in: 0...plain.scalars.count, using: &generator)
        let upper = Int.random(in: lower...plain.scalars.count, using: &generator)
        var slice = String.UnicodeScalarView()
        slice.append(contentsOf: plain.scalars[lower..<upper])
        #expect(isSame(text[lower..<upper], String(slice)))
        if lower < upper { #expect(text.scalar(at: lower) == plain.scalars[lower]) }
      }
    }
    // What was copied on the way did not change.
    for (copy, string) in copies { #expect(isSame(String(copy), string)) }
  }

  @Test func deletingAllOfALargeTextLeavesAnEmptyOne() throws {
    var text = TextBuffer(String(repeating: "日本 ", count: 40_000))
    #expect(text.root.faults() == [])
    #expect(text.wordCount == 40_000)
    try text.replace(at: 0, delete: text.count, insert: "")
    #expect(text.isEmpty)
    #expect(text.wordCount == 0)
    #expect(text.root.faults() == [])
  }

  @Test(arguments: [1_023, 1_024, 1_025, 16 * 1_021, 16 * 1_021 + 1, 300_000])
  func textsOfEverySizeAreBuiltEven(size: Int) throws {
    for letter in ["x", "é", "語", "😀"] {
      let string = String(repeating: letter, count: size / letter.utf8.count)
      var text = TextBuffer(string)
      #expect(text.root.faults() == [])
      #expect(isSame(String(text), string))
      for _ in 0..<700 where text.count > 0 { try text.replace(at: 0, delete: 1, insert: "") }
      #expect(text.root.faults() == [])
    }
  }

  @Test func wordsAreCountedAtTheEdgesOfEdits() throws {
    var text = TextBuffer("one two")
    #expect(text.wordCount == 2)
    try text.replace(at: 3, delete: 1, insert: "")
    #expect(text.wordCount == 1)
    try text.replace(at: 3, delete: 0, insert: "\u{3000}")
    #expect(text.wordCount == 2)
    try text.replace(at: 0, delete: 0, insert: " \n\t")
    #expect(text.wordCount == 2)
    try text.replace(at: 0, delete: text.count, insert: " ")
    #expect(text.wordCount == 0)
  }

  @Test func linesEndAtLineFeeds() throws {
    let text = TextBuffer("ab\r\nc\n\nd\re")
    #expect(text.lineCount == 4)
    #expect((0..<4).map { text[text.range(ofLine: $0)] } == ["ab", "c", "", "d\re"])
    #expect((0...10).map { text.line(at: $0) } == [0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3])
    #expect(text.start(ofLine: -3) == 0)
    #expect(text.start(ofLine: 99) == 7)
    #expect(text.range(ofLine: 99) == 7..<10)
    #expect(text.line(at: 99) == 3)
  }

  @Test func linesOfALargeText() throws {
    let text = TextBuffer((0..<5_000).map { "line \($0)" }.joined(separator: "\n"))
    #expect(text.lineCount == 5_000)
    for line in stride(from: 0, to: 5_000, by: 97) {
      #expect(text[text.range(ofLine: line)] == "line \(line)")
      #expect(text.line(at: text.start(ofLine: line)) == line)
    }
  }
}
