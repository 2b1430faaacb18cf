import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace
import Testing

@testable import RetraceCommands

@MainActor
@Suite struct InfoVerbTests {
  @Test func runsAndStreamsAreTold() async throws {
    let session = try Session(tool: RetraceTool(name: "retrace"))
    try await session.record(Session.usual)
    try await session.record([.increment], as: "second")
    let (output, errors, status) = await session.run("info", session.log)
    let lines: [Substring] = output.split(separator: "\n")
    #expect(lines[0].hasPrefix("LOG  2 runs, 10 actions, "))
    #expect(lines[0].hasSuffix(" on disk"))
    #expect(lines[1].hasPrefix("run 1  DATE for "))
    #expect(lines[1].hasSuffix(", ended cleanly"))
    #expect(lines.contains("  stream   Shop (1), 9 actions"))
    #expect(lines.contains("  states   Shop.State: count, note, items, total"))
    #expect(
      lines.contains("  actions  Shop.Action: increment, rename, add, load, loaded, row, say"))
    #expect(lines.contains("  stream   second (1), 1 action"))
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func linesForPrograms() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, _, _) = await session.run("info", session.log, "--json")
    let lines: [Substring] = output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(#"{"version":1,"kind":"log","path":"LOG","runs":1,"records":"#))
    #expect(
      lines[1].hasPrefix(
        #"{"version":1,"kind":"run","run":1,"firstTime":"DATE","lastTime":"DATE","end":"clean","#))
    #expect(
      lines[1].hasSuffix(
        #""streams":[{"number":1,"name":"Shop","actions":9,"state":"Shop.State","#
          + #""action":"Shop.Action","notReplayable":[]}]}"#))
  }

  @Test func whatIsNoLogIsTold() async throws {
    let session = try Session()
    for verb in ["info", "log", "verify", "replay"] {
      let missing = await session.run(verb, session.log)
      #expect(missing.output == "")
      #expect(missing.errors.hasPrefix("error: "))
      #expect(missing.errors.contains("LOG"))
      #expect(missing.status == .failed)
    }
    try FileManager.default.createDirectory(
      atPath: session.log, withIntermediateDirectories: false)
    let empty = await session.run("info", session.log)
    #expect(empty.errors.contains("holds no log"))
    #expect(empty.status == .failed)
  }
}

@MainActor
@Suite struct VerifyVerbTests {
  @Test func wholeLogsAreGood() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let (output, errors, status) = await session.run("verify", session.log)
    #expect(output.hasPrefix("LOG  good: "))
    #expect(output.contains(" records in 1 segment, "))
    #expect(errors == "")
    #expect(status == .done)
    let lines = await session.run("verify", session.log, "--json")
    #expect(
      lines.output.hasPrefix(
        #"{"version":1,"kind":"result","path":"LOG","good":true,"loss":false,"records":"#))
  }

  @Test func damageIsFound() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let names: [String] = try FileManager.default.contentsOfDirectory(atPath: session.log)
    let segments: [String] = names.filter { $0.hasSuffix(".segment") }.map {
      "\(session.log)/\($0)"
    }
    let segment: String = try #require(segments.first)
    var bytes: [UInt8] = Array(try Data(contentsOf: URL(fileURLWithPath: segment)))
    // Somewhere in the bodies of the only block, behind both headers and before the footer.
    let middle: Int = bytes.count / 2
    for index in middle..<middle + 8 { bytes[index] ^= 0xFF }
    try Data(bytes).write(to: URL(fileURLWithPath: segment))
    let (output, _, status) = await session.run("verify", session.log)
    #expect(output.contains("LOG  damaged"))
    #expect(status == .failed)
    let lines = await session.run("verify", session.log, "--json")
    #expect(lines.output.contains(#""kind":"damage""#))
    #expect(lines.output.contains(#""good":false"#))
    #expect(lines.status == .failed)
  }
}

@MainActor
@Suite struct RetraceToolTests {
  @Test func verbsAreTold() {
    let tool = RetraceTool(name: "shop") { Shop() }
    #expect(tool.handles(["state", "x"]))
    #expect(tool.handles(["help"]))
    #expect(!tool.handles(["notes.txt"]))
    #expect(!tool.handles([]))
    #expect(!RetraceTool(name: "retrace").handles(["state"]))
  }

  @Test func theRightReducerIsPicked() async throws {
    let session = try Session(
      tool: RetraceTool(name: "two") { Other() }.replaying { Shop() })
    try await session.record(Session.usual)
    #expect(await session.run("state", session.log, "end", "count").output == "42\n")
    let other = try Session(tool: RetraceTool(name: "one") { Other() })
    try await other.record([.increment])
    let (output, errors, status) = await other.run("state", other.log)
    #expect(output == "")
    #expect(errors.contains("was recorded with another type of "))
    #expect(status == .failed)
  }
}
