internal import LogSimulation

/// Changes inputs at random, the same way for the same seed.
package struct FuzzMutation: Sendable {
  private static let oddNumbers: [UInt64] = [
    0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 255, 256, 1023, 1024, 1025, 4095, 4096,
    65_535,
    65_536, 1 << 20, 64 << 20, (64 << 20) + 1, (64 << 20) + 16, (64 << 20) + (64 << 10),
    (64 << 20) + (64 << 10) + 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 61, 1 << 62,
    (1 << 62) + 1, .max >> 1, .max - 1, .max,
  ]

  private var generator: SeededGenerator

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// One of the inputs, changed in one to eight places.
  package mutating func next(_ corpus: [[UInt8]]) -> [UInt8] {
    var bytes = corpus.isEmpty ? [] : corpus[generator.below(corpus.count)]
    if bytes.isEmpty { bytes = [0] }
    for _ in 0..<1 + generator.below(8) { change(&bytes, corpus) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
    if bytes.isEmpty { bytes = [0] }
    let place = generator.below(bytes.count)
    switch generator.below(10) {
    case 0: bytes[place] ^= 1 << UInt8(generator.below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
    case 2: bytes[place] = bytes[place] &+ UInt8(truncatingIfNeeded: generator.below(9)) &- 4
    case 3, 4:
      let size = [1, 2, 4, 8][generator.below(4)]
      bytes.set(place, size, Self.oddNumbers[generator.below(Self.oddNumbers.count)])
    case 5: bytes.removeSubrange(place..<min(bytes.count, place + 1 + generator.below(16)))
    case 6:
      bytes.insert(contentsOf: (0..<1 + generator.below(16)).map { _ in 0 }, at: place)
    case 7:
      let end = min(bytes.count, place + 1 + generator.below(64))
      let target = generator.below(bytes.count)
      bytes.insert(contentsOf: bytes[place..<end], at: target)
    case 8:
      let other = corpus.isEmpty ? [] : corpus[generator.below(corpus.count)]
      bytes.replaceSubrange(place..., with: other.dropFirst(min(place, other.count)))
    default: bytes.removeSubrange(place...)
    }
    if bytes.count > FuzzTarget.maximumInput { bytes.removeSubrange(FuzzTarget.maximumInput...) }
  }
}
