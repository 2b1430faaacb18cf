/// Reads a dependency.
///
///     struct Feature: Reducer {
///       @Dependency(\.uuid) var uuid
///       @Dependency(FactClient.self) var facts
///
/// The value is looked up at each read: overrides of the reading task win, then those that were in
/// force when the wrapper was made, then the value of the context.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private enum Source: Sendable {
    case getter(@Sendable (DependencyValues) -> Value)
    case keyPath(any KeyPath<DependencyValues, Value> & Sendable)
    case key(any (KeyReader<Value> & SendableMetatype).Type)
  }

  let initialValues: DependencyValues
  private let source: Source
  private let place: SourcePlace

  /// Reads the dependency at a key path.
  @_disfavoredOverload
  public init(
    _ keyPath: any KeyPath<DependencyValues, Value> & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(.keyPath(keyPath), SourcePlace(fileID, filePath, line, column))
  }

  /// Reads the dependency at a key path that is written out, as `\.uuid`.
  ///
  /// The compiler makes a function of such a literal, which is called at a fraction of the cost of
  /// a key path object.
  public init(
    _ getter: @escaping @Sendable (DependencyValues) -> Value,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(.getter(getter), SourcePlace(fileID, filePath, line, column))
  }

  /// Reads the dependency of a key.
  public init<Key: TestDependencyKey>(
    _ key: Key.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Key.Value == Value {
    self.init(.key(ReadByKey<Key>.self), SourcePlace(fileID, filePath, line, column))
  }

  /// Reads the dependency at a key path as the type that it is known to have.
  ///
  ///     @Dependency(\.player, as: PlayerSpy.self) var player
  ///
  /// For tests. That it has another type is a programmer error, and traps.
  public init<Base>(
    _ keyPath: any KeyPath<DependencyValues, Base> & Sendable,
    as type: Value.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID, filePath, line, column)
    self.init(.getter { cast($0[keyPath: keyPath], to: Value.self, at: place) }, place)
  }

  /// Reads the dependency of a key as the type that it is known to have.
  ///
  /// For tests. That it has another type is a programmer error, and traps.
  public init<Key: TestDependencyKey>(
    _ key: Key.Type,
    as type: Value.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      .key(ReadByKeyAs<Key, Value>.self), SourcePlace(fileID, filePath, line, column))
  }

  private init(_ source: Source, _ place: SourcePlace) {
    self.initialValues = DependencyValues._current
    self.source = source
    self.place = place
  }

  /// The dependency's value now.
  public var wrappedValue: Value {
    let reader = DependencyReader.current
    let outer: DependencyReader = reader.pointee
    defer { reader.pointee = outer }
    reader.pointee = DependencyReader(place: place)
    let values: DependencyValues =
      initialValues.isDefault ? ._current : initialValues.overCurrent
    switch source {
    case .getter(let get): return get(values)
    case .keyPath(let keyPath): return values[keyPath: keyPath]
    case .key(let key): return key.read(values)
    }
  }
}

/// Reads a value of a known type through a key whose type is not known any more.
private protocol KeyReader<Value> {
  associatedtype Value
  static func read(_ values: DependencyValues) -> Value
}

private enum ReadByKey<Key: TestDependencyKey>: KeyReader {
  static func read(_ values: DependencyValues) -> Key.Value { values[Key.self] }
}

private enum ReadByKeyAs<Key: TestDependencyKey, Value>: KeyReader {
  static func read(_ values: DependencyValues) -> Value {
    // The property that is being read knows its place.
    let place: SourcePlace? = DependencyReader.current.pointee.place
    return cast(values[Key.self], to: Value.self, at: place)
  }
}

private func cast<Base, Value>(
  _ base: Base, to type: Value.Type, at place: SourcePlace?
) -> Value {
  // A reducer that is recorded sees clocks through others.
  guard let value = base as? Value ?? (base as? any ClockProxy)?.realClock as? Value else {
    preconditionFailure(
      "The dependency is of type '\(Swift.type(of: base as Any))', not of type '\(type)'.",
      file: place?.filePath ?? #filePath, line: place?.line ?? #line)
  }
  return value
}

protocol HasInitialValues {
  var initialValues: DependencyValues { get }
}

extension Dependency: HasInitialValues {}
