import CActionLog
import LogSimulation
import Testing

@testable import ActionLog

/// Bodies laid out in columns and put side by side again, and the numbers that stand before them.
@Suite struct ColumnTests {
  /// Sizes of bodies, in the shapes that are gathered in different ways.
  private enum Shape: CaseIterable {
    case long, any, mixed, one, few, runs
  }

  private func bodies(
    _ shape: Shape, _ count: Int, _ generator: inout SeededGenerator
  ) -> (kinds: [UInt8], sizes: [UInt32]) {
    var kinds: [UInt8] = []
    var sizes: [UInt32] = []
    for index in 0..<count {
      let kind: Int =
        switch shape {
        case .one, .few: 9
        // Long runs of a kind, with one of another between.
        case .runs: index % 45 == 40 ? 0 : 255
        case .long, .any, .mixed: [0, 3, 255][generator.below(3)]
        }
      let size: Int =
        switch shape {
        case .long: 16 + generator.below(60)
        case .any: generator.below(40)
        // One kind has bodies that end within the columns.
        case .mixed: kind == 3 ? generator.below(12) : 12 + generator.below(30)
        case .one: 64
        // So short that half a row holds them.
        case .few: generator.below(9)
        case .runs: 3 + generator.below(15)
        }
      kinds.append(UInt8(kind))
      sizes.append(UInt32(size))
    }
    return (kinds, sizes)
  }

  @Test func whatIsScatteredIsGatheredAgain() {
    var generator = SeededGenerator(seed: 3)
    for shape in Shape.allCases {
      for count in [0, 1, 2, 15, 16, 17, 31, 32, 33, 100, 700] {
        for columns in [1, 8, 12, 15, 16, 17, 32] as [UInt32] {
          let (kinds, sizes) = bodies(shape, count, &generator)
          let total = sizes.reduce(0) { $0 + Int($1) }
          let original = (0..<total).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
          var places = [UInt32](repeating: 7, count: al_places(columns))
          var scattered = [UInt8](repeating: 0, count: total + Int(AL_SLACK))
          al_scatter(original, kinds, sizes, count, columns, &places, &scattered)
          for parts in Parts.allCases {
            let ranges = parts.ranges(count, &generator)
            let expected = Self.bodies(original, sizes, ranges)
            // What lies behind a stretch stays as it is.
            let gathered = Self.gather(scattered, kinds, sizes, columns, ranges)
            #expect(gathered == expected, "\(shape) \(count) \(columns) \(parts)")
          }
        }
      }
    }
  }

  /// What is gathered, and what is passed over before and between.
  private enum Parts: CaseIterable {
    case whole, stretches, someStretches, oneByOne

    func ranges(_ count: Int, _ generator: inout SeededGenerator) -> [Range<Int>] {
      switch self {
      case .whole: return [0..<count]
      case .oneByOne: return (0..<count).map { $0..<$0 + 1 }
      case .stretches, .someStretches:
        var ranges: [Range<Int>] = []
        var at = 0
        while at < count {
          if self == .someStretches { at = min(count, at + generator.below(40)) }
          let end = min(count, at + 1 + generator.below(40))
          if end > at { ranges.append(at..<end) }
          at = end
        }
        return ranges
      }
    }
  }

  private static func bodies(
    _ bodies: [UInt8], _ sizes: [UInt32], _ ranges: [Range<Int>]
  ) -> [[UInt8]] {
    var starts = [0]
    for size in sizes { starts.append(starts[starts.count - 1] + Int(size)) }
    return ranges.map {
      Array(bodies[starts[$0.lowerBound]..<starts[$0.upperBound]])
        + [UInt8](repeating: 0xee, count: 64)
    }
  }

