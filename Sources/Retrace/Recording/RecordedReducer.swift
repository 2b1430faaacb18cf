public import ActionCoding
public import ComposableArchitecture
internal import IssueReporting

extension Reducer {
  /// Records what the store at whose root this reducer stands does.
  ///
  /// ```swift
  /// let store = Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(by: recording)
  /// }
  /// ```
  ///
  /// It has to be the last operator, at the root of a `Store`. Anywhere else nothing is recorded,
  /// and an issue says so.
  ///
  /// - Parameters:
  ///   - recording: The log to record into.
  ///   - name: The name of the stream in the log; that of the feature when `nil`.
  public func recorded(by recording: Recording, as name: String? = nil) -> _RecordedReducer<Self> {
    _RecordedReducer(base: self, recording: recording, name: name)
  }
}

extension Reducer where Action: Recordable {
  /// Records what the store at whose root this reducer stands does.
  ///
  /// The same as for any reducer, compiled for actions that have code of their own to be written,
  /// as those of a `@Reducer` have.
  @inlinable
  public func recorded(by recording: Recording, as name: String? = nil) -> _RecordedReducer<Self> {
    _RecordedReducer(
      base: self, recording: recording, name: name, append: _ActionAppend<Action>())
  }
}

/// A reducer that brings a ``Recording`` along for its store.
public struct _RecordedReducer<Base: Reducer>: _HookedReducer {
  public let base: Base
  @usableFromInline let recording: Recording
  @usableFromInline let name: String?
  /// How actions are appended; `nil` to find that out from their type.
  @usableFromInline let append: _ActionAppend<Base.Action>?

  @usableFromInline
  init(
    base: Base, recording: Recording, name: String?, append: _ActionAppend<Base.Action>? = nil
  ) {
    self.base = base
    self.recording = recording
    self.name = name
    self.append = append
  }

  public func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    reportIssue(
      """
      'recorded(by:)' does not stand at the root of a store, so that nothing is recorded. …

      Make it the last operator of the one reducer that is given to 'Store' or 'TestStore': \
      parts of a feature are recorded with the whole.
      """
    )
    return self.base._reduce(into: &state, action: action)
  }

  @MainActor
  public func makeHook() -> StoreHook<Base.State, Base.Action>? {
    self.recording.beginStream(
      named: self.name ?? Self.featureName, append: self.append,
      as: StoreHook<State, Action>.self)
  }

  /// The name of the type that the state is nested in, which is the feature's whatever operators
  /// stand at its end; the reducer's where the state is a type of its own.
  private static var featureName: String {
    let state = shortTypeName(Base.State.self)
    let suffix = ".State"
    guard state.hasSuffix(suffix), state.count > suffix.count else {
      return shortTypeName(Base.self)
    }
    return String(state.dropLast(suffix.count))
  }
}
