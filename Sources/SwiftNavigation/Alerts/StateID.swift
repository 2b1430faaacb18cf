internal import Foundation
internal import Synchronization

/// Draws the ids of alerts, dialogs and buttons.
///
/// They only have to differ from each other. Foundation's `UUID()` asks the system for each, which
/// costs more than to build an alert: here the system is asked once, and ids count up from there.
enum StateID {
  private static let seed: (high: UInt64, low: UInt64) = {
    var generator = SystemRandomNumberGenerator()
    let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
    // The marks of a random UUID, its version and variant, are put over the random bits.
    return ((high & ~0xF000) | 0x4000, (low & ~(0b11 << 62)) | (0b10 << 62))
  }()
  private static let drawn = Atomic<UInt64>(0)

  /// An id that no other call in this process returns.
  static func next() -> UUID {
    let number: UInt64 = drawn.wrappingAdd(1, ordering: .relaxed).newValue
    // What is counted stays below the variant's bits.
    let low: UInt64 = seed.low ^ (number & (1 << 62 - 1))
    let halves: (UInt64, UInt64) = (seed.high.bigEndian, low.bigEndian)
    return UUID(uuid: unsafeBitCast(halves, to: uuid_t.self))
  }
}
