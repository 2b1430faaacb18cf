internal import Synchronization

/// The rows of the surface that generated runs have reached in this process.
package enum Coverage {
  private static let first = Atomic<UInt64>(0)
  private static let second = Atomic<UInt64>(0)
  private static let numbers: [SurfaceRow: Int] = Dictionary(
    uniqueKeysWithValues: SurfaceRow.allCases.enumerated().map { ($0.element, $0.offset) })

  /// Marks a row.
  static func mark(_ row: SurfaceRow) {
    let number = self.numbers[row] ?? 0
    let bit: UInt64 = 1 << UInt64(number % 64)
    if number < 64 {
      guard self.first.load(ordering: .relaxed) & bit == 0 else { return }
      self.first.bitwiseOr(bit, ordering: .relaxed)
    } else {
      guard self.second.load(ordering: .relaxed) & bit == 0 else { return }
      self.second.bitwiseOr(bit, ordering: .relaxed)
    }
  }

  /// The rows that were reached.
  package static var reached: Set<SurfaceRow> {
    let words = [
      self.first.load(ordering: .relaxed), self.second.load(ordering: .relaxed),
    ]
    return Set(
      SurfaceRow.allCases.enumerated()
        .filter { words[$0.offset / 64] & (1 << UInt64($0.offset % 64)) != 0 }
        .map(\.element))
  }

  /// The rows that no run has reached.
  package static var missing: [SurfaceRow] {
    let reached = self.reached
    return SurfaceRow.allCases.filter { !reached.contains($0) }
  }

  /// How many rows of each section were reached, and which were not.
  package static var text: String {
    let reached = self.reached
    var lines: [String] = []
    var sections: [Substring] = []
    for row in SurfaceRow.allCases where !sections.contains(row.section) {
      sections.append(row.section)
    }
    for section in sections {
      let rows = SurfaceRow.allCases.filter { $0.section == section }
      let count = rows.filter(reached.contains).count
      lines.append("  \(section): \(count) of \(rows.count)")
    }
    lines.insert("rows reached: \(reached.count) of \(SurfaceRow.allCases.count)", at: 0)
    for row in self.missing { lines.append("  not reached: \(row.rawValue)") }
    return lines.joined(separator: "\n")
  }
}

/// Marks a row of the surface: called where what it names runs.
func reached(_ row: SurfaceRow) { Coverage.mark(row) }
