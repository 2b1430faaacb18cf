internal import Synchronization

/// Numbers for what a replay gives a reducer in the place of values that it does not have.
enum Placeholders {
  private static let count = Atomic<UInt64>(0)

  /// A number that no other placeholder had, so that a reducer which tries until it gets something
  /// new does not try for ever.
  static func next() -> UInt64 {
    self.count.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// A number whose bits are spread, by the finalizer of SplitMix64.
  static func scattered() -> UInt64 {
    var bits: UInt64 = self.next() &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
