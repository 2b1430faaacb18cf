extension SharedReaderKey {
  /// A key that brings its default along, so that it is written in one place:
  ///
  ///     extension SharedReaderKey where Self == InMemoryKey<Int>.Default {
  ///       static var count: Self { Self[.inMemory("count"), default: 0] }
  ///     }
  ///
  ///     @Shared(.count) var count
  public typealias Default = _SharedKeyDefault<Self>
}

/// A key with a default; see ``SharedReaderKey/Default``.
public struct _SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  private let defaultValue: @Sendable () -> Base.Value

  /// The key with a default, which is evaluated only when it is needed.
  public static subscript(
    key: Base, default value: @autoclosure @escaping @Sendable () -> Base.Value
  ) -> Self {
    Self(base: key, defaultValue: value)
  }

  public var id: Base.ID { base.id }

  /// The default.
  public var initialValue: Base.Value { defaultValue() }

  public func load(
    context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>
  ) {
    base.load(context: context, continuation: continuation)
  }

  public func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension _SharedKeyDefault: SharedKey where Base: SharedKey {
  public func save(_ value: Base.Value, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }
}

extension _SharedKeyDefault: CustomStringConvertible {
  public var description: String { String(describing: base) }
}

extension _SharedKeyDefault: DefaultingKey {
  var baseType: Any.Type { (base as? any DefaultingKey)?.baseType ?? Base.self }
}

/// A key around another one, with which it shares its references.
protocol DefaultingKey {
  var baseType: Any.Type { get }
}
