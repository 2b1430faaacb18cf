public import Observation

/// An object whose properties are observed one by one, on systems with and without Observation.
///
/// Here Observation is everywhere, so that a perceptible object is an observable one: what is
/// offered under the older names is the same under the newer ones, and both may be mixed.
public protocol Perceptible: Observable {}

/// Makes a class perceptible: its stored properties tell their observers of each change.
///
/// ```swift
/// @Perceptible
/// final class Model {
///   var count = 0
///   @PerceptionIgnored var calls = 0
/// }
/// ```
@attached(
  member, names: named(_$perceptionRegistrar), named(access), named(withMutation),
  named(shouldNotifyObservers))
@attached(memberAttribute)
@attached(extension, conformances: Perceptible)
public macro Perceptible() = #externalMacro(module: "Macros", type: "PerceptibleMacro")

/// Makes a stored property of a perceptible class observed; `@Perceptible` puts it on each.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro PerceptionTracked() =
  #externalMacro(module: "Macros", type: "PerceptionTrackedMacro")

/// Leaves a stored property of a perceptible class unobserved.
@attached(accessor, names: named(willSet))
public macro PerceptionIgnored() =
  #externalMacro(module: "Macros", type: "PerceptionIgnoredMacro")
