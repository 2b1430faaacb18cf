import FoundationEssentials

extension RecordValue {
  /// The value as JSON in the shape of Swift's synthesized `Codable`, with fields in their order.
  ///
  /// Cases are `{"itemRenamed":{"id":1,"name":"x"}}`, values without a label `_0`, `_1`, ….
  /// Dictionaries whose keys are strings or integers are objects, others lists of keys and values
  /// in turn. Dates are ISO 8601 in UTC, without loss; data is Base64; numbers that JSON does not
  /// have are `"nan"`, `"inf"`, `"-inf"`. An absent optional is `null`; a present one whose content
  /// may itself be absent is `{"some":…}`. A value that is not in the record is
  /// `{"$opaque":"Type","reason":"…"}`.
  ///
  /// With `pretty`, each field stands on a line of its own, indented by two spaces a level.
  public func json(pretty: Bool = false) -> String {
    var writer = RecordJSONWriter(pretty: pretty)
    writer.write(self)
    return writer.text
  }
}

extension String {
  /// The string as JSON, in quotation marks.
  package var jsonQuoted: String {
    var writer = RecordJSONWriter(pretty: false)
    writer.write(string: self)
    return writer.text
  }
}

private struct RecordJSONWriter {
  private(set) var text = ""
  private let pretty: Bool
  private var depth = 0

  init(pretty: Bool) {
    self.pretty = pretty
  }

  mutating func write(_ value: RecordValue) {
    switch value {
    case .null: text += "null"
    case .some(let wrapped): writeObject([("some", wrapped)])
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .uint(let value): text += "\(value)"
    case .int128(let value): text += "\(value)"
    case .uint128(let value): text += "\(value)"
    case .float(let value): write(number: value)
    case .double(let value): write(number: value)
    case .string(let value): write(string: value)
    case .data(let value): write(string: value.base64EncodedString())
    case .date(let value): write(string: RecordDateText.text(of: value))
    case .uuid(let value): write(string: value.uuidString)
    case .url(let value): write(string: value.absoluteString)
    case .decimal(let value): value.isNaN ? write(string: "nan") : write(raw: value.description)
    case .duration(let value): write(string: "\(value)")
    case .array(let elements), .set(let elements): writeList(elements)
    case .dictionary(let entries): write(entries)
    case .structure(_, let fields): writeObject(fields.map { ($0.name, $0.value) })
    case .enumeration(_, let name, let fields):
      writeObject([(name, .structure(name: "", fields: fields))])
    case .opaque(let name, let reason):
      writeObject([("$opaque", .string(name)), ("reason", .string(reason))])
    }
  }

  private mutating func write(_ entries: [RecordValue.Entry]) {
    let named = entries.compactMap { entry -> (String, RecordValue)? in
      switch entry.key {
      case .string(let key): (key, entry.value)
      case .int(let key): ("\(key)", entry.value)
      case .uint(let key): ("\(key)", entry.value)
      default: nil
      }
    }
    if named.count == entries.count {
      writeObject(named)
    } else {
      writeList(entries.flatMap { [$0.key, $0.value] })
    }
  }

  private mutating func writeObject(_ fields: [(String, RecordValue)]) {
    guard !fields.isEmpty else {
      text += "{}"
      return
    }
    text += "{"
    depth += 1
    for (index, field) in fields.enumerated() {
      if index > 0 { text += "," }
      breakLine()
      write(string: field.0)
      text += pretty ? ": " : ":"
      write(field.1)
    }
    depth -= 1
    breakLine()
    text += "}"
  }

  private mutating func writeList(_ elements: [RecordValue]) {
    guard !elements.isEmpty else {
      text += "[]"
      return
    }
    text += "["
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      breakLine()
      write(element)
    }
    depth -= 1
    breakLine()
    text += "]"
  }

  private mutating func breakLine() {
    guard pretty else { return }
    text += "\n"
    text += String(repeating: "  ", count: depth)
  }

  private mutating func write(raw: String) {
    text += raw
  }

  private mutating func write<T: BinaryFloatingPoint & LosslessStringConvertible>(number: T) {
    if number.isNaN {
      write(string: "nan")
    } else if number.isInfinite {
      write(string: number < 0 ? "-inf" : "inf")
    } else {
      // Swift's text is the shortest that gives the same number again, and is JSON as well.
      text += "\(number)"
    }
  }

  mutating func write(string: String) {
    text += "\""
    var string = string
    string.withUTF8 { bytes in
      // Runs without escapes are copied as they are.
      var start = 0
      for (index, byte) in bytes.enumerated() {
        guard
          byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7f
        else { continue }
        text += String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        start = index + 1
        switch byte {
        case UInt8(ascii: "\""): text += "\\\""
        case UInt8(ascii: "\\"): text += "\\\\"
        case 0x0a: text += "\\n"
        case 0x0d: text += "\\r"
        case 0x09: text += "\\t"
        default: text += "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
      text += String(decoding: UnsafeBufferPointer(rebasing: bytes[start...]), as: UTF8.self)
    }
    text += "\""
  }
}
