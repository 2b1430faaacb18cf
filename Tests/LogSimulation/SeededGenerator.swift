/// Numbers that are the same for a seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// True in `part` of a thousand cases.
  package mutating func chance(_ part: Int) -> Bool {
    Int(next() % 1000) < part
  }

  /// A number below `limit`, which is above 0.
  package mutating func below(_ limit: Int) -> Int {
    Int(next() % UInt64(limit))
  }
}

/// A hash that is the same in every process.
package struct StableHash {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01b3
    value ^= value >> 29
  }

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(UInt64(byte)) }
    add(UInt64(text.utf8.count))
  }

  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var at = 0
      while at + 8 <= buffer.count {
        add(buffer.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        at += 8
      }
      while at < buffer.count {
        add(UInt64(buffer[at]))
        at += 1
      }
    }
    add(UInt64(bytes.count))
  }
}
