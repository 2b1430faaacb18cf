import Synchronization

/// The name of a type as it is shown in dumps: without its module, with the short forms of
/// optionals, arrays and dictionaries, and, unless asked for, without generic arguments.
func typeName(_ type: Any.Type, abbreviatingGenerics: Bool = true) -> String {
  let key = TypeNameKey(type: ObjectIdentifier(type), isAbbreviated: abbreviatingGenerics)
  if let name = typeNames.withLock({ $0[key] }) { return name }
  var parser = TypeNameParser(
    rest: Array(String(reflecting: type).utf8)[...], abbreviatesGenerics: abbreviatingGenerics)
  let name: String = parser.parse(isArgument: false)
  typeNames.withLock { $0[key] = name }
  return name
}

/// The names that were asked for, since the runtime takes long to make one.
private let typeNames = Mutex<[TypeNameKey: String]>([:])

private struct TypeNameKey: Hashable {
  var type: ObjectIdentifier
  var isAbbreviated: Bool
}

/// Reads the names that the runtime gives to types, such as `Swift.Array<Module.Type>`.
private struct TypeNameParser {
  var rest: ArraySlice<UInt8>
  var abbreviatesGenerics: Bool

  /// Reads a whole name, or an argument up to the comma or bracket after it.
  mutating func parse(isArgument: Bool) -> String {
    var output: [UInt8] = []
    var depth = 0
    while let byte = rest.first {
      if skipContext() { continue }
      if isIdentifier(byte) {
        output += parsePath().utf8
        continue
      }
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: "-") where rest.dropFirst().first == UInt8(ascii: ">"):
        output.append(byte)
        output.append(UInt8(ascii: ">"))
        rest = rest.dropFirst(2)
        continue
      case UInt8(ascii: ","), UInt8(ascii: ">"):
        if isArgument, depth <= 0 { return String(decoding: output, as: UTF8.self) }
      default:
        break
      }
      output.append(byte)
      rest = rest.dropFirst()
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Reads `Module.Outer.Inner<Argument>`.
  private mutating func parsePath() -> String {
    var components: [String] = [parseIdentifier()]
    while rest.first == UInt8(ascii: ".") {
      let start: ArraySlice<UInt8> = rest
      rest = rest.dropFirst()
      while skipContext() {
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst() }
      }
      guard let byte = rest.first, isIdentifier(byte) else {
        rest = start
        break
      }
      components.append(parseIdentifier())
    }
    let module: String? = components.count > 1 ? components.removeFirst() : nil
    var name: String = components.joined(separator: ".")
    guard rest.first == UInt8(ascii: "<") else { return name }

    let arguments: [String] = parseArguments()
    switch (module, name, arguments.count) {
    case ("Swift", "Optional", 1):
      name = "\(arguments[0])?"
    case ("Swift", "Array", 1):
      name = "[\(arguments[0])]"
    case ("Swift", "Dictionary", 2):
      name = "[\(arguments[0]): \(arguments[1])]"
    default:
      if !abbreviatesGenerics { name += "<\(arguments.joined(separator: ", "))>" }
    }
    if rest.first == UInt8(ascii: "."), rest.dropFirst().first.map(isIdentifier) == true {
      rest = rest.dropFirst()
      // What follows is nested in the generic type: there is no module in front.
      name += "." + parseNested()
    }
    return name
  }

  private mutating func parseNested() -> String {
    rest = Array("_.".utf8)[...] + rest
    return parsePath()
  }

  private mutating func parseArguments() -> [String] {
    var arguments: [String] = []
    while let byte = rest.first, byte == UInt8(ascii: "<") || byte == UInt8(ascii: ",") {
      rest = rest.dropFirst()
      while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
      arguments.append(parse(isArgument: true))
    }
    rest = rest.dropFirst()
    return arguments
  }

  private mutating func parseIdentifier() -> String {
    let identifier: ArraySlice<UInt8> = rest.prefix(while: isIdentifier)
    rest = rest[identifier.endIndex...]
    return String(decoding: identifier, as: UTF8.self)
  }

  /// Skips `(unknown context at $10a2b3c4d)` and `(extension in Module):`.
  private mutating func skipContext() -> Bool {
    for opening in ["(unknown context at ", "(extension in "] {
      guard rest.starts(with: opening.utf8) else { continue }
      guard let end = rest.firstIndex(of: UInt8(ascii: ")")) else { return false }
      rest = rest[(end + 1)...]
      if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
      return true
    }
    return false
  }

  private func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default:
      false
    }
  }
}
