struct BridgeKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let box: BridgeBox
  let codingPath: [any CodingKey]

  private func put(_ value: RecordValue, _ key: Key) {
    box.set(BridgeBox(value), forKey: key.stringValue)
  }

  private func child(_ key: some CodingKey) -> BridgeEncoder {
    let child = BridgeBox()
    box.set(child, forKey: key.stringValue)
    return BridgeEncoder(box: child, codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { put(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { put(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { put(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { put(.double(value), key) }
  func encode(_ value: Float, forKey key: Key) { put(.float(value), key) }
  func encode(_ value: Int, forKey key: Key) { put(.int(Int64(value)), key) }
  func encode(_ value: Int8, forKey key: Key) { put(.int(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) { put(.int(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) { put(.int(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { put(.int(value), key) }
  func encode(_ value: Int128, forKey key: Key) { put(.int128(value), key) }
  func encode(_ value: UInt, forKey key: Key) { put(.uint(UInt64(value)), key) }
  func encode(_ value: UInt8, forKey key: Key) { put(.uint(UInt64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) { put(.uint(UInt64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) { put(.uint(UInt64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) { put(.uint(value), key) }
  func encode(_ value: UInt128, forKey key: Key) { put(.uint128(value), key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    put(try BridgeEncoder.tree(of: value, at: codingPath + [key]), key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    child(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    child(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { child(BridgeKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { child(key) }
}

struct BridgeUnkeyedEncoding: UnkeyedEncodingContainer {
  let box: BridgeBox
  let codingPath: [any CodingKey]
  var count: Int { box.count }

  private func put(_ value: RecordValue) { box.append(BridgeBox(value)) }

  private func child() -> BridgeEncoder {
    let path = codingPath + [BridgeKey(count)]
    let child = BridgeBox()
    box.append(child)
    return BridgeEncoder(box: child, codingPath: path)
  }

  func encodeNil() { put(.null) }
  func encode(_ value: Bool) { put(.bool(value)) }
  func encode(_ value: String) { put(.string(value)) }
  func encode(_ value: Double) { put(.double(value)) }
  func encode(_ value: Float) { put(.float(value)) }
  func encode(_ value: Int) { put(.int(Int64(value))) }
  func encode(_ value: Int8) { put(.int(Int64(value))) }
  func encode(_ value: Int16) { put(.int(Int64(value))) }
  func encode(_ value: Int32) { put(.int(Int64(value))) }
  func encode(_ value: Int64) { put(.int(value)) }
  func encode(_ value: Int128) { put(.int128(value)) }
  func encode(_ value: UInt) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { put(.uint(value)) }
  func encode(_ value: UInt128) { put(.uint128(value)) }

  func encode<T: Encodable>(_ value: T) throws {
    put(try BridgeEncoder.tree(of: value, at: codingPath + [BridgeKey(count)]))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    child().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
  func superEncoder() -> any Encoder { child() }
}

struct BridgeSingleEncoding: SingleValueEncodingContainer {
  let box: BridgeBox
  let codingPath: [any CodingKey]

  private func put(_ value: RecordValue) { box.content = .value(value) }

  func encodeNil() { put(.null) }
  func encode(_ value: Bool) { put(.bool(value)) }
  func encode(_ value: String) { put(.string(value)) }
  func encode(_ value: Double) { put(.double(value)) }
  func encode(_ value: Float) { put(.float(value)) }
  func encode(_ value: Int) { put(.int(Int64(value))) }
  func encode(_ value: Int8) { put(.int(Int64(value))) }
  func encode(_ value: Int16) { put(.int(Int64(value))) }
  func encode(_ value: Int32) { put(.int(Int64(value))) }
  func encode(_ value: Int64) { put(.int(value)) }
  func encode(_ value: Int128) { put(.int128(value)) }
  func encode(_ value: UInt) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { put(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { put(.uint(value)) }
  func encode(_ value: UInt128) { put(.uint128(value)) }

  func encode<T: Encodable>(_ value: T) throws {
    // One level deeper, so that a value that encodes itself as itself comes to an end.
    put(try BridgeEncoder.tree(of: value, at: codingPath + [BridgeKey("")]))
  }
}

/// A key made of a name or a place.
struct BridgeKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = "\(index)"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}
