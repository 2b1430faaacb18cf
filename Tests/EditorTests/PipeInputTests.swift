import Testing

@testable import EditorCore

@Suite struct PipeInputTests {
  private func read(_ line: String) throws(PipeInputError) -> PipeInput {
    try read(Array(line.utf8))
  }

  private func read(_ bytes: [UInt8]) throws(PipeInputError) -> PipeInput {
    let result: Result<PipeInput, PipeInputError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(PipeInputError) in try PipeInput(line: bytes) }
    }
    return try result.get()
  }

  @Test func edits() throws {
    #expect(
      try read(#"{"patches": [[0, 0, "hello"], [12,3,""]]}"#)
        == .edit([
          Editor.Patch(at: 0, delete: 0, insert: "hello"),
          Editor.Patch(at: 12, delete: 3, insert: ""),
        ]))
    #expect(try read(#"{"patches":[]}"#) == .edit([]))
    #expect(try read(" {\t\"patches\" : [ ] } \r") == .edit([]))
    #expect(
      try read(#"{"patches":[[-1,\#(Int.min),"x"]]}"#)
        == .edit([Editor.Patch(at: -1, delete: .min, insert: "x")]))
    #expect(
      try read(#"{"patches":[[\#(Int.max),0,"x"]]}"#)
        == .edit([Editor.Patch(at: .max, delete: 0, insert: "x")]))
  }

  @Test func commands() throws {
    for command in PipeInput.Command.allCases {
      #expect(try read(#"{"command": "\#(command.rawValue)"}"#) == .command(command))
    }
  }

  @Test func otherMembersAreSkipped() throws {
    let line = #"{"time":"2020","n":[1,-2.5e+3,{"a":null,"b":{}},[]],"command":"undo","t":true}"#
    #expect(try read(line) == .command(.undo))
  }

  @Test func escapes() throws {
    let line = #"{"patches":[[0,0,"\"\\\/\b\f\n\r\t\u00e9\u65E5\ud83d\ude00é😀"]]}"#
    let text = "\"\\/\u{8}\u{C}\n\r\té日😀é😀"
    guard case .edit(let patches) = try read(line) else {
      Issue.record("no edit")
      return
    }
    #expect(isSame(patches[0].insert, text))
  }

  @Test(arguments: [
    ("", "an object is expected, and the line ends at byte 1"),
    ("nope", "an object is expected, and something else stands at byte 1"),
    ("[]", "an object is expected, and something else stands at byte 1"),
    (#"{"patches""#, "a colon is expected, and the line ends at byte 11"),
    (#"{"patches": 3}"#, "an array of patches is expected, and something else stands at byte 13"),
    (#"{"patches": [3]}"#, "a patch is expected, and something else stands at byte 14"),
    (#"{"patches": [["a",0,""]]}"#, "a position is expected, and something else stands at byte 15"),
    (
      #"{"patches": [[1]]}"#,
      "a comma and a number of code points to delete is expected, and something else stands "
        + "at byte 16"
    ),
    (
      #"{"patches": [[1,2,3]]}"#,
      "a text to insert is expected, and something else stands at byte 19"
    ),
    (
      #"{"patches": [[1,2,"",4]]}"#,
      "the patch's end is expected, and something else stands at byte 21"
    ),
    (#"{"a": tru}"#, "a value is expected, and something else stands at byte 7"),
    (#"{"a": 01}"#, "a value is expected, and something else stands at byte 7"),
    (#"{"a": 1."#, "a value is expected, and something else stands at byte 7"),
  ])
  func linesThatAreNoJSONOfAnEdit(line: String, message: String) {
    let error = #expect(throws: PipeInputError.self) { try read(line) }
    #expect(
      error?.description == "Not JSON of an edit or a command: \(message). \(PipeInput.grammar)")
  }

  @Test(arguments: [
    ("{}", "The object has neither \"patches\" nor \"command\""),
    (#"{"patches":[],"command":"undo"}"#, "The object has both \"patches\" and \"command\""),
    (#"{"command":"dance"}"#, "There is no command \"dance\" at byte 12"),
    (#"{"command":"undo"} x"#, "Something follows the object at byte 20"),
    (#"{"patches":[[1.5,0,""]]}"#, "A number is not a whole one at byte 14"),
    (#"{"patches":[[1e3,0,""]]}"#, "A number is not a whole one at byte 14"),
    (#"{"patches":[[007,0,""]]}"#, "A number starts with 0 at byte 14"),
    (#"{"patches":[[9223372036854775808,0,""]]}"#, "A number is too large at byte 14"),
    (#"{"patches":[[99999999999999999999,0,""]]}"#, "A number is too large at byte 14"),
    (#"{"patches":[[0,0,"abc"#, "A string does not end at byte 18"),
    (#"{"patches":[[0,0,"abc\"#, "A string does not end at byte 22"),
    (#"{"patches":[[0,0,"\x"]]}"#, "There is no escape \\x at byte 19"),
    (#"{"patches":[[0,0,"\u12g4"]]}"#, "An escape \\u needs four hexadecimal digits at byte 19"),
    (#"{"patches":[[0,0,"\ud83d"]]}"#, "A surrogate stands alone at byte 19"),
    (#"{"patches":[[0,0,"\ude00"]]}"#, "A surrogate stands alone at byte 19"),
    (#"{"patches":[[0,0,"\ud83d\u0041"]]}"#, "A surrogate stands alone at byte 19"),
    ("{\"patches\":[[0,0,\"a\u{1}\"]]}", "A control character is not escaped at byte 20"),
  ])
  func linesThatCanNotBeUnderstood(line: String, message: String) {
    let error = #expect(throws: PipeInputError.self) { try read(line) }
    #expect(error?.description == "\(message). \(PipeInput.grammar)")
  }

  @Test func bytesThatAreNoUTF8() {
    let line: [UInt8] = Array(#"{"patches":[[0,0,""#.utf8) + [0xFF, 0xC3] + Array(#""]]}"#.utf8)
    let error = #expect(throws: PipeInputError.self) { try read(line) }
    #expect(error?.description == "A string is not UTF-8 at byte 18. \(PipeInput.grammar)")
  }

  @Test func deepNestingIsRefused() {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: PipeInputError.self) { try read("{\"a\":" + deep) }
    #expect(
      error?.description
        == "Values are nested more than 128 deep at byte 134. \(PipeInput.grammar)")
  }

  @Test func changedLinesNeverTrap() {
    var generator = SeededGenerator(seed: 7)
    let line: [UInt8] = Array(
      #"{"patches":[[10,2,"a\ud83d\ude00\u00e9\n"],[-1,0,"é"]],"x":[1e5,{"y":null}]}"#.utf8)
    for end in 0...line.count { _ = try? read(Array(line[..<end])) }
    for _ in 0..<20_000 {
      var changed = line
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        changed[Int.random(in: 0..<line.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? read(changed)
    }
  }
}

@Suite struct PipeLineSplitterTests {
  private func split(_ text: String, by size: Int, maximumLine: Int = 1_000) -> [PipeLine] {
    var splitter = PipeLineSplitter(maximumLine: maximumLine)
    var lines: [PipeLine] = []
    let bytes: [UInt8] = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let part = Array(bytes[start..<min(start + size, bytes.count)])
      lines += part.withUnsafeBytes { splitter.split($0) }
    }
    return lines + splitter.finish()
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func linesAreTheSameHoweverTheyArrive(size: Int) {
    let text = """
      {"command":"undo"}\r

      {"patches":[[0,0,"日本😀"]]}
      \t
      {"command":"redo"}
      """
    let lines = split(text, by: size)
    #expect(lines.map(\.number) == [1, 3, 5])
    #expect(
      lines.map { try? $0.input.get() } == [
        .command(.undo), .edit([Editor.Patch(at: 0, delete: 0, insert: "日本😀")]), .command(.redo),
      ])
  }

  @Test(arguments: [1, 5, 1_000])
  func aLineThatIsTooLongCostsItselfOnly(size: Int) throws {
    let long = #"{"command":"undo"}"# + String(repeating: " ", count: 23)
    let lines = split(
      "\(long.dropLast())\n\(long)\n{\"command\":\"save\"}\n", by: size, maximumLine: 40)
    #expect(lines.map(\.number) == [1, 2, 3])
    #expect(try lines[0].input.get() == .command(.undo))
    #expect(
      lines[1].input
        == .failure(PipeInputError(reason: "The line is longer than 40 bytes", byte: nil)))
    #expect(try lines[2].input.get() == .command(.save))
  }
}
