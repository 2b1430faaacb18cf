/// Finds what a mistyped word was probably meant to be.
package enum Suggestions {
  /// The nearest candidate, when it is near enough to be worth a question.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    // A word from a file may be of any length; nothing that long is a slip of a name.
    guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
    let lowercased: String = word.lowercased()
    let limit: Int = max(1, word.count / 3)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let distance: Int = Self.distance(Array(lowercased), Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? Int.max {
        best = (distance, candidate)
      }
    }
    if let best { return best.candidate }
    let extended: [String] = candidates.filter { $0.lowercased().hasPrefix(lowercased) }
    return extended.count == 1 ? extended[0] : nil
  }

  /// ` Did you mean 'log'?`, or nothing.
  package static func sentence(for word: String, among candidates: [String]) -> String {
    nearest(to: word, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Edits that turn one word into the other: insert, delete, replace, swap two neighbours
  /// (Damerau and Levenshtein, the variant that edits no part twice).
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last: [Int] = Array(0...b.count)
    for i in 1...a.count {
      var row: [Int] = [i]
      for j in 1...b.count {
        let replaced: Int = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost: Int = min(last[j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
