import Observation

/// Makes the properties of a state observable one by one.
///
/// On a struct each stored `var` tells its observers of its changes, except those marked with
/// `@ObservationStateIgnored`; on an enum, a change of the case or of what it holds is told.
@attached(extension, conformances: Observable, ObservableState, _$BindableState)
@attached(
  member, names: named(_$id), named(_$observationRegistrar), named(_$willModify),
  named(_$bindableProperties), named(_$observedProperties))
@attached(memberAttribute)
public macro ObservableState() =
  #externalMacro(module: "Macros", type: "ObservableStateMacro")

/// Observes one property; `@ObservableState` adds it where it is wanted.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservationStateTracked() =
  #externalMacro(module: "Macros", type: "ObservationStateTrackedMacro")

/// Leaves a property out of the observation of its state.
@attached(accessor, names: named(willSet))
public macro ObservationStateIgnored() =
  #externalMacro(module: "Macros", type: "ObservationStateIgnoredMacro")

/// Holds the state of a feature that is presented, or nil.
///
/// Adds `$name`, the `PresentationState` to be given to `ifLet`.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`$`), prefixed(_))
public macro Presents() =
  #externalMacro(module: "Macros", type: "PresentsMacro")

/// Makes a type a reducer.
///
/// On a struct it adds the conformance, and what is absent of `State`, `Action` and `body`. The
/// cases of `Action` become case key paths, those of an enum `State` too, and `State`, `Action` and
/// the other types that are nested in the feature can be recorded.
///
/// On an enum of features it writes all of them:
///
/// ```swift
/// @Reducer
/// enum Destination {
///   case add(AddFeature)
///   case alert(AlertState<Alert>)
///   @ReducerCaseIgnored
///   case help(URL)
/// }
/// ```
///
/// `State` and `Action` have the same cases, `body` runs the feature of the case that the state is
/// in, and `store.case` gives its store. A feature that needs arguments is made by the default
/// value of its case, as `case add(AddFeature = AddFeature(limit: 3))`; an enum of features in
/// another is named by its body, as `case inner(Inner.Body)`. A `body` that stands in an extension
/// is not seen here: it belongs into the type.
@attached(memberAttribute)
@attached(extension, conformances: Reducer, CaseReducer)
@attached(
  member, names: named(State), named(Action), named(init), named(body), named(CaseScope),
  named(scope))
public macro Reducer() =
  #externalMacro(module: "Macros", type: "ReducerMacro")

/// Makes an enum of features a reducer, and gives its state and action conformances.
///
/// Extensions say the same: `extension Destination.State: Equatable {}`.
///
/// - Parameters:
///   - state: What `State` conforms to.
///   - action: What `Action` conforms to.
@attached(memberAttribute)
@attached(extension, conformances: Reducer, CaseReducer)
@attached(
  member, names: named(State), named(Action), named(init), named(body), named(CaseScope),
  named(scope))
public macro Reducer(
  state: _SynthesizedConformance..., action: _SynthesizedConformance...
) = #externalMacro(module: "Macros", type: "ReducerMacro")

/// A protocol that the compiler conforms a type to by itself.
public struct _SynthesizedConformance: Sendable {
  public static let codable = Self()
  public static let decodable = Self()
  public static let encodable = Self()
  public static let equatable = Self()
  public static let hashable = Self()
  public static let sendable = Self()
}

/// Marks a case of an enum of features that holds a state which ends with its first action.
///
/// `AlertState` and `ConfirmationDialogState` need no mark.
@attached(peer, names: named(_))
public macro ReducerCaseEphemeral() =
  #externalMacro(module: "Macros", type: "ReducerCaseEphemeralMacro")

/// Marks a case of an enum of features that holds plain values, and has no actions.
@attached(peer, names: named(_))
public macro ReducerCaseIgnored() =
  #externalMacro(module: "Macros", type: "ReducerCaseIgnoredMacro")

/// Lets a view send the actions of its view only, by `send`.
///
/// - Parameter reducer: The feature of the view's `store`.
@attached(extension, conformances: ViewActionSending)
public macro ViewAction<R: Reducer>(for reducer: R.Type) =
  #externalMacro(module: "Macros", type: "ViewActionMacro") where R.Action: ViewAction
