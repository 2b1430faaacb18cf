internal import Dependencies

extension SharedReader {
  /// The value of a key.
  ///
  /// - Parameters:
  ///   - value: The value where the key has none yet; not evaluated when the value is in use
  ///     already.
  ///   - key: Where the value is loaded from.
  @_disfavoredOverload
  public init(
    wrappedValue value: @autoclosure () -> Value, _ key: some SharedReaderKey<Value>
  ) {
    self.init(value, key, loads: true)
  }

  /// The value of a key that others may write to.
  public init(wrappedValue value: @autoclosure () -> Value, _ key: some SharedKey<Value>) {
    self.init(value, key, loads: true)
  }

  /// The value of a key, `nil` where the key has none yet.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedReaderKey<Value>) where Value == Wrapped? {
    self.init({ nil }, key, loads: true)
  }

  /// The value of a key that others may write to, `nil` where the key has none yet.
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init({ nil }, key, loads: true)
  }

  /// The value of a key, the key's default where it has none yet.
  @_disfavoredOverload
  public init<Key: SharedReaderKey<Value>>(_ key: Key.Default) {
    self.init({ key.initialValue }, key, loads: true)
  }

  /// The value of a key that others may write to, the key's default where it has none yet.
  public init<Key: SharedKey<Value>>(_ key: Key.Default) {
    self.init({ key.initialValue }, key, loads: true)
  }

  /// The value of a key, another default than the key's where it has none yet.
  @_disfavoredOverload
  public init<Key: SharedReaderKey<Value>>(
    wrappedValue value: @autoclosure () -> Value, _ key: Key.Default
  ) {
    self.init(value, key, loads: true)
  }

  /// The value of a key, which is loaded first.
  ///
  /// Throws the key's error, and ``SharedValueMissing`` where the key has no value yet.
  @_disfavoredOverload
  public init<Key: SharedReaderKey<Value>>(require key: Key) async throws {
    let value: Value = try await key.required()
    self.init({ value }, key, loads: false)
  }

  /// The value of a key that others may write to, which is loaded first.
  ///
  /// Throws the key's error, and ``SharedValueMissing`` where the key has no value yet.
  public init<Key: SharedKey<Value>>(require key: Key) async throws {
    let value: Value = try await key.required()
    self.init({ value }, key, loads: false)
  }

  /// Exchanges the key, for all copies, and loads the value of the new one.
  ///
  /// Until it is loaded the value stays what it was, unless the new key's value is in use already.
  public func load(_ key: some SharedReaderKey<Value>) async throws {
    projectedValue = SharedReader({ wrappedValue }, key, loads: false)
    try await load()
  }

  private init<Key: SharedReaderKey<Value>>(_ value: () -> Value, _ key: Key, loads: Bool) {
    @Dependency(\.persistentReferences) var persistentReferences
    self.init(
      reference: persistentReferences.reference(
        key.boxed, id: PersistentReferenceID(key), name: { SharedKeyName(key) },
        default: value, loads: loads,
        place: SourcePlace(#fileID, #filePath, #line, #column)))
  }
}
