/// Numbers and lists as parts of sentences.
enum Phrase {
  /// Beyond this many, a list only says how many more there are.
  static let longestList = 8

  /// `a`, `a and b`, `a, b and c`, `a, b, … and 12 more`.
  static func list(_ items: [String]) -> String {
    guard items.count > 1 else { return items.first ?? "nothing" }
    guard items.count <= longestList else {
      let shown: String = items.prefix(longestList).joined(separator: ", ")
      return "\(shown) and \(items.count - longestList) more"
    }
    return "\(items.dropLast().joined(separator: ", ")) and \(items[items.count - 1])"
  }

  /// `3`, `1 to 12`, `1, 4 and 9`.
  static func numbers(_ numbers: [UInt64]) -> String {
    guard let first = numbers.first, let last = numbers.last else { return "none" }
    if numbers.count > 2, last >= first, last - first == UInt64(numbers.count) - 1 {
      return "\(first) to \(last)"
    }
    return list(numbers.map { "\($0)" })
  }

  /// `1 action`, `1,200 actions`.
  static func count(_ number: UInt64, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
  }

  /// `1,234,567`.
  static func grouped(_ number: UInt64) -> String {
    var result = ""
    let digits: [Character] = Array(String(number))
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return result
  }

  /// `812 bytes`, `12.3 kB`, `4.0 MB`: powers of a thousand, as disks are sold by.
  static func bytes(_ count: UInt64) -> String {
    if count < 1_000 { return self.count(count, "byte") }
    var value = Double(count)
    for unit in ["kB", "MB", "GB"] {
      value /= 1_000
      if value < 999.95 { return "\(decimal(value, 1)) \(unit)" }
    }
    return "\(decimal(value / 1_000, 1)) TB"
  }

  /// A number with a fixed count of decimals.
  static func decimal(_ value: Double, _ places: Int) -> String {
    var scale: Double = 1
    for _ in 0..<places { scale *= 10 }
    let scaled: Double = (value.magnitude * scale).rounded()
    guard scaled.isFinite, scaled < 1e18 else { return "\(value)" }
    let digits = String(UInt64(scaled))
    let sign: String = value < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + digits }
    let missing: Int = max(0, places + 1 - digits.count)
    let padded: String = String(repeating: "0", count: missing) + digits
    return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  /// A length of time in microseconds: `0.312 s`, `12.5 s`, `3 min 04 s`, `2 h 05 min`.
  static func duration(microseconds: UInt64) -> String {
    let seconds: UInt64 = microseconds / 1_000_000
    if seconds < 10 { return "\(decimal(Double(microseconds) / 1e6, 3)) s" }
    if seconds < 60 { return "\(decimal(Double(microseconds) / 1e6, 1)) s" }
    if seconds < 3_600 { return "\(seconds / 60) min \(twoDigits(seconds % 60)) s" }
    if seconds < 86_400 { return "\(seconds / 3_600) h \(twoDigits(seconds / 60 % 60)) min" }
    return "\(grouped(seconds / 86_400)) d \(twoDigits(seconds / 3_600 % 24)) h"
  }

  static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// `1200`, `end`, `-5`.
  static func position(_ position: Position) -> String {
    switch position {
    case .number(let number): "\(number)"
    case .end: "end"
    case .fromEnd(let count): "-\(count)"
    }
  }
}
