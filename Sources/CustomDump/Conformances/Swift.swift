extension AnyHashable: CustomDumpRepresentable {
  public var customDumpValue: Any { base }
}

extension AnyKeyPath: CustomDumpStringConvertible {
  public var customDumpDescription: String { debugDescription }
}

extension KeyValuePairs: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: map { ($0.key, $0.value) }, displayStyle: .dictionary)
  }
}

extension Character: CustomDumpRepresentable {
  public var customDumpValue: Any { String(self) }
}

extension Unicode.Scalar: CustomDumpRepresentable {
  public var customDumpValue: Any { String(self) }
}

extension StaticString: CustomDumpRepresentable {
  public var customDumpValue: Any { "\(self)" }
}

extension ObjectIdentifier: CustomDumpStringConvertible {
  public var customDumpDescription: String { debugDescription }
}

extension Duration: CustomDumpStringConvertible {
  /// The units that are not zero, from days to nanoseconds: `1 minute, 30 seconds`.
  public var customDumpDescription: String {
    let (seconds, attoseconds) = components
    let sign: String = seconds < 0 || attoseconds < 0 ? "-" : ""
    var parts: [String] = []
    func add(_ amount: UInt64, _ unit: String) {
      guard amount > 0 else { return }
      parts.append("\(parts.isEmpty ? sign : "")\(amount) \(unit)\(amount == 1 ? "" : "s")")
    }
    let whole: UInt64 = seconds.magnitude
    add(whole / 86_400, "day")
    add(whole / 3_600 % 24, "hour")
    add(whole / 60 % 60, "minute")
    add(whole % 60, "second")
    let fraction: UInt64 = attoseconds.magnitude
    add(fraction / 1_000_000_000_000_000, "millisecond")
    add(fraction / 1_000_000_000_000 % 1_000, "microsecond")
    add(fraction / 1_000_000_000 % 1_000, "nanosecond")
    add(fraction % 1_000_000_000, "attosecond")
    return parts.isEmpty ? "0 nanoseconds" : parts.joined(separator: ", ")
  }
}
