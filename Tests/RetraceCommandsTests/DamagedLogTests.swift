import ActionLog
import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace
import Testing

@testable import RetraceCommands

/// Logs of many small blocks, one of which can't be read.
@MainActor
@Suite struct DamagedLogTests {
  /// Ninety actions that rename to a number and noise, which is not compressed.
  private func session() async throws -> Session {
    let session = try Session()
    var options = LogOptions()
    options.blockSize = 1 << 10
    let recording = try Recording(at: session.log, options: options)
    let store = Store(initialState: Shop.State()) { Shop().recorded(by: recording) }
    for number in 1...90 {
      await store.send(.rename("mark-\(number)-\(noise(number))")).finish()
    }
    try recording.close()
    return session
  }

  /// A long text that no other number's has parts of.
  private func noise(_ number: Int) -> String {
    var seed = UInt64(number)
    return (0..<8).map { _ in
      seed &+= 0x9E37_79B9_7F4A_7C15
      var mixed: UInt64 = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return String(mixed ^ (mixed >> 31), radix: 36)
    }.joined()
  }

  /// Changes bytes in the middle of the block that holds an action.
  private func damage(_ session: Session, atAction number: UInt64) throws {
    let reader = try LogReader(at: session.log)
    // Behind two headers of the segment; a block's own is a small part of it.
    var offset = 2 * 96
    var actions: UInt64 = 0
    for block in reader.blocks {
      actions += block.actions[1] ?? 0
      if actions >= number {
        offset += block.storedSize / 3 * 2
        break
      }
      offset += block.storedSize
    }
    let file = URL(fileURLWithPath: try segment(of: session))
    var data: Data = try Data(contentsOf: file)
    for index in offset..<offset + 4 { data[index] ^= 0x15 }
    try data.write(to: file)
  }

  private func segment(of session: Session) throws -> String {
    let names: [String] = try FileManager.default.contentsOfDirectory(atPath: session.log)
    return "\(session.log)/\(try #require(names.first { $0.hasSuffix(".segment") }))"
  }

  private func numbers(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap {
      Int($0.drop { $0 == " " }.prefix { $0 != " " })
    }
  }

