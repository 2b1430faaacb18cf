/// What one line of a pipe asks for.
package enum PipeInput: Equatable, Sendable {
  case edit([Editor.Patch])
  case command(Command)

  package enum Command: String, CaseIterable, Sendable {
    case undo
    case redo
    case save
    case quit
  }

  /// What a line has to look like, for messages.
  static let grammar = """
    An edit is {"patches": [[at, deleteCount, "insert"], …]}, a command is \
    {"command": "undo" | "redo" | "save" | "quit"}.
    """
}

/// Why a line of a pipe can't be understood.
package struct PipeInputError: Error, Equatable, CustomStringConvertible {
  package var reason: String
  /// The byte of the line that the reason is about, counted from 1; nil for the line as a whole.
  package var byte: Int?

  package var description: String {
    "\(reason)\(byte.map { " at byte \($0)" } ?? ""). \(PipeInput.grammar)"
  }
}

extension PipeInput {
  /// Reads a line: a JSON object with either `patches` or `command`. Other members are skipped.
  package init(line: UnsafeRawBufferPointer) throws(PipeInputError) {
    var scanner = JSONScanner(line)
    var patches: [Editor.Patch]?
    var command: Command?
    try scanner.expect("{", "an object")
    if try !scanner.take("}") {
      repeat {
        let name: String = try scanner.string("a member's name")
        try scanner.expect(":", "a colon")
        switch name {
        case "patches": patches = try Self.patches(&scanner)
        case "command": command = try Self.command(&scanner)
        default: try scanner.skipValue()
        }
      } while try scanner.take(",")
      try scanner.expect("}", "a comma or the object's end")
    }
    try scanner.expectEnd()
    switch (patches, command) {
    case (let patches?, nil): self = .edit(patches)
    case (nil, let command?): self = .command(command)
    case (nil, nil):
      throw PipeInputError(reason: "The object has neither \"patches\" nor \"command\"")
    case (_?, _?):
      throw PipeInputError(reason: "The object has both \"patches\" and \"command\"")
    }
  }

  private static func patches(
    _ scanner: inout JSONScanner
  ) throws(PipeInputError) -> [Editor.Patch] {
    var patches: [Editor.Patch] = []
    try scanner.expect("[", "an array of patches")
    if try scanner.take("]") { return patches }
    repeat {
      try scanner.expect("[", "a patch")
      let at: Int = try scanner.integer("a position")
      try scanner.expect(",", "a comma and a number of code points to delete")
      let delete: Int = try scanner.integer("a number of code points to delete")
      try scanner.expect(",", "a comma and a text to insert")
      let insert: String = try scanner.string("a text to insert")
      try scanner.expect("]", "the patch's end")
      patches.append(Editor.Patch(at: at, delete: delete, insert: insert))
    } while try scanner.take(",")
    try scanner.expect("]", "a comma or the array's end")
    return patches
  }

  private static func command(_ scanner: inout JSONScanner) throws(PipeInputError) -> Command {
    let byte: Int = scanner.nextByte
    let name: String = try scanner.string("a command's name")
    guard let command = Command(rawValue: name) else {
      throw PipeInputError(reason: "There is no command \"\(name)\"", byte: byte)
    }
    return command
  }
}
