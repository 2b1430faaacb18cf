/// What to do, and for how long.
struct Arguments {
  enum Part: String, CaseIterable {
    case power, damage, kills
  }

  struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  var parts: [Part] = []
  /// For each part.
  var minutes = 60.0
  /// Distinct states for each sync policy, in all.
  var states = 100_000
  var kills = 10_000
  var folder = ".build/torture"

  init(_ words: some Sequence<String>) throws(Wrong) {
    var words = words.makeIterator()
    while let word = words.next() {
      if let part = Part(rawValue: word) {
        parts.append(part)
        continue
      }
      guard let value = words.next() else { throw Self.usage(word) }
      switch word {
      case "--minutes": minutes = try Self.number(word, value)
      case "--states": states = Int(try Self.number(word, value))
      case "--kills": kills = Int(try Self.number(word, value))
      case "--folder": folder = value
      default: throw Self.usage(word)
      }
    }
    if parts.isEmpty { parts = Part.allCases }
  }

  private static func number(_ name: String, _ text: String) throws(Wrong) -> Double {
    guard let number = Double(text), number > 0, number < 1e9 else {
      throw Wrong(description: "\(name) takes a number above 0, and \"\(text)\" is none")
    }
    return number
  }

  private static func usage(_ word: String) -> Wrong {
    Wrong(
      description: """
        "\(word)" is not understood here. Use: torture [power] [damage] [kills] [--minutes N] \
        [--states N] [--kills N] [--folder PATH]
        """)
  }
}

/// When a part is to stop.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(minutes: Double) {
    end = .now + .seconds(minutes * 60)
  }

  var isOver: Bool { .now > end }
}
