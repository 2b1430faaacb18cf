internal import Dependencies

extension Shared {
  /// The value of a key.
  ///
  /// - Parameters:
  ///   - value: The value where the key has none yet; not evaluated when the value is in use
  ///     already.
  ///   - key: Where the value is loaded from and saved to.
  public init(
    wrappedValue value: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      value, key, loads: true, place: SourcePlace(fileID, filePath, line, column))
  }

  /// The value of a key, `nil` where the key has none yet.
  public init<Wrapped>(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Value == Wrapped? {
    self.init({ nil }, key, loads: true, place: SourcePlace(fileID, filePath, line, column))
  }

  /// The value of a key, the key's default where it has none yet.
  public init<Key: SharedKey<Value>>(
    _ key: Key.Default, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      { key.initialValue }, key, loads: true, place: SourcePlace(fileID, filePath, line, column))
  }

  /// The value of a key, another default than the key's where it has none yet.
  @_disfavoredOverload
  public init<Key: SharedKey<Value>>(
    wrappedValue value: @autoclosure () -> Value, _ key: Key.Default,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(value, key, loads: true, place: SourcePlace(fileID, filePath, line, column))
  }

  /// The value of a key, which is loaded first.
  ///
  /// Throws the key's error, and ``SharedValueMissing`` where the key has no value yet.
  public init<Key: SharedKey<Value>>(
    require key: Key, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    let value: Value = try await key.required()
    self.init({ value }, key, loads: false, place: SourcePlace(fileID, filePath, line, column))
  }

  /// Exchanges the key, for all copies, and loads the value of the new one.
  ///
  /// Until it is loaded the value stays what it was, unless the new key's value is in use already.
  public func load(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws {
    projectedValue = Shared(
      { wrappedValue }, key, loads: false, place: SourcePlace(fileID, filePath, line, column))
    try await load()
  }

  private init<Key: SharedKey<Value>>(
    _ value: () -> Value, _ key: Key, loads: Bool, place: SourcePlace
  ) {
    @Dependency(\.persistentReferences) var persistentReferences
    self.init(
      box: SharedBox(
        persistentReferences.reference(
          { WriterKeyBox(key) }, id: PersistentReferenceID(key), name: { SharedKeyName(key) },
          default: value, loads: loads,
          place: place)))
  }
}

/// The error of `init(require:)` for a key that has no value yet.
public struct SharedValueMissing: Error, CustomStringConvertible {
  /// The key.
  public let key: String

  public var description: String { "There is no value for \(key)." }
}

extension SharedReaderKey {
  /// The key's value, loaded for somebody who can't do without.
  func required() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      load(
        context: .userInitiated,
        continuation: LoadContinuation("\(self)") { result in
          continuation.resume(
            with: result.flatMap { value in
              value.map { .success($0) }
                ?? .failure(SharedValueMissing(key: String(describing: self)))
            })
        })
    }
  }
}
