/// What a user presses.
package enum Key: Equatable, Sendable {
  case text(String)
  case enter
  case backspace
  case delete
  case left, right, up, down
  case home, end
  case textStart, textEnd
  case pageUp, pageDown
  /// A letter held with Control.
  case control(Character)
  /// A key that the editor has no use for.
  case unknown
}

/// Turns what a terminal sends into keys.
///
/// Bytes may arrive in parts: what is no whole key yet waits for the rest.
package struct KeyDecoder {
  /// How long an unfinished escape sequence may be before it is dropped.
  static let maximumSequence = 64

  private var waiting: [UInt8] = []
  private var isPasting = false

  package init() {}

  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    waiting += bytes
    var keys: [Key] = []
    var index = 0
    while index < waiting.count, let (key, length) = next(waiting[index...]) {
      index += length
      guard let key else { continue }
      if case .text(let more) = key, case .text(let text)? = keys.last {
        keys[keys.count - 1] = .text(text + more)
      } else {
        keys.append(key)
      }
    }
    waiting.removeFirst(index)
    return keys
  }

  /// The first key and the number of its bytes; nil where it is not all there.
  private mutating func next(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return escape(bytes) }
    if isPasting, first == 0x0D || first == 0x0A || first == 0x09 {
      return (.text(first == 0x0D ? "\n" : String(Character(Unicode.Scalar(first)))), 1)
    }
    switch first {
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x09: return (.text("\t"), 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x01...0x1A: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
    case 0..<0x20: return (.unknown, 1)
    case 0x20..<0x80: return (.text(String(Character(Unicode.Scalar(first)))), 1)
    default: return character(bytes, first)
    }
  }

  private func character(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> (Key?, Int)? {
    let length: Int
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return (.unknown, 1)
    }
    let part: ArraySlice<UInt8> = bytes.prefix(length)
    guard part.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (.unknown, 1) }
    guard part.count == length else { return nil }
    guard let text = String(validating: part, as: UTF8.self) else { return (.unknown, length) }
    return (.text(text), length)
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
    guard bytes.count > 1 else { return nil }
    let second: UInt8 = bytes[bytes.startIndex + 1]
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
      // A lone escape, or one held with another key: that key stands for itself.
      return (.unknown, 1)
    }
    let body: ArraySlice<UInt8> = bytes.dropFirst(2)
    guard let final = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return bytes.count > Self.maximumSequence ? (.unknown, bytes.count) : nil
    }
    let sequence = String(decoding: body[...final], as: UTF8.self)
    let length: Int = final - bytes.startIndex + 1
    switch sequence {
    case "200~":
      isPasting = true
      return (nil, length)
    case "201~":
      isPasting = false
      return (nil, length)
    default:
      return (Self.sequences[sequence] ?? .unknown, length)
    }
  }

  /// What follows `ESC [` or `ESC O`, as xterm, the Linux console and tmux send it.
  private static let sequences: [String: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end,
    "1~": .home, "7~": .home, "4~": .end, "8~": .end, "3~": .delete,
    "5~": .pageUp, "6~": .pageDown, "1;5H": .textStart, "1;5F": .textEnd,
    "1;5C": .right, "1;5D": .left, "1;5A": .up, "1;5B": .down,
  ]
}
