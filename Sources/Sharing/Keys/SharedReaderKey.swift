/// A place outside the program that a shared value is loaded from, and that may tell of changes.
///
/// Conform to it for a source that can't be written to; conform to ``SharedKey`` for one that can.
/// A key is offered to `@Shared` and `@SharedReader` by a static member:
///
///     extension SharedReaderKey where Self == RemoteConfigKey {
///       static var remoteConfig: Self { RemoteConfigKey() }
///     }
///
///     @SharedReader(.remoteConfig) var config = Config()
///
/// References whose keys have the same type and the same `id` share one value.
public protocol SharedReaderKey<Value>: Sendable {
  /// What is loaded.
  associatedtype Value: Sendable

  /// What tells one place from another.
  associatedtype ID: Hashable = Self

  /// The place's identity.
  var id: ID { get }

  /// Loads the value and hands it to the continuation, now or later, exactly once.
  ///
  /// - Parameters:
  ///   - context: Whether the value is loaded for a new reference, with its default, or since
  ///     somebody asked for it.
  ///   - continuation: Resumed with the value, with the default where there is none yet, or with
  ///     an error.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Begins to watch for changes that are made by others.
  ///
  /// - Parameters:
  ///   - context: As for `load`.
  ///   - subscriber: Told each new value.
  /// - Returns: What ends the watching when it is cancelled or let go.
  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

extension SharedReaderKey where ID == Self {
  public var id: ID { self }
}
