internal import Foundation
internal import FuzzTargets

/// Writes the inputs to begin with that are not there yet.
func writeSeeds(to folder: String) throws {
  for target in FuzzTarget.allCases {
    let place = URL(fileURLWithPath: folder).appendingPathComponent(target.rawValue)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for seed in try target.seeds() {
      let file = place.appendingPathComponent(seed.name)
      if !FileManager.default.fileExists(atPath: file.path) {
        try Data(seed.bytes).write(to: file)
      }
    }
  }
}

#if !FUZZER
  /// Inputs between two notes of how far it has come; each such part has a seed of its own.
  private let part = 10_000

  /// Runs changed inputs until there were so many in all; false when one of them broke a rule.
  ///
  /// An input that is running is in a file, so that one that ends the program can be looked at.
  func runMutations(_ target: FuzzTarget, inputs: Int) throws -> Bool {
    let folder = URL(fileURLWithPath: ".build/fuzz")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let note = folder.appendingPathComponent("\(target.rawValue).done")
    let corpus = try target.seeds().map(\.bytes)
    var done = (try? String(contentsOf: note, encoding: .utf8)).flatMap(Int.init) ?? 0
    var findings = 0
    while done < inputs {
      var mutation = FuzzMutation(seed: UInt64(done))
      for number in 0..<part {
        let input = mutation.next(corpus)
        do {
          try target.run(input)
        } catch {
          findings += 1
          let file = folder.appendingPathComponent("\(target.rawValue)-\(done + number)")
          try Data(input).write(to: file)
          print("\(target.rawValue): \(error)\n  the input: \(file.path)")
        }
      }
      done += part
      try Data("\(done)".utf8).write(to: note, options: .atomic)
    }
    print("\(target.rawValue): \(done) inputs, \(findings) findings in this run")
    return findings == 0
  }
#endif
