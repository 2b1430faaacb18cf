import CActionLog
import LogSimulation
import Testing

@testable import ActionLog

/// Bodies laid out in columns and put side by side again, and the numbers that stand before them.
@Suite struct ColumnTests {
  /// Sizes of bodies, in the shapes that are gathered in different ways.
  private enum Shape: CaseIterable {
    case long, any, mixed, one
  }

  private func bodies(
    _ shape: Shape, _ count: Int, _ generator: inout SeededGenerator
  ) -> (kinds: [UInt8], sizes: [UInt32]) {
    var kinds: [UInt8] = []
    var sizes: [UInt32] = []
    for _ in 0..<count {
      let kind = shape == .one ? 9 : [0, 3, 255][generator.below(3)]
      let size: Int =
        switch shape {
        case .long: 16 + generator.below(60)
        case .any: generator.below(40)
        // One kind has bodies that end within the columns.
        case .mixed: kind == 3 ? generator.below(12) : 12 + generator.below(30)
        case .one: 64
        }
      kinds.append(UInt8(kind))
      sizes.append(UInt32(size))
    }
    return (kinds, sizes)
  }

  @Test func whatIsScatteredIsGatheredAgain() {
    var generator = SeededGenerator(seed: 3)
    for shape in Shape.allCases {
      for count in [0, 1, 2, 15, 16, 17, 31, 32, 33, 100, 500] {
        for columns in [1, 8, 12, 15, 16, 17, 32] as [UInt32] {
          let (kinds, sizes) = bodies(shape, count, &generator)
          let total = sizes.reduce(0) { $0 + Int($1) }
          let original = (0..<total).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
          var places = [UInt32](repeating: 7, count: al_places(columns))
          var heads = [UInt8](repeating: 7, count: 256 * Int(AL_HEADS_OF_KIND))
          var scattered = [UInt8](repeating: 0, count: total)
          al_scatter(original, kinds, sizes, count, columns, &places, &scattered)
          // What lies behind the bodies stays as it is.
          var gathered = [UInt8](repeating: 0xee, count: total + 64)
          al_gather(scattered, kinds, sizes, count, columns, total, &places, &heads, &gathered)
          #expect(Array(gathered.prefix(total)) == original, "\(shape) \(count) \(columns)")
          #expect(gathered.suffix(64).allSatisfy { $0 == 0xee })
        }
      }
    }
  }

  @Test func varintsArePassedOver() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var bytes: [UInt8] = [1, 2, 3]
      let values = (0..<generator.below(40)).map { _ in
        generator.chance(600) ? generator.next() & 0x7f : generator.next() >> generator.below(64)
      }
      for value in values { bytes.putVarint(value) }
      let end = bytes.count
      bytes += [0xff, 1, 0xff]
      bytes.withUnsafeBytes { raw in
        #expect(skipVarints(raw, 3, values.count) == end)
        var at = 3
        for value in values { #expect(takeVarint(raw, &at) == value) }
        #expect(at == end)
        // Cut off anywhere, there are too few.
        let cut = UnsafeRawBufferPointer(rebasing: raw[..<max(3, end - 1)])
        if !values.isEmpty { #expect(skipVarints(cut, 3, values.count) == nil) }
      }
    }
  }
}
