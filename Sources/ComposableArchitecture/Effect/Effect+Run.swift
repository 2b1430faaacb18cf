internal import Dependencies
internal import IssueReporting

extension Effect {
  /// An effect that does asynchronous work and may send any number of actions.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; inherited when `nil`.
  ///   - name: A name for the effect, shown in recordings and by debuggers.
  ///   - operation: The work. A `CancellationError` that it throws is ignored; any other error
  ///     goes to `handler`.
  ///   - handler: Turns an error into actions. Without one an error is reported as an issue.
  public static func run(
    priority: TaskPriority? = nil,
    name: String? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    withEscapedDependencies { escaped in
      Self(
        operation: .run(
          EffectRun(name: name, priority: priority, fileID: fileID, line: line) { send in
            await escaped.yield {
              do {
                try await operation(send)
                return nil
              } catch is CancellationError {
                return nil
              } catch {
                if let handler {
                  await handler(error, send)
                  return nil
                }
                reportIssue(
                  """
                  An "Effect.run" returned from "\(fileID):\(line)" threw an unhandled error. …

                  \(dumped(error, indent: 4))

                  Every error but a cancellation has to be handled: in the "catch" parameter of \
                  "Effect.run", or by "do" and "catch" inside it.
                  """,
                  fileID: fileID, filePath: filePath, line: line, column: column
                )
                return error
              }
            }
          }
        )
      )
    }
  }
}
