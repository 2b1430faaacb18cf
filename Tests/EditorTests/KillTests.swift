import Foundation
import Testing

@testable import EditorCore

/// A recording program that is killed loses nothing that it has acknowledged.
///
/// `RETRACE_KILLS=20` kills that often in each real session; `RETRACE_SEED` repeats a run.
@Suite(.serialized) struct KillTests {
  private static let kills: Int? =
    ProcessInfo.processInfo.environment["RETRACE_KILLS"].flatMap(Int.init)

  @Test(arguments: EditingSession.own)
  func ownSessionsSurviveKills(file: URL) throws {
    try kill(file, times: 3)
  }

  @Test(
    .enabled(if: EditingSession.folder != nil, EditingSession.isMissing),
    .enabled(if: kills != nil, "RETRACE_KILLS is not set: it says how often to kill"))
  func realSessionsSurviveKills() throws {
    for file in try EditingSession.real() { try kill(file, times: Self.kills ?? 0) }
  }

  private func kill(_ file: URL, times: Int) throws {
    let session = try EditingSession(file: file)
    let input: Data = Data(try lines(of: session.transactions).utf8)
    let seed: UInt64 =
      ProcessInfo.processInfo.environment["RETRACE_SEED"].flatMap(UInt64.init)
      ?? UInt64.random(in: 0..<1_000_000)
    print("\(file.lastPathComponent): killed \(times) times, RETRACE_SEED=\(seed)")
    var generator = SeededGenerator(seed: seed)
    let count: Int = session.transactions.count
    for _ in 0..<times {
      let moment = Int.random(in: count / 50...count - count / 50, using: &generator)
      let folder = try TemporaryFolder()
      let log: String = folder.path("session.retrace")
      let acknowledged: Int = try Self.record(log, input: input, killedAt: moment)
      // It may be done before the kill comes.
      #expect((moment...count).contains(acknowledged), "not in the middle, at \(moment)")
      let replayed = try EditorProcess.run(["state", log, "end", "text", "--raw"])
      #expect(replayed.status == 0, "\(replayed.errors)")
      var state = Editor.State()
      for patches in session.transactions[..<acknowledged] { check(state.edit(patches)) }
      let text = String(state.text)
      if !isSame(replayed.output, text) {
        if acknowledged < count { check(state.edit(session.transactions[acknowledged])) }
        #expect(
          isSame(replayed.output, String(state.text)),
          "killed at \(moment), acknowledged \(acknowledged): neither that nor one more")
      }
    }
  }

  /// Records the input, kills the program once it has acknowledged so many lines, and gives the
  /// number of lines that it had acknowledged by then.
  private static func record(_ log: String, input: Data, killedAt moment: Int) throws -> Int {
    // A killed reader must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    let keys = try ChildProcess.pipe()
    let acks = try ChildProcess.pipe()
    let process = try ChildProcess(
      EditorProcess.path, ["--record", log, "--ack"], input: .descriptor(keys.read),
      output: .descriptor(acks.write))
    close(keys.read)
    close(acks.write)
    let thread = Thread {
      _ = input.withUnsafeBytes { FileDescriptor.writeAll($0, to: keys.write) }
      close(keys.write)
    }
    thread.start()
    var acknowledged = 0
    var isKilled = false
    var chunk: [UInt8] = Array(repeating: 0, count: 4_096)
    while let count = chunk.withUnsafeMutableBytes({
      FileDescriptor.readSome(into: $0, from: acks.read)
    }), count > 0 {
      for byte in chunk[..<count] where byte == 0x0A { acknowledged += 1 }
      if acknowledged >= moment, !isKilled {
        isKilled = true
        process.kill(SIGKILL)
      }
    }
    close(acks.read)
    guard process.wait() == 128 + SIGKILL else {
      throw ChildProcess.Failure(description: "the editor ended before it was killed")
    }
    return acknowledged
  }
}
