public import CasePaths

/// A reducer made of an enum of features, one for each case; `@Reducer` on an enum writes it.
public protocol CaseReducer<State, Action>: Reducer
where State: CaseReducerState, Body: Reducer, Body.State == State, Body.Action == Action {
  associatedtype State
  associatedtype Action
  associatedtype Body

  /// The stores of the cases.
  associatedtype CaseScope

  /// The features of all cases.
  @ReducerBuilder<State, Action>
  static var body: Body { get }

  /// The store of the case that the state is in.
  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  public var body: Body { Self.body }
}

/// The state of a ``CaseReducer``.
public protocol CaseReducerState {
  /// The reducer that the state belongs to.
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}

extension Store where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the case that the state is in.
  public var `case`: State.StateReducer.CaseScope {
    State.StateReducer.scope(self)
  }
}

extension Scope {
  /// Embeds a child whose state is one case of the parent's; `@Reducer` on an enum writes it.
  ///
  /// Case key paths would be made anew for each action, since a body is: a case path of the macro
  /// costs nothing to make.
  public init<ChildState, ChildAction>(
    _$state state: AnyCasePath<ParentState, ChildState>,
    action: AnyCasePath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where ChildState == Child.State, ChildAction == Child.Action {
    self.init(
      statePath: .casePath(state, fileID: fileID, filePath: filePath, line: line, column: column),
      actionPath: action, child: child())
  }
}

extension Reducer {
  /// Embeds the features of an enum reducer, of which at most one is presented.
  ///
  /// - Parameters:
  ///   - presentation: The way to the child's state, as `\.$destination`.
  ///   - action: The case of the child's actions.
  @warn_unqualified_access
  public func ifLet<DestinationState: CaseReducerState, DestinationAction>(
    _ presentation: WritableKeyPath<State, PresentationState<DestinationState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, PresentationAction<DestinationAction>>
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _PresentationReducer<Self, DestinationState.StateReducer.Body>
  where Action: CasePathable, DestinationState.StateReducer.Action == DestinationAction {
    self.ifLet(
      presentation, action: action, destination: { DestinationState.StateReducer.body },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Embeds the features of an enum reducer that are on a stack.
  ///
  /// - Parameters:
  ///   - stack: The way to the stack.
  ///   - action: The case of the stack's actions.
  @warn_unqualified_access
  public func forEach<DestinationState: CaseReducerState, DestinationAction>(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, StackAction<DestinationState, DestinationAction>>
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _StackReducer<Self, DestinationState.StateReducer.Body>
  where Action: CasePathable, DestinationState.StateReducer.Action == DestinationAction {
    self.forEach(
      stack, action: action, destination: { DestinationState.StateReducer.body },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Embeds the features of an enum reducer, of which at most one is presented.
  ///
  /// - Parameters:
  ///   - presentation: The way to the child's state, as `\.$destination`.
  ///   - action: The case of the child's actions.
  @warn_unqualified_access
  @_disfavoredOverload
  public func ifLet<DestinationState: CaseReducerState, DestinationAction>(
    _ presentation: WritableKeyPath<State, PresentationState<DestinationState>>,
    action: CaseKeyPath<Action, PresentationAction<DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _PresentationReducer<Self, DestinationState.StateReducer.Body>
  where DestinationState.StateReducer.Action == DestinationAction {
    self.ifLet(
      presentation, action: action, destination: { DestinationState.StateReducer.body },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Embeds the features of an enum reducer that are on a stack.
  ///
  /// - Parameters:
  ///   - stack: The way to the stack.
  ///   - action: The case of the stack's actions.
  @warn_unqualified_access
  @_disfavoredOverload
  public func forEach<DestinationState: CaseReducerState, DestinationAction>(
    _ stack: WritableKeyPath<State, StackState<DestinationState>>,
    action: CaseKeyPath<Action, StackAction<DestinationState, DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _StackReducer<Self, DestinationState.StateReducer.Body>
  where DestinationState.StateReducer.Action == DestinationAction {
    self.forEach(
      stack, action: action, destination: { DestinationState.StateReducer.body },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
