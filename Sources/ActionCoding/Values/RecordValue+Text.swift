import FoundationEssentials

extension RecordValue: CustomStringConvertible {
  public var description: String { text() }

  /// The value in one line, as it would be written in Swift: `itemRenamed(id: 1, name: "x")`.
  ///
  /// With a limit, what goes beyond that many characters is cut off and `…` takes its place.
  public func text(limit: Int = .max) -> String {
    var writer = RecordTextWriter(limit: limit)
    writer.write(self)
    return writer.finish()
  }

  /// What kind of value it is, for messages.
  var kindDescription: String {
    switch self {
    case .null: "nothing (nil)"
    case .some: "an optional"
    case .bool: "a truth value"
    case .int, .uint, .int128, .uint128, .float, .double, .decimal: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .duration: "a duration"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .structure(let name, _): name.isEmpty ? "values under keys" : "a '\(name)'"
    case .enumeration(let name, let label, _): "the case '\(label)' of '\(name)'"
    case .opaque(let name, _): "an opaque '\(name)'"
    }
  }
}

private struct RecordTextWriter {
  private var text = ""
  /// In characters.
  private let limit: Int
  /// In bytes: nearly all characters have fewer than these, and what lies beyond is not written.
  private let byteLimit: Int
  private var isFull: Bool { text.utf8.count > byteLimit }

  init(limit: Int) {
    self.limit = limit
    byteLimit = limit < Int.max / 16 ? limit * 8 + 64 : Int.max
  }

  consuming func finish() -> String {
    guard isFull || (limit < text.utf8.count && limit < text.count) else { return text }
    return "\(text.prefix(max(limit - 1, 0)))…"
  }

  mutating func write(_ value: RecordValue) {
    guard !isFull else { return }
    switch value {
    case .null: text += "nil"
    case .some(let wrapped):
      text += ".some("
      write(wrapped)
      text += ")"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .uint(let value): text += "\(value)"
    case .int128(let value): text += "\(value)"
    case .uint128(let value): text += "\(value)"
    case .float(let value): text += "\(value)"
    case .double(let value): text += "\(value)"
    case .string(let value): write(quoted: value)
    case .data(let value): text += "\(value.count) bytes"
    case .date(let value): text += RecordDateText.text(of: value)
    case .uuid(let value): text += value.uuidString
    case .url(let value): text += value.absoluteString
    case .decimal(let value): text += value.description
    case .duration(let value): text += "\(value)"
    case .array(let elements), .set(let elements): write(elements)
    case .dictionary(let entries): write(entries)
    case .structure(let name, let fields):
      text += lastName(of: name)
      write(fields, always: true)
    case .enumeration(_, let label, let fields):
      text += label
      write(fields, always: false)
    case .opaque(let name, _): text += "<\(name)>"
    }
  }

  private mutating func write(_ elements: [RecordValue]) {
    text += "["
    for (index, element) in elements.enumerated() where !isFull {
      if index > 0 { text += ", " }
      write(element)
    }
    text += "]"
  }

  private mutating func write(_ entries: [RecordValue.Entry]) {
    text += entries.isEmpty ? "[:" : "["
    for (index, entry) in entries.enumerated() where !isFull {
      if index > 0 { text += ", " }
      write(entry.key)
      text += ": "
      write(entry.value)
    }
    text += "]"
  }

  private mutating func write(_ fields: [RecordValue.Field], always: Bool) {
    guard always || !fields.isEmpty else { return }
    text += "("
    for (index, field) in fields.enumerated() where !isFull {
      if index > 0 { text += ", " }
      if field.name != "_\(index)" { text += "\(field.name): " }
      write(field.value)
    }
    text += ")"
  }

  private mutating func write(quoted string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      guard !isFull else { return }
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0": text += "\\0"
      default:
        // Control characters would reach the terminal as commands.
        if scalar.properties.generalCategory == .control {
          text += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }

  private func lastName(of name: String) -> Substring {
    name.split(separator: ".").last ?? ""
  }
}
