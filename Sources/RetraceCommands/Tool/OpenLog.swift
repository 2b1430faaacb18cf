internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// A log that a verb looks at, opened for reading.
struct OpenLog {
  let inspector: LogInspector
  let console: Console

  /// Opens the log that the command line names, and says first where it is not whole.
  init(_ call: Invocation) throws {
    // To salvage: what is lost is an error where it is needed, and not where it isn't.
    inspector = try LogInspector(at: call.arguments.require(LogParameters.log), mode: .salvage)
    console = call.console
    if let note = try DamageAdvice.note(inspector, program: call.program) { console.note(note) }
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
