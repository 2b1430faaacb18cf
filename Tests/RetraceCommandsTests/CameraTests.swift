import ActionCoding
import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace
import Testing

@testable import RetraceCommands

/// A feature with actions of which one has no form in bytes, and one is a secret.
struct Camera: Reducer {
  /// Neither `Codable` nor recordable.
  final class Photo: Sendable {
    let name: String

    init(name: String) { self.name = name }
  }

  @Recordable
  struct State: Equatable {
    var count = 0
    @Redacted var pin = ""
  }

  @Recordable
  enum Action {
    case tick
    case taken(Photo)
    case failed(any Error)
    case renamed(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    return .none
  }
}

@MainActor
@Suite struct CameraTests {
  private func session(
    _ actions: [Camera.Action], _ contents: RecordingContents = RecordingContents()
  ) throws -> Session {
    let session = try Session(tool: RetraceTool(name: "camera") { Camera() })
    var contents = contents
    contents.reportsUnreplayable = false
    let recording = try Recording(at: session.log, contents: contents)
    let store = Store(initialState: Camera.State()) { Camera().recorded(by: recording) }
    for action in actions { store.send(action) }
    try recording.close()
    return session
  }

  @Test func infoNamesWhatCannotBeReplayed() async throws {
    let session = try self.session([.tick])
    let (output, _, status) = await session.run("info", session.log)
    // Neither an error, of which a replay has what it said, nor what is left out on purpose.
    let gaps = output.split(separator: "\n").filter { $0.contains("not re") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      gaps == [
        "not replayable: action taken, which holds Photo: The type is neither Recordable nor Codable."
      ])
    #expect(status == .done)
  }

  @Test(arguments: ["replay", "state", "why"])
  func anActionThatCannotBeReplayedIsNamed(verb: String) async throws {
    let session = try self.session([.tick, .taken(Camera.Photo(name: "sea")), .tick])
    let arguments = verb == "why" ? [verb, session.log, "count"] : [verb, session.log]
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status = await session.tool.run(
      arguments, console: Console(output: output, errors: errors))
    #expect(output.contents == "")
    #expect(
      errors.contents == """
        error: Action 2 of 'Camera' can't be replayed. taken: A value of 'Photo' is not in the \
        record: The type is neither Recordable nor Codable. (byte 2) See what the log has of it with \
        'camera show \(session.log) 2'.

        """)
    #expect(status == .failed)
  }

  @Test func textsOfWhatIsNotRecordedAreShown() async throws {
    var contents = RecordingContents()
    contents.opaqueTextBytes = 1_024
    let session = try self.session([.taken(Camera.Photo(name: "sea")), .tick], contents)
    let (output, errors, status) = await session.run("show", session.log, "1")
    #expect(
      output.contains(
        """
        not recorded
          taken  Photo(name: "sea")

        """), "\(output)")
    #expect(
      errors.hasPrefix("note: What action 1 changed can't be told: Action 1 of 'Camera' can't be "),
      "\(errors)")
    #expect(status == .done)
    let json = await session.run("show", session.log, "1", "--json").output
    #expect(json.contains(#""texts":[{"path":"taken","text":"Photo(name: \"sea\")"}]"#), "\(json)")
    let other = await session.run("show", session.log, "2", "--json").output
    #expect(!other.contains("texts"))
  }
}