  private static func gather(
    _ scattered: [UInt8], _ kinds: [UInt8], _ sizes: [UInt32], _ columns: UInt32,
    _ ranges: [Range<Int>]
  ) -> [[UInt8]] {
    var places = [UInt32](repeating: 7, count: al_places(columns))
    var heads = [UInt8](repeating: 7, count: 256 * Int(AL_HEADS_OF_KIND))
    let place = UnsafeMutablePointer<al_columns>.allocate(capacity: 1)
    defer { place.deallocate() }
    return scattered.withUnsafeBufferPointer { scattered in
      kinds.withUnsafeBufferPointer { kinds in
        sizes.withUnsafeBufferPointer { sizes in
          places.withUnsafeMutableBufferPointer { places in
            heads.withUnsafeMutableBufferPointer { heads in
              guard let kinds = kinds.baseAddress, let first = sizes.baseAddress,
                let places = places.baseAddress, let heads = heads.baseAddress
              else { return [] }
              al_columns_begin(
                place, scattered.baseAddress, kinds, first, sizes.count, columns, places, heads)
              var at = 0
              return ranges.map { range in
                al_columns_pass(place, at, range.lowerBound)
                at = range.upperBound
                let size = sizes[range].reduce(0) { $0 + Int($1) }
                var bodies = [UInt8](repeating: 0xee, count: size + 64)
                al_columns_gather(place, range.lowerBound, range.upperBound, &bodies, size)
                return bodies
              }
            }
          }
        }
      }
    }
  }

  @Test func lengthsAreReadAtOnce() {
    var generator = SeededGenerator(seed: 8)
    for round in 0..<300 {
      let count = generator.below(60)
      let values = (0..<count).map { _ in
        UInt64(generator.chance(800) ? generator.below(128) : generator.below(1 << 20))
      }
      var bytes: [UInt8] = []
      for value in values { bytes.putVarint(value) }
      let size = bytes.count
      bytes += [1, 2, 3, 4, 5, 6, 7, 8, 9].prefix(round % 10)
      var lengths = [UInt32](repeating: 7, count: count + 1)
      var total: UInt64 = 7
      var end = 7
      #expect(al_take_lengths(bytes, bytes.count, count, 1 << 20, &lengths, &total, &end))
      #expect(lengths.prefix(count).map(UInt64.init) == values && lengths[count] == 7)
      #expect(total == values.reduce(0, +) && end == size)
      guard count > 0 else { continue }
      // Cut off anywhere, or with one that is too large, they are none.
      #expect(!al_take_lengths(bytes, size - 1, count, 1 << 20, &lengths, &total, &end))
      let most = values.max() ?? 0
      #expect(al_take_lengths(bytes, size, count, UInt32(most), &lengths, &total, &end))
      if most > 0 {
        #expect(!al_take_lengths(bytes, size, count, UInt32(most - 1), &lengths, &total, &end))
      }
    }
  }

  @Test func whatDoesNotFitIntoANumberIsNotPassed() {
    var generator = SeededGenerator(seed: 9)
    for round in 0..<2_000 {
      var bytes: [UInt8] = []
      let count = 1 + generator.below(40)
      for _ in 0..<count {
        bytes.putVarint(
          generator.chance(300)
            ? UInt64(generator.below(1 << 14)) : generator.next() >> generator.below(64))
      }
      if round % 2 == 0 { bytes[generator.below(bytes.count)] |= 0x80 }
      if round % 5 == 0 { bytes.insert(contentsOf: [0xff, 0xff, 0xff, 0xff, 0xff], at: 0) }
      let size = round % 3 == 0 ? generator.below(bytes.count) : bytes.count
      // Read one by one they tell the same.
      var expected: Int? = 0
      bytes.withUnsafeBytes { raw in
        let raw = UnsafeRawBufferPointer(rebasing: raw[..<size])
        var at = 0
        for _ in 0..<count where expected != nil {
          expected = takeVarint(raw, &at) == nil ? nil : at
        }
      }
      var end = 0
      let isPassed = al_pass_varints(bytes, size, count, &end)
      #expect((isPassed ? end : nil) == expected)
    }
  }
}
