internal import CommandLineKit
internal import Retrace

/// A log that a verb looks at, opened for reading.
struct OpenLog {
  let inspector: LogInspector
  let console: Console

  /// Opens the log that the command line names.
  init(_ call: Invocation) throws {
    inspector = try LogInspector(at: call.arguments.require(LogParameters.log))
    console = call.console
  }

  /// Finds the stream that an address is about.
  func stream(_ reference: StreamReference) throws -> StreamInfo {
    try inspector.stream(run: reference.run.map(Int.init), named: reference.stream)
  }
}

extension StreamInfo {
  /// What positions in the stream are resolved against.
  var span: StreamSpan { StreamSpan(run: run, stream: name, lastAction: actionCount) }
}
