public import ActionCoding
public import ComposableArchitecture
public import Foundation

// The same as for any feature, compiled for actions that have code of their own to be read, as those
// of a `@Reducer` have.
extension Timeline where Action: Recordable {
  /// Opens the history of a recorded store.
  @inlinable
  public convenience init(
    of path: String, run: Int? = nil, stream: String? = nil,
    initialState: @autoclosure () -> State? = nil, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws {
    let inspector = try LogInspector(at: path)
    let stream = try inspector.stream(run: run, named: stream)
    try self.init(
      of: stream, in: inspector, initialState: initialState(), migrations: migrations,
      kernel: { _FoldKernel(reducer()) })
  }

  /// Opens the history of a recorded store.
  @inlinable
  public convenience init(
    of url: URL, run: Int? = nil, stream: String? = nil,
    initialState: @autoclosure () -> State? = nil, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws {
    let inspector = try LogInspector(at: url.path)
    let stream = try inspector.stream(run: run, named: stream)
    try self.init(
      of: stream, in: inspector, initialState: initialState(), migrations: migrations,
      kernel: { _FoldKernel(reducer()) })
  }

  /// Opens the history of one stream of an open log.
  @inlinable
  public convenience init(
    of stream: StreamInfo, in inspector: LogInspector,
    initialState: @autoclosure () -> State? = nil, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws {
    try self.init(
      of: stream, in: inspector, initialState: initialState(), migrations: migrations,
      kernel: { _FoldKernel(reducer()) })
  }
}
