import Foundation
import FuzzTargets
import Testing

/// A short run of each fuzzer from its kept inputs, and of all that was ever found.
///
/// `Tools/fuzz` goes on for as long as one likes; `RETRACE_FUZZ_INPUTS` asks for more here.
@Suite struct FuzzTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/fuzz")

  private func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = Self.folder.appendingPathComponent(target.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.map { name in
      (name, Array(try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func keptInputsEndInAValueOrAnError(_ target: FuzzTarget) throws {
    let corpus = try corpus(target)
    #expect(corpus.count >= 6)
    for (name, bytes) in corpus {
      #expect(throws: Never.self, "\(name)") { try target.run(bytes) }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func changedInputsEndInAValueOrAnError(_ target: FuzzTarget) throws {
    let asked = ProcessInfo.processInfo.environment["RETRACE_FUZZ_INPUTS"].flatMap(Int.init)
    let corpus = try corpus(target).map(\.bytes)
    var mutation = FuzzMutation(seed: 1)
    for number in 0..<(asked ?? 300) {
      let input = mutation.next(corpus)
      do {
        try target.run(input)
      } catch {
        Issue.record("input \(number), \(Data(input).base64EncodedString()): \(error)")
      }
    }
  }
}
