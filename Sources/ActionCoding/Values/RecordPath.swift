/// A place in a value, as people write it: `cart.items[3].name`, `names["en"]`.
///
/// A name is a field, or the case of an enum, behind which its values follow: of
/// `destination.child.count`, `child` is the case that holds the state with the `count`. A number in
/// brackets is a place in a list, counted from 0, or a key; a text in brackets is a key. The empty
/// path is the whole value.
public struct RecordPath: Hashable, Sendable {
  /// A step into a value.
  public enum Component: Hashable, Sendable {
    /// A field, a label or a case.
    case name(String)
    /// A place in an array or a set, or a key that is an integer.
    case index(Int)
    /// A key of a dictionary, as text.
    case key(String)
  }

  public var components: [Component]

  public init(_ components: [Component] = []) {
    self.components = components
  }

  public func appending(_ component: Component) -> RecordPath {
    RecordPath(components + [component])
  }
}

/// Why a path is no path, or leads nowhere in a value.
public struct RecordPathError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension RecordPath: CustomStringConvertible {
  public var description: String {
    components.reduce(into: "") { text, component in
      switch component {
      case .name(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        let escaped = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        text += "[\"\(escaped)\"]"
      }
    }
  }
}

extension RecordPath: LosslessStringConvertible {
  public init?(_ description: String) {
    do throws(RecordPathError) {
      try self.init(parsing: description)
    } catch {
      return nil
    }
  }

  /// Reads a path.
  ///
  /// Throws ``RecordPathError`` that says where the text is none.
  public init(parsing text: String) throws(RecordPathError) {
    var parser = RecordPathParser(text)
    self.init(try parser.parse())
  }
}

private struct RecordPathParser {
  private let text: String
  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  private var next: Character? { position < characters.count ? characters[position] : nil }

  private func error(_ problem: String) -> RecordPathError {
    RecordPathError(
      """
      '\(text)' is not a path: at character \(position + 1), \(problem). A path looks like \
      cart.items[3].name or names["en"].
      """)
  }

  mutating func parse() throws(RecordPathError) -> [RecordPath.Component] {
    var components: [RecordPath.Component] = []
    while let character = next {
      if character == "[" {
        components.append(try parseBrackets())
        continue
      }
      if !components.isEmpty {
        guard character == "." else { throw error("a '.' or a '[' is expected") }
        position += 1
      }
      components.append(.name(try parseName()))
    }
    return components
  }

  private mutating func parseName() throws(RecordPathError) -> String {
    var name = ""
    while let character = next, !".[]\"".contains(character), !character.isWhitespace {
      if character != "`" { name.append(character) }
      position += 1
    }
    guard !name.isEmpty else { throw error("a name is expected") }
    return name
  }

  private mutating func parseBrackets() throws(RecordPathError) -> RecordPath.Component {
    position += 1
    let component: RecordPath.Component
    if next == "\"" {
      component = .key(try parseString())
    } else {
      var digits = ""
      while let character = next, character.isASCII, character.isNumber || character == "-" {
        digits.append(character)
        position += 1
      }
      guard let index = Int(digits) else {
        let isNumber = !digits.isEmpty && digits.allSatisfy(\.isNumber)
        throw error(
          isNumber
            ? "a smaller number is expected" : "a number or a text in quotation marks is expected")
      }
      component = .index(index)
    }
    guard next == "]" else { throw error("a ']' is expected") }
    position += 1
    return component
  }

  private mutating func parseString() throws(RecordPathError) -> String {
    position += 1
    var string = ""
    while let character = next {
      position += 1
      switch character {
      case "\"": return string
      case "\\":
        guard let escaped = next else { throw error("the text in quotation marks has no end") }
        string.append(escaped)
        position += 1
      default: string.append(character)
      }
    }
    throw error("the text in quotation marks has no end")
  }
}
