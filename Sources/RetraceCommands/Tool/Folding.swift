internal import CommandLineKit

/// Runs a verb that folds actions through reducers: what these print does not get into the data.
@MainActor
func folding(_ call: Invocation, _ body: () throws -> ExitCode) throws -> ExitCode {
  let shows: Bool = call.arguments[LogParameters.showOutput]
  return try call.console.output.exclusively(showingOthers: shows, body)
}
