/// What to do, and for how long.
struct Arguments {
  enum Verb: String {
    /// Generated runs are recorded and replayed.
    case check
    /// One generated run is recorded.
    case record
    /// The digest of all states of a log is printed.
    case digest
    /// Many processes print the digest of a log, each in another zone, language and order of sets.
    case processes
  }

  struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  var verb = Verb.check
  var log = ""
  /// How many runs or processes; as many as there is time for when `nil`.
  var count: Int?
  var seed: UInt64 = 1
  var minutes = 60.0
  /// The most steps of a run.
  var length = 28

  init(_ words: some Sequence<String>) throws(Wrong) {
    var words = words.makeIterator()
    var isFirst = true
    while let word = words.next() {
      if isFirst, let verb = Verb(rawValue: word) {
        self.verb = verb
      } else if !word.hasPrefix("-"), self.log.isEmpty {
        self.log = word
      } else {
        guard let value = words.next() else { throw Self.usage(word) }
        switch word {
        case "--runs", "--processes": self.count = try Self.number(word, value)
        case "--seed": self.seed = UInt64(try Self.number(word, value))
        case "--minutes": self.minutes = Double(try Self.number(word, value))
        case "--length": self.length = try Self.number(word, value)
        default: throw Self.usage(word)
        }
      }
      isFirst = false
    }
    guard self.verb == .check || !self.log.isEmpty else { throw Self.usage("") }
  }

  private static func number(_ name: String, _ text: String) throws(Wrong) -> Int {
    guard let number = Int(text), number > 0, number < 1 << 40 else {
      throw Wrong(description: "\(name) takes a number above 0, and \"\(text)\" is none")
    }
    return number
  }

  private static func usage(_ word: String) -> Wrong {
    Wrong(
      description: """
        \(word.isEmpty ? "A log is missing" : "\"\(word)\" is not understood here"). Use one of:
          replays [check] [--runs N] [--seed S] [--minutes M] [--length N]
          replays record LOG [--seed S] [--length N]
          replays digest LOG
          replays processes LOG [--processes N]
        """)
  }
}
