import Observation

/// Makes the properties of a state observable one by one.
///
/// On a struct each stored `var` tells its observers of its changes, except those marked with
/// `@ObservationStateIgnored`; on an enum, a change of the case or of what it holds is told.
@attached(extension, conformances: Observable, ObservableState)
@attached(
  member, names: named(_$id), named(_$observationRegistrar), named(_$willModify))
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
/// Adds the conformance, and what is absent of `State`, `Action` and `body`. The cases of `Action`
/// become case key paths, those of an enum `State` too, and `State`, `Action` and the other types
/// that are nested in the feature can be recorded.
@attached(memberAttribute)
@attached(extension, conformances: Reducer)
@attached(member, names: named(State), named(Action), named(init), named(body))
public macro Reducer() =
  #externalMacro(module: "Macros", type: "ReducerMacro")
