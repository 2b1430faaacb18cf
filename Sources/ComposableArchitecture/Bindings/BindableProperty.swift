public import ActionCoding

/// A state that lists the properties which binding actions write, so that a log can tell by name
/// which one an action wrote.
///
/// Since its metatype is sendable, a state in a module whose default isolation is the main actor
/// belongs to no actor, as values should.
public protocol _$BindableState: ObservableState, SendableMetatype {
  /// The properties, each made by `_$bindable(_:_:)`.
  static var _$bindableProperties: [_$BindableProperty<Self>] { get }

  /// The properties that can be changed in place, each made by `_$observed(_:_:)`.
  static var _$observedProperties: [_$ObservedProperty<Self>] { get }
}

extension _$BindableState {
  public static var _$observedProperties: [_$ObservedProperty<Self>] { [] }
}

/// A property that a binding action may write, with the means to put its value into a record.
public struct _$BindableProperty<Root> {
  let name: String
  let keyPath: PartialKeyPath<Root>
  let encode: (Any, inout RecordWriter) throws(RecordOverflow) -> Void
  let decode: (inout RecordReader) throws(RecordDecodingError) -> BindingAction<Root>
  let type: (inout RecordSchemaBuilder) -> RecordSchema.TypeIndex
  let coding: BindablePropertyCoding<Root>
  /// Whether its value is kept out of everything that is written.
  let isRedacted: Bool

  /// A property whose value is written by its own code.
  init<Value: Recordable & Equatable>(
    recorded name: String, _ keyPath: WritableKeyPath<Root, Value>
  ) {
    self.name = name
    self.keyPath = keyPath
    self.encode = { (value, writer) throws(RecordOverflow) in
      if let value = value as? Value { try value.encode(to: &writer) }
    }
    self.decode = { (reader) throws(RecordDecodingError) in
      BindingAction(keyPath: keyPath, value: try Value(from: &reader), report: nil)
    }
    self.type = { schema in schema.type(Value.self) }
    self.coding = BindablePropertyCoding(keyPath)
    self.isRedacted = false
  }

  /// A property whose value is written through the Codable bridge.
  init<Value: Codable & Equatable>(
    coded name: String, _ keyPath: WritableKeyPath<Root, Value>
  ) {
    self.name = name
    self.keyPath = keyPath
    self.encode = { (value, writer) throws(RecordOverflow) in
      if let value = value as? Value { try writer.put(generic: RecordField(value)) }
    }
    self.decode = { (reader) throws(RecordDecodingError) in
      let value: Value = try reader.get(generic: RecordFieldType(Value.self))
      return BindingAction(keyPath: keyPath, value: value, report: nil)
    }
    self.type = { schema in schema.type(generic: RecordFieldType(Value.self)) }
    self.coding = BindablePropertyCoding(keyPath)
    self.isRedacted = false
  }

  /// A property whose value is not written: what stands for it is made when it is read.
  init<Value: Equatable>(redacted name: String, _ keyPath: WritableKeyPath<Root, Value>) {
    self.name = name
    self.keyPath = keyPath
    self.encode = { (_, _) throws(RecordOverflow) in }
    self.decode = { (reader) throws(RecordDecodingError) in
      let value: Value = try reader.getRedacted(RecordFieldType(Value.self))
      return BindingAction(keyPath: keyPath, value: value, report: nil)
    }
    self.type = { schema in schema.redacted(RecordFieldType(Value.self)) }
    self.coding = BindablePropertyCoding(keyPath)
    self.isRedacted = true
  }

  /// A property of a part of the root.
  private init<Part>(
    _ property: _$BindableProperty<Part>, of part: WritableKeyPath<Root, Part>, named name: String
  ) {
    self.name = "\(name).\(property.name)"
    self.keyPath = (part as PartialKeyPath<Root>).appending(path: property.keyPath) ?? part
    self.encode = property.encode
    self.decode = { (reader) throws(RecordDecodingError) in
      BindingAction(try property.decode(&reader), of: part)
    }
    self.type = property.type
    self.coding = BindablePropertyCoding(property.coding, of: part)
    self.isRedacted = property.isRedacted
  }

  static func properties<Part: _$BindableState>(
    of part: WritableKeyPath<Root, Part>, named name: String
  ) -> [Self] {
    Part._$bindableProperties.map { Self($0, of: part, named: name) }
  }
}

// What a property's value is decides, by overload resolution, how it is written: the macro that
// lists properties sees no types. That a value is `Sendable` is asked of who makes a binding
// action, not here: the compiler checks it only after it has chosen an overload, so that it can't
// be chosen by.

/// A property whose value is written by its own code.
public func _$bindable<Root, Value: Recordable & Equatable>(
  _ name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  [_$BindableProperty(recorded: name, keyPath)]
}

/// A property whose value is written by its own code, and the properties in it.
public func _$bindable<Root, Value: Recordable & Equatable & _$BindableState>(
  _ name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  [_$BindableProperty(recorded: name, keyPath)]
    + _$BindableProperty.properties(of: keyPath, named: name)
}

/// A property whose value is written through the Codable bridge.
@_disfavoredOverload
public func _$bindable<Root, Value: Codable & Equatable>(
  _ name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  [_$BindableProperty(coded: name, keyPath)]
}

/// A property whose value is written through the Codable bridge, and the properties in it.
@_disfavoredOverload
public func _$bindable<Root, Value: Codable & Equatable & _$BindableState>(
  _ name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  [_$BindableProperty(coded: name, keyPath)]
    + _$BindableProperty.properties(of: keyPath, named: name)
}

/// The properties in a property that can't be written as a whole.
@_disfavoredOverload
public func _$bindable<Root, Value: _$BindableState>(
  _ name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  _$BindableProperty.properties(of: keyPath, named: name)
}

/// A property that no binding action writes, or whose value has no form in bytes.
@_disfavoredOverload
public func _$bindable<Root, Value>(
  _ name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  []
}

/// A property whose value is kept out of records.
public func _$bindable<Root, Value: Equatable>(
  redacted name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  [_$BindableProperty(redacted: name, keyPath)]
}

/// A property whose value is kept out of records, and that no binding action writes.
@_disfavoredOverload
public func _$bindable<Root, Value>(
  redacted name: String, _ keyPath: WritableKeyPath<Root, Value>
) -> [_$BindableProperty<Root>] {
  []
}
