import ActionCoding
import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace
import Testing

@testable import RetraceCommands

/// A reducer that reads something, or does no more.
struct Stamp: Reducer {
  @Recordable
  struct State: Equatable {
    var count = 0
    var date: Date?
  }

  @Recordable
  enum Action {
    case stamp
    case tick
  }

  var reads = true
  @Dependency(\.date.now) var now

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    if case .stamp = action, self.reads { state.date = self.now }
    return .none
  }
}

/// A replay that can't go on, since a reducer does not read what it read.
@MainActor
@Suite struct ObstacleTests {
  private func session() throws -> Session {
    let session = try Session(tool: RetraceTool(name: "stamp") { Stamp(reads: false) })
    let recording = try Recording(at: session.log)
    let store = withDependencies {
      $0.context = .live
    } operation: {
      Store(initialState: Stamp.State()) { Stamp().recorded(by: recording) }
    }
    store.send(.tick)
    store.send(.stamp)
    store.send(.tick)
    try recording.close()
    return session
  }

  private let fact = """
    The replay differs from the recording in action 2: a read of 'date' was recorded, and now there \
    is no such read.
    """

  @Test(arguments: [["state"], ["why", "count"], ["diff", "3"], ["state", "2"]])
  func aVerbThatNeedsAStateBehindItSaysSo(arguments: [String]) async throws {
    let session = try self.session()
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status = await session.tool.run(
      [arguments[0], session.log] + arguments.dropFirst(),
      console: Console(output: output, errors: errors))
    #expect(output.contents == "")
    #expect(
      errors.contents == """
        error: The replay can't go on. \(self.fact) Look at what it did with: stamp show \
        \(session.log) 1:Stamp/2

        """)
    #expect(status == .divergence)
  }

  @Test func whatLiesBeforeItIsThere() async throws {
    let session = try self.session()
    let (output, errors, status) = await session.run("state", session.log, "1", "count")
    #expect(output == "1\n")
    #expect(errors == "")
    #expect(status == .done)
  }

  @Test func theActionIsShownAllTheSame() async throws {
    let session = try self.session()
    let (output, errors, status) = await session.run("show", session.log, "2")
    #expect(output.contains("\"stamp\""), "\(output)")
    #expect(output.contains("date  "), "\(output)")
    #expect(!output.contains("changes"))
    #expect(errors == "note: What action 2 changed can't be told: \(self.fact)\n")
    #expect(status == .done)
  }

  @Test func aReplayTellsItAsADivergence() async throws {
    let session = try self.session()
    let (output, _, status) = await session.run("replay", session.log)
    #expect(
      output.contains(
        "diverged  \(self.fact)\nLook at what it did with: stamp show LOG 1:Stamp/2\n"),
      "\(output)")
    #expect(status == .divergence)
  }
}
