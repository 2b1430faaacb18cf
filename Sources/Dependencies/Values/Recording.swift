public import ActionCoding
import Synchronization

extension DependencyValues {
  /// Takes what a reducer asks the outside world into the recording.
  ///
  ///     @Dependency(\.recording) var recording
  ///     …
  ///     state.battery = recording.capture("battery") { device.batteryLevel }
  ///
  /// Dates, ids, random numbers, the endpoints of a `@DependencyClient` and dependencies that are
  /// values need no such help.
  public var recording: RecordingDependency { RecordingDependency() }
}

/// Takes what a reducer asks the outside world into the recording.
///
/// Read it with `@Dependency(\.recording)`.
public struct RecordingDependency: Sendable {
  /// What `live` gives. While the reducer that calls this is recorded, the value goes into the log;
  /// where it is replayed, the value comes from there and `live` is not called. Everywhere else (in
  /// effects, in a store that nobody records) this only calls `live`.
  ///
  /// - Parameters:
  ///   - name: What is asked, as the log names it. The same name is to stand for the same question.
  ///   - live: Asks the outside world.
  public func capture<Value: Recordable>(_ name: String, _ live: () -> Value) -> Value {
    guard ReducerReads.current != nil else { return live() }
    return CapturedKeys.key(name, recordCoder(for: Value.self)).read(live)
  }

  /// What `live` gives, taken into the recording.
  ///
  /// - Throws: What `live` throws; in a replay a `RecordedError` that tells of it.
  public func capture<Value: Recordable>(
    _ name: String, _ live: () throws -> Value
  ) throws -> Value {
    guard ReducerReads.current != nil else { return try live() }
    return try CapturedKeys.key(name, recordCoder(for: Value.self)).read(nil, throwing: live)
  }

  /// What `live` gives, taken into the recording.
  @_disfavoredOverload
  public func capture<Value: Codable>(_ name: String, _ live: () -> Value) -> Value {
    guard ReducerReads.current != nil else { return live() }
    return CapturedKeys.key(name, recordCoder(for: Value.self)).read(live)
  }

  /// What `live` gives, taken into the recording.
  ///
  /// - Throws: What `live` throws; in a replay a `RecordedError` that tells of it.
  @_disfavoredOverload
  public func capture<Value: Codable>(
    _ name: String, _ live: () throws -> Value
  ) throws -> Value {
    guard ReducerReads.current != nil else { return try live() }
    return try CapturedKeys.key(name, recordCoder(for: Value.self)).read(nil, throwing: live)
  }
}

/// The keys of what was captured, by name and type: a recording knows a key by its identity.
private enum CapturedKeys {
  private struct ID: Hashable {
    var name: String
    var value: ObjectIdentifier
  }

  private static let keys = Mutex<[ID: any AnyObject & Sendable]>([:])

  static func key<Value>(
    _ name: String, _ coder: @autoclosure () -> ValueCoder<Value>
  ) -> _ReadKey<Value> {
    let id = ID(name: name, value: ObjectIdentifier(Value.self))
    let known = self.keys.withLock { $0[id] }
    if let known { return unsafeDowncast(known, to: _ReadKey<Value>.self) }
    let new = _ReadKey(name, coder: coder())
    return self.keys.withLock { keys in
      if let known = keys[id] { return unsafeDowncast(known, to: _ReadKey<Value>.self) }
      keys[id] = new
      return new
    }
  }
}
