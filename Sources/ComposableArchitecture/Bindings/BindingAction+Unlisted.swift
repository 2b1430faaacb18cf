internal import ActionCoding
internal import Dependencies

// A key path has no name, so that a log can only tell the properties that a state lists. An action
// that writes a part of one of them, as `.set(\.size.width, 4)`, is in the log without its key path
// and value. What reducers learn of such an action, they read: what it changes when it is run, and
// whether it is the one that they ask for.

extension BindingAction {
  /// The one that stands in a replay for an action which a log tells nothing of.
  init(unlisted: Void) {
    self.init(probe: ())
  }

  /// Writes the value into the state, as one of a recording or of a replay.
  func run(on state: inout Root, in reads: ReducerReads) {
    guard let type = Root.self as? any _$BindableState.Type, self.isUnlisted(in: type) else {
      return self.set(&state)
    }
    self.run(on: &state, as: type)
  }

  /// Whether a key path is that of the action.
  func leads(to keyPath: PartialKeyPath<Root>) -> Bool {
    guard ReducerReads.current != nil, let type = Root.self as? any _$BindableState.Type,
      self.isUnlisted(in: type)
    else { return keyPath == self.keyPath }
    return UnlistedBinding.matches.read { keyPath == self.keyPath }
  }

  private func isUnlisted<State: _$BindableState>(in type: State.Type) -> Bool {
    guard let keyPath = self.keyPath as? PartialKeyPath<State> else { return false }
    return BindableTable<State>.shared.index(of: keyPath) == nil
  }

  private func run<State: _$BindableState>(on state: inout Root, as type: State.Type) {
    let properties = BindableTable<State>.shared.properties
    // `State` is `Root`, of which more is known by that name.
    withUnsafeMutablePointer(to: &state) { pointer in
      let state = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: State.self)
      var hasRun = false
      let changed = UnlistedBinding.writes.read {
        let before = properties.map { $0.bytes(in: state.pointee) }
        self.set(&pointer.pointee)
        hasRun = true
        return properties.enumerated().compactMap { index, property in
          let bytes = property.bytes(in: state.pointee)
          return bytes == before[index] ? nil : UnlistedBinding.Write(property: index, bytes: bytes)
        }
      }
      guard !hasRun else { return }
      for write in changed where properties.indices.contains(write.property) {
        properties[write.property].write(write.bytes, into: &state.pointee)
      }
    }
  }
}

/// What is read of binding actions that write no listed property.
private enum UnlistedBinding {
  /// A property that changed, by its place in the list, and its whole new value.
  struct Write: Recordable {
    var property: Int
    var bytes: [UInt8]

    init(property: Int, bytes: [UInt8]) {
      self.property = property
      self.bytes = bytes
    }

    init(from reader: inout RecordReader) throws(RecordDecodingError) {
      self.property = try Int(from: &reader)
      self.bytes = try [UInt8](from: &reader)
    }

    func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
      try self.property.encode(to: &writer)
      try self.bytes.encode(to: &writer)
    }

    static func recordDefinition(
      in schema: inout RecordSchemaBuilder
    ) -> RecordSchema.Definition {
      .structure(
        name: "BindingAction.Write",
        fields: [
          RecordSchema.Field("property", schema.type(Int.self)),
          RecordSchema.Field("bytes", schema.type([UInt8].self)),
        ])
    }
  }

  static let writes = _ReadKey<[Write]>(
    "BindingAction.writes", coder: recordCoder(for: [Write].self), placeholder: { [] })
  static let matches = _ReadKey<Bool>(
    "BindingAction.matches", coder: recordCoder(for: Bool.self), placeholder: { false })
}

extension _$BindableProperty {
  /// The bytes of its value; none where it can't be encoded.
  fileprivate func bytes(in state: Root) -> [UInt8] {
    let value: Any = state[keyPath: self.keyPath]
    return
      (try? RecordWriter.bytes { (writer) throws(RecordOverflow) in
        try self.encode(value, &writer)
      }) ?? []
  }

  /// Writes a value that has been encoded; bytes that are none leave the state as it is.
  fileprivate func write(_ bytes: [UInt8], into state: inout Root) {
    let action = bytes.span.bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      return try? self.decode(&reader)
    }
    action?.set(&state)
  }
}
