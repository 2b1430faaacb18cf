/// The marks that stand before the lines of a difference.
public struct DiffFormat: Sendable {
  /// The mark of a line that is in the first value only.
  public var first: String

  /// The mark of a line that is in the second value only.
  public var second: String

  /// The mark of a line that is in both.
  public var both: String

  public init(first: String, second: String, both: String) {
    self.first = first
    self.second = second
    self.both = both
  }

  /// Plain ASCII: `-`, `+` and a space, for monospaced text.
  public static let `default` = Self(first: "-", second: "+", both: " ")

  /// A minus sign, a plus sign and a figure space, which are equally wide in proportional fonts.
  public static let proportional = Self(first: "\u{2212}", second: "+", both: "\u{2007}")
}
