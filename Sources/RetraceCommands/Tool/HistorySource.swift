internal import CommandLineKit
internal import Retrace

/// How to fold a stream: what an application lends the tool.
typealias HistorySource =
  @MainActor @Sendable (StreamInfo, LogInspector) throws ->
  any StateHistory

/// One reducer that an application lends the tool.
struct ReducerSource: Sendable {
  /// How much its types are those of a stream.
  let likeness: @MainActor @Sendable (StreamInfo) -> TypeLikeness
  let history: HistorySource
}

extension OpenLog {
  /// The folded history of a stream; says first when this program is not the one that recorded.
  @MainActor func history(
    of stream: StreamInfo, _ source: HistorySource
  ) throws -> any StateHistory {
    let run: RunInfo = try inspector.run(stream.run)
    if let note = BuildNote.text(recorded: run.facts, current: RunInfo.currentFacts()) {
      console.note(note)
    }
    return try source(stream, inspector)
  }
}

/// What is said when a log is replayed by another program than the one that recorded it.
enum BuildNote {
  static func text(recorded: [String: String], current: [String: String]) -> String? {
    guard let build = recorded["build"], let own = current["build"], build != own else {
      return nil
    }
    let program: String = recorded["program"].map { "\($0), " } ?? ""
    return "note: This is not the build that recorded the log (\(program)build \(short(build)); "
      + "this is build \(short(own))): where its reducers differ, so do the states."
  }

  /// Enough of an identification to tell builds apart.
  static func short(_ build: String) -> String { String(build.prefix(12)) }
}