  @Test func theLogGoesOnBehindABlockThatIsLost() async throws {
    let session = try await session()
    try damage(session, atAction: 45)
    let (output, errors, status) = await session.run("log", session.log)
    let listed: [Int] = numbers(output)
    let lost: [Int] = (1...90).filter { !listed.contains($0) }
    let first: Int = try #require(lost.first)
    let last: Int = try #require(lost.last)
    #expect(lost == Array(first...last))
    #expect(lost.contains(45))
    #expect(lost.count < 30)
    #expect(
      errors == "note: The actions \(first) to \(last) are lost: their block can't be read.\n")
    #expect(status == .failed)
    // What does not touch it is as always.
    let before = await session.run("log", session.log, "1-\(first - 1)")
    #expect(numbers(before.output) == Array(1..<first))
    #expect(before.errors == "")
    #expect(before.status == .done)
    let behind = await session.run("log", session.log, "\(last + 1)-")
    #expect(numbers(behind.output) == Array(last + 1...90))
    #expect(behind.status == .done)
  }

  @Test func aLostActionIsToldWithWhatHelps() async throws {
    let session = try await session()
    try damage(session, atAction: 45)
    for arguments in [["show", "45"], ["state", "60"], ["replay"]] {
      let output: OutputChannel = .memory()
      let errors: OutputChannel = .memory()
      let status: ExitCode = await session.tool.run(
        [arguments[0], session.log] + arguments.dropFirst(),
        console: Console(output: output, errors: errors))
      #expect(output.contents == "")
      #expect(errors.contents.hasPrefix("error: '\(session.log)' "), "\(errors.contents)")
      #expect(
        errors.contents.hasSuffix(
          "Run 'shop verify \(session.log)' to see all that is damaged.\n"),
        "\(errors.contents)")
      #expect(!errors.contents.contains("salvage"))
      #expect(status == .failed)
    }
  }

  @Test func anActionIsShownThoughALaterBlockIsLost() async throws {
    let session = try await session()
    try damage(session, atAction: 80)
    let (output, errors, status) = await session.run("show", session.log, "5")
    #expect(output.hasPrefix("1:Shop/5  DATE  sent by the user\n"))
    #expect(output.contains("changes\n  note  at 5: -\"4-"))
    #expect(errors == "")
    #expect(status == .done)
    let why = await session.run("why", session.log, "note", "--at", "5")
    #expect(why.output.hasPrefix("1:Shop/5 last changed it, DATE\n"))
    #expect(why.status == .done)
  }

  @Test func aLostLastBlockIsToldWhateverIsAsked() async throws {
    let session = try await session()
    try damage(session, atAction: 90)
    let (output, errors, status) = await session.run("show", session.log, "5")
    #expect(output.hasPrefix("1:Shop/5  DATE  sent by the user\n"))
    #expect(errors.hasPrefix("note: LOG has lost records: records "))
    #expect(errors.hasSuffix("Run 'shop verify LOG' to see all that is damaged.\n"))
    #expect(errors.split(separator: "\n").count == 1)
    #expect(status == .done)
    let log = await session.run("log", session.log)
    let listed: [Int] = numbers(log.output)
    #expect(listed == Array(1...listed.count))
    #expect(listed.count < 90)
    #expect(
      log.errors.hasSuffix(
        "The actions \(listed.count + 1) to 90 are lost: their block can't be read.\n"))
    #expect(log.status == .failed)
    let state = await session.run("state", session.log)
    #expect(state.output == "")
    #expect(
      state.errors.contains("error: 'LOG' ends after action \(listed.count); 90 were expected"))
    #expect(state.status == .failed)
  }

  @Test func anActionIsShownWithoutItsChangesWhereAnEarlierBlockIsLost() async throws {
    let session = try await session()
    try damage(session, atAction: 20)
    let (output, errors, status) = await session.run("show", session.log, "60")
    #expect(output.hasPrefix("1:Shop/60  DATE  sent by the user\n"))
    #expect(!output.contains("changes"))
    #expect(
      errors.hasPrefix("note: What action 60 changed can't be told: 'LOG' lacks the records "))
    #expect(status == .done)
  }

  @Test func aLostFirstBlockIsTold() async throws {
    let session = try await session()
    try damage(session, atAction: 1)
    let (output, errors, status) = await session.run("info", session.log)
    #expect(output.hasPrefix("LOG  1 run, 90 actions, "))
    #expect(
      output.contains("some of the records that describe the run can't be read, see damage\n"))
    #expect(output.contains("  stream   of unknown name (1), 90 actions\n"))
    #expect(output.contains("\ndamage\n  lost  LOG: records 1 to "))
    #expect(!output.contains("no store was recorded"))
    #expect(errors == "")
    #expect(status == .done)
    let lines = await session.run("info", session.log, "--json")
    #expect(
      lines.output.contains(#""kind":"damage","effect":"loss","path":"LOG","firstSequence":1"#))
    let log = await session.run("log", session.log)
    #expect(log.errors.hasPrefix("note: LOG has lost records: records 1 to "))
    #expect(log.errors.contains("Run 'shop verify LOG' to see all that is damaged.\n"))
    #expect(
      log.errors.hasSuffix(
        "error: Run 1 of 'LOG' has no stream that can be read: the records that describe its streams "
          + "are lost. Run 'shop verify LOG' to see what is damaged.\n"), "\(log.errors)")
    #expect(log.status == .failed)
  }

  @Test func aLogOfWhichNothingCanBeReadIsNotCalledEmpty() async throws {
    let session = try await session()
    let file = URL(fileURLWithPath: try segment(of: session))
    try Data(count: try Data(contentsOf: file).count).write(to: file)
    let (output, errors, status) = await session.run("state", session.log)
    #expect(output == "")
    #expect(
      errors.hasSuffix(
        "error: 'LOG' holds no run that can be read: what was recorded is damaged. Run 'shop verify "
          + "LOG' to see what is lost.\n"), "\(errors)")
    #expect(status == .failed)
  }

  @Test func damageThatIsSeenAtOnceIsNoted() async throws {
    let session = try await session()
    let file = URL(fileURLWithPath: try segment(of: session))
    let data: Data = try Data(contentsOf: file)
    // Without its index: nothing is lost by that.
    try data.dropLast(8).write(to: file)
    for verb in ["log", "state", "replay", "show", "diff"] {
      let rest: [String] = ["show", "diff"].contains(verb) ? ["5"] : []
      let errors: OutputChannel = .memory()
      let status: ExitCode = await session.tool.run(
        [verb, session.log] + rest, console: Console(output: .memory(), errors: errors))
      #expect(errors.contents.hasPrefix("note: \(session.log) "), "\(verb): \(errors.contents)")
      #expect(
        errors.contents.hasSuffix(
          "Run 'shop verify \(session.log)' to see all that is damaged.\n"))
      #expect(errors.contents.split(separator: "\n").count == 1)
      #expect(status == .done)
    }
  }

  @Test func namesOfNoCaseAndTurnedBoundsAreTold() async throws {
    let session = try Session()
    try await session.record(Session.usual)
    let log: String = session.log
    let (output, errors, status) = await session.run("log", log, "--case", "nope")
    #expect(output == "")
    #expect(
      errors == """
        warning: Shop.Action has no case 'nope'. It has increment, rename, add, load, loaded, row \
        and say.

        """)
    #expect(status == .done)
    let turned = await session.run("log", log, "--from", "3", "--to", "2")
    #expect(
      turned.errors
        == "error: '--from 3 --to 2' is the wrong way round; write '--from 2 --to 3'.\n")
    #expect(turned.status == .wrongUse)
    let times = await session.run("log", log, "--from", "2100-01-01", "--to", "2000-01-01")
    #expect(times.errors == "error: The time of '--to' lies before that of '--from'.\n")
    #expect(times.status == .wrongUse)
    let path = await session.run("state", log, "end", "names[\"en\"]..")
    #expect(
      path.errors.contains("A path looks like cart.items[3].name or names[\"en\"].\n"))
    let empty = await session.run("log", "")
    #expect(empty.errors.contains("The value '' is invalid for '<log>': a path can't be empty.\n"))
    #expect(empty.status == .wrongUse)
  }
}
