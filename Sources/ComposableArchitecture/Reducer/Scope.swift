internal import IssueReporting

/// Runs a child feature on a part of the parent's state, for the actions that belong to it.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   Scope(state: \.profile, action: \.profile) {
///     Profile()
///   }
///   Reduce { state, action in … }
/// }
/// ```
///
/// The child's effects come back as actions of the parent.
public struct Scope<ParentState, ParentAction, Child: Reducer>: Reducer {
  @usableFromInline
  enum StatePath {
    case casePath(
      AnyCasePath<ParentState, Child.State>, fileID: StaticString, filePath: StaticString,
      line: UInt, column: UInt)
    case keyPath(WritableKeyPath<ParentState, Child.State>)
  }

  @usableFromInline let statePath: StatePath
  @usableFromInline let actionPath: AnyCasePath<ParentAction, Child.Action>
  @usableFromInline let child: Child

  @inlinable
  init(
    statePath: StatePath, actionPath: AnyCasePath<ParentAction, Child.Action>, child: Child
  ) {
    self.statePath = statePath
    self.actionPath = actionPath
    self.child = child
  }

  /// Embeds a child whose state is always there.
  @inlinable
  public init<ChildState, ChildAction>(
    _ state: WritableKeyPath<ParentState, ChildState>,
    action: KeyPath<ParentAction.AllCasePaths, AnyCasePath<ParentAction, ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  )
  where
    ParentAction: CasePathable, ChildState == Child.State, ChildAction == Child.Action
  {
    self.init(
      statePath: .keyPath(state), actionPath: AnyCasePath(property: action), child: child())
  }

  /// Embeds a child whose state is always there.
  @_disfavoredOverload
  @inlinable
  public init<ChildState, ChildAction>(
    _ state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where ChildState == Child.State, ChildAction == Child.Action {
    self.init(
      statePath: .keyPath(state), actionPath: AnyCasePath(action), child: child())
  }

  /// Embeds a child whose state is always there.
  @inlinable
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: KeyPath<ParentAction.AllCasePaths, AnyCasePath<ParentAction, ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  )
  where
    ParentAction: CasePathable, ChildState == Child.State, ChildAction == Child.Action
  {
    self.init(
      statePath: .keyPath(state), actionPath: AnyCasePath(property: action), child: child())
  }

  /// Embeds a child whose state is always there.
  @_disfavoredOverload
  @inlinable
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where ChildState == Child.State, ChildAction == Child.Action {
    self.init(
      statePath: .keyPath(state), actionPath: AnyCasePath(action), child: child())
  }

  /// Embeds a child whose state is one case of the parent's.
  @inlinable
  public init<ChildState, ChildAction>(
    state: CaseKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where ChildState == Child.State, ChildAction == Child.Action {
    self.init(
      statePath: .casePath(
        AnyCasePath(state), fileID: fileID, filePath: filePath, line: line, column: column),
      actionPath: AnyCasePath(action),
      child: child()
    )
  }

  @inlinable
  public func _reduce(
    into state: inout ParentState, action: ParentAction
  ) -> Effect<ParentAction> {
    guard let childAction = self.actionPath.extract(from: action) else { return .none }
    switch self.statePath {
    case .keyPath(let path):
      let effect = modifyValue(of: &state, at: path) {
        self.child._reduce(into: &$0, action: childAction)
      }
      return effect.map(self.actionPath)
    case .casePath(let path, let fileID, let filePath, let line, let column):
      guard var childState = path.extract(from: state) else {
        self.reportAbsentCase(
          state, action, path, fileID: fileID, filePath: filePath, line: line, column: column)
        return .none
      }
      defer { state = path.embed(childState) }
      return self.child._reduce(into: &childState, action: childAction).map(self.actionPath)
    }
  }

  @usableFromInline
  func reportAbsentCase(
    _ state: ParentState, _ action: ParentAction, _ path: AnyCasePath<ParentState, Child.State>,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) {
    reportIssue(
      """
      A "Scope" at "\(fileID):\(line)" received a child action when child state was set to a \
      different case. …

        Action:
          \(describeCase(action))
        State:
          \(describeCase(state))

      The child's reducer can't run on state that is not there. Run it before the reducer that \
      changes the case, keep the effects of a case from outliving it, and send its actions only \
      while the state is in that case. "ifCaseLet" does the first two by itself.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column
    )
  }
}
