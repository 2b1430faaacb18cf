/// Random numbers that are the same for the same seed (SplitMix64).
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    self.state = seed
  }

  package mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var bits: UInt64 = self.state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to one less than `count`.
  mutating func below(_ count: Int) -> Int { Int(self.next() % UInt64(count)) }

  /// Whether something happens that does so once in `count` times.
  mutating func once(in count: Int) -> Bool { self.below(count) == 0 }

  /// One of the elements.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[self.below(elements.count)]
  }
}
