/// Turns the text of an argument into a value, or says why it can't.
package struct ValueParser<Value: Sendable>: Sendable {
  /// The words that are accepted, when there are only a few; shown in help and completions.
  package var choices: [String]
  /// What a shell should offer in this place.
  package var completion: ValueCompletion
  let parse: @Sendable (String) throws(ValueError) -> Value

  package init(
    choices: [String] = [], completion: ValueCompletion = .none,
    parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) {
    self.choices = choices
    self.completion = completion
    self.parse = parse
  }
}

/// What a shell offers when a value is to be typed.
package enum ValueCompletion: Hashable, Sendable {
  case none
  case directory
  case file
}

/// Why a text is no value of its kind, as the end of a sentence: `'x' is not a whole number`.
package struct ValueError: Error, Hashable, Sendable {
  package var message: String

  package init(_ message: String) {
    self.message = message
  }
}

extension ValueParser where Value == String {
  /// Any text, as it is.
  package static var text: ValueParser { text(completion: .none) }

  /// Any text, as it is, with a hint for the shell.
  package static func text(completion: ValueCompletion) -> ValueParser {
    ValueParser(completion: completion) { (text: String) throws(ValueError) -> String in text }
  }
}

extension ValueParser where Value == String {
  /// A path, which can't be empty.
  package static func path(completion: ValueCompletion) -> ValueParser {
    ValueParser(completion: completion) { (text: String) throws(ValueError) -> String in
      guard !text.isEmpty else { throw ValueError("a path can't be empty") }
      return text
    }
  }
}

extension ValueParser where Value == Int {
  /// A whole number within bounds.
  package static func integer(in bounds: ClosedRange<Int> = Int.min...Int.max) -> ValueParser {
    ValueParser { (text: String) throws(ValueError) -> Int in
      guard let value = Int(text) else { throw ValueError("it is not a whole number") }
      guard bounds.contains(value) else {
        if bounds.upperBound == Int.max {
          throw ValueError("it must be at least \(bounds.lowerBound)")
        }
        throw ValueError("it must be from \(bounds.lowerBound) to \(bounds.upperBound)")
      }
      return value
    }
  }
}

extension ValueParser
where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words that the type's cases are named by.
  package static var choice: ValueParser {
    let words: [String] = Value.allCases.map(\.rawValue)
    return ValueParser(choices: words) { (text: String) throws(ValueError) -> Value in
      guard let value = Value(rawValue: text) else {
        throw ValueError("it must be one of \(words.joined(separator: ", "))")
      }
      return value
    }
  }
}
