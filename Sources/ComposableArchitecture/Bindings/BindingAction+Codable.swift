// In its encoded form an action is an object with one entry: the property's name and the value.
extension BindingAction: Encodable where Root: _$BindableState {
  /// Encodes the property's name and the value.
  ///
  /// - Throws: An `EncodingError` when the state does not list the property, or redacts it, or the
  ///   value is not `Encodable`.
  public func encode(to encoder: any Encoder) throws {
    let table = BindableTable<Root>.shared
    // The value is in no message: it may be what the state redacts.
    guard let index = table.index(of: self.keyPath) else {
      throw EncodingError.invalidValue(
        self.keyPathDescription,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: """
            An action on '\(self.keyPathDescription)' writes something that is no property of \
            '\(shortTypeName(Root.self))' itself, so that it has no name to be encoded by.
            """))
    }
    guard !table.properties[index].isRedacted else {
      throw EncodingError.invalidValue(
        table.properties[index].name,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: """
            The property '\(table.properties[index].name)' of '\(shortTypeName(Root.self))' is \
            redacted, so that what is written to it is not encoded.
            """))
    }
    guard let value = self.value as? any Encodable else {
      throw EncodingError.invalidValue(
        self.value,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: """
            The value of '\(self.description)' can't be encoded: its type is not Encodable.
            """))
    }
    var container = encoder.container(keyedBy: BindablePropertyKey.self)
    try container.encode(value, forKey: BindablePropertyKey(table.properties[index].name))
  }
}

extension BindingAction: Decodable where Root: _$BindableState {
  /// Decodes an action by its property's name.
  ///
  /// - Throws: A `DecodingError` when there is not exactly one entry, the state has no such
  ///   property, or its value can't be decoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: BindablePropertyKey.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: """
            A binding action has one entry, the property that it writes; here are \
            \(container.allKeys.count).
            """))
    }
    let properties = BindableTable<Root>.shared.properties
    guard let property = properties.first(where: { $0.name == key.stringValue }) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription: """
          '\(shortTypeName(Root.self))' has no property '\(key.stringValue)' that a binding action \
          may write.
          """)
    }
    self = try property.coding.decode(container, key)
  }
}

/// The name of a property, as the key of its value.
struct BindablePropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) {
    self.stringValue = name
  }

  init?(stringValue: String) {
    self.init(stringValue)
  }

  init?(intValue: Int) {
    return nil
  }
}

/// How the action that writes one property is decoded.
struct BindablePropertyCoding<Root> {
  let decode:
    (KeyedDecodingContainer<BindablePropertyKey>, BindablePropertyKey) throws -> BindingAction<Root>

  init<Value: Equatable>(_ keyPath: WritableKeyPath<Root, Value>) {
    self.decode = { container, key in
      guard let type = Value.self as? any Decodable.Type,
        let value = try container.decode(type, forKey: key) as? Value
      else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "'\(shortTypeName(Value.self))' can't be decoded: it is not Decodable.")
      }
      return BindingAction(keyPath: keyPath, value: value, report: nil)
    }
  }

  /// That of a property of a part of the root.
  init<Part>(_ coding: BindablePropertyCoding<Part>, of part: WritableKeyPath<Root, Part>) {
    self.decode = { container, key in BindingAction(try coding.decode(container, key), of: part) }
  }
}
