/// Makes a dependency client of a struct of closures.
///
///     @DependencyClient
///     struct FactClient: Sendable {
///       var fetch: @Sendable (_ number: Int) async throws -> String
///       var count: @Sendable () -> Int = { 0 }
///     }
///
/// Each closure gets a default that reports an issue, so that `FactClient()` can be the test value;
/// one that throws then throws ``Unimplemented``, one that returns a value and cannot throw needs a
/// default that says what to return. Closures with named parameters also become methods, here
/// `fetch(number:)`.
///
/// While a recording runs, what a reducer is answered by a closure that is not asynchronous goes into
/// the log with its arguments, and a replay takes the answer from there, where all of these are
/// `Recordable` or `Codable`. Of others a replay calls the default, and names them.
@attached(member, names: named(init))
@attached(memberAttribute)
public macro DependencyClient() =
  #externalMacro(module: "Macros", type: "DependencyClientMacro")

/// Makes an endpoint of a closure of a client: an unimplemented default, and a method with the
/// names of its parameters.
///
/// - Parameter method: the method's name, for closures that cannot be called like the method.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEndpoint(method: String = "") =
  #externalMacro(module: "Macros", type: "DependencyEndpointMacro")

/// Leaves a closure of a client as it is.
@attached(peer)
public macro DependencyEndpointIgnored() =
  #externalMacro(module: "Macros", type: "DependencyEndpointIgnoredMacro")

/// Adds a dependency to `DependencyValues` in one line.
///
///     extension DependencyValues {
///       @DependencyEntry var cacheLimit = 100
///     }
///
/// The initial value is the test's. Without a live value the dependency must be given one
/// elsewhere: by an extension of its key, whose name is `__Key_` and the property's name, that
/// conforms it to `DependencyKey`.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry() =
  #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency with its live value to `DependencyValues` in one line.
///
///     extension DependencyValues {
///       @DependencyEntry(liveValue: FactClient.live) var facts = FactClient()
///     }
///
/// The initial value is the test's; without one, a test that reads the dependency without an
/// override fails.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  liveValue: @autoclosure () -> Value,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency with its live value to `DependencyValues` in one line.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(liveValue: @autoclosure () -> Value) =
  #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency with a value for previews to `DependencyValues` in one line.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(previewValue: @autoclosure () -> Value) =
  #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency whose key has the given name to `DependencyValues`.
///
/// Another module can give it a live value:
///
///     extension DependencyValues.FactsKey: DependencyKey {
///       public static var liveValue: FactClient { .live }
///     }
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry(_ keyName: String) =
  #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency whose key has the given name, with its live value, to `DependencyValues`.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(
  _ keyName: String,
  liveValue: @autoclosure () -> Value,
  previewValue: @autoclosure () -> Value
) = #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency whose key has the given name, with its live value, to `DependencyValues`.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(_ keyName: String, liveValue: @autoclosure () -> Value) =
  #externalMacro(module: "Macros", type: "DependencyEntryMacro")

/// Adds a dependency whose key has the given name, with a value for previews, to
/// `DependencyValues`.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEntry<Value>(_ keyName: String, previewValue: @autoclosure () -> Value) =
  #externalMacro(module: "Macros", type: "DependencyEntryMacro")
