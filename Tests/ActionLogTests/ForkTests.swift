import ActionLog
import Foundation
import Testing

@Suite struct ForkTests {
  /// The helper forks while it writes; the child must neither write nor trap.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: TestWriter.path), "no helper was built"))
  func aForkedChildIsRefusedAndTheParentGoesOn() throws {
    try inTemporaryDirectory { place in
      let path = place + "/forked.retrace"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: TestWriter.path)
      process.arguments = [path, "fork", "100", "1"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      #expect(
        String(decoding: output, as: UTF8.self) == """
          The log "\(path)" belongs to process \(process.processIdentifier), and this is a forked \
          child of it. Open a log of its own in the child.

          """)
      let reader = try LogReader(at: path, mode: .strict)
      #expect(try reader.all().map(\.payload) == [[1], [2]])
      #expect(reader.summary.runs.map(\.endedCleanly) == [true])
    }
  }
}
