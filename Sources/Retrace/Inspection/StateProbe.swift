internal import ActionCoding

/// Reads one value of many states: only that value is encoded, where it can be reached by itself.
///
/// The first names of the path are looked up among the stored properties. Where these lie in memory is
/// looked at first, so that a state in which nothing of them has changed costs next to nothing.
struct StateProbe<State> {
  private let path: RecordPath
  private let names: [String]
  private let coder: ValueCoder<State>
  private let schema: RecordSchema
  private var region: StoredRegion<State>?
  private var last: [UInt8]?

  init(path: RecordPath, coder: ValueCoder<State>, schema: RecordSchema) {
    self.path = path
    self.coder = coder
    self.schema = schema
    self.names = path.components.prefix { if case .name = $0 { true } else { false } }
      .compactMap { if case .name(let name) = $0 { name } else { nil } }
    self.region = StoredRegion(of: self.names)
  }

  /// Takes a state as the one that the next is compared with.
  mutating func begin(with state: State) {
    _ = self.region?.mayHaveChanged(in: state)
    self.last = self.bytes(in: state)
  }

  /// Whether the value at the path is another one than in the state before.
  mutating func hasChanged(in state: State) -> Bool {
    if self.region?.mayHaveChanged(in: state) == false { return false }
    let bytes = self.bytes(in: state)
    guard bytes != self.last else { return false }
    self.last = bytes
    return true
  }

  /// Bytes that are equal when the value at the path is; `nil` where the path is not there.
  private func bytes(in state: State) -> [UInt8]? {
    if let part = self.part(of: state), let bytes = encoded(part) { return bytes }
    return self.value(in: state).map { Array("\($0)".utf8) }
  }

  /// The value at the path, `nil` where it is not there.
  func value(in state: State) -> RecordValue? {
    guard let bytes = try? self.coder.bytes(of: state),
      let value = try? RecordValue(bytes, schema: self.schema)
    else { return nil }
    return try? SharedResolution().resolve(value).value(at: self.path)
  }

  /// The stored property that the whole path names.
  private func part(of state: State) -> Any? {
    guard self.names.count == self.path.components.count else { return nil }
    var value: Any = state
    for name in self.names {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .struct,
        let child = mirror.children.first(where: { $0.label == name || $0.label == "_\(name)" })
      else { return nil }
      value = child.value
    }
    return value
  }
}

private func encoded(_ value: Any) -> [UInt8]? {
  if let value = value as? any Recordable { return try? RecordWriter.bytes(of: value) }
  if let value = value as? any Codable { return codableBytes(value) }
  return nil
}

private func codableBytes<Value: Codable>(_ value: Value) -> [UInt8]? {
  try? ValueCoder<Value>().bytes(of: value)
}
