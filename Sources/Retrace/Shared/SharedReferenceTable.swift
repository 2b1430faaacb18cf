internal import ActionCoding
internal import Sharing
internal import Synchronization

/// A reference, as the recorder of a stream knows it. The lock of its table guards it.
final class SharedReferenceEntry: @unchecked Sendable {
  let number: Int
  fileprivate(set) weak var reference: (any AnyRootReference)?
  /// That of its value; `nil` where nobody has asked for it.
  var type: SharedReferenceTable.ValueType?
  /// The version that the stream has in its log; `nil` before it has any.
  fileprivate var known: UInt64?
  /// Who has changed it since it was written last.
  fileprivate var changedBy: SharedChangeOrigin?
  /// How many bytes its value took the last time.
  var lastSize = 0

  fileprivate init(
    number: Int, reference: (any AnyRootReference)?, type: SharedReferenceTable.ValueType?
  ) {
    self.number = number
    self.reference = reference
    self.type = type
  }

  /// Takes note of a version.
  ///
  /// - Returns: Whether it is new to the stream.
  func know(_ version: UInt64, in table: borrowing Mutex<SharedReferenceTable>) -> Bool {
    table.withLock { _ in
      guard self.known != version else { return false }
      self.known = version
      self.changedBy = nil
      return true
    }
  }
}

/// The references that a stream has met.
struct SharedReferenceTable {
  /// A type of shared values.
  struct ValueType: Sendable {
    var number: Int
    var coding: SharedValueCoding
    var schema: RecordSchema
  }

  private var bySerial: [UInt64: SharedReferenceEntry] = [:]
  private var numbers: [ReferenceIdentity: Int] = [:]
  private var references: [SharedDefinition] = []
  private var names: [SharedKeyName: Int] = [:]
  private var types: [ObjectIdentifier: ValueType] = [:]
  private var schemas: [RecordSchema] = []
  private var changed: [SharedReferenceEntry] = []
  private var sizeAfterPruning = 64
  /// How many references without a key reducers have made.
  private(set) var madeCount = 0

  func entry(of reference: any AnyRootReference) -> SharedReferenceEntry? {
    self.bySerial[reference.serial]
  }

  /// Adds a reference that is new to the stream, which is to be defined if nothing defines it yet.
  mutating func add(
    _ reference: any AnyRootReference, type: ValueType
  ) -> (SharedReferenceEntry, DefinitionPayload?) {
    if let entry = self.entry(of: reference) { return (entry, nil) }
    let (number, definition) = self.define(reference.keyName, reference.identity, type: type)
    self.insert(SharedReferenceEntry(number: number, reference: reference, type: type))
    return (self.bySerial[reference.serial]!, definition)
  }

  /// The number of a key, or of a reference without one, that has been met before.
  func number(of identity: ReferenceIdentity) -> Int? { self.numbers[identity] }

  /// Whether several keys describe themselves alike.
  func isAmbiguous(_ name: SharedKeyName) -> Bool { self.names[name, default: 0] > 1 }

  mutating func define(
    _ name: SharedKeyName?, _ identity: ReferenceIdentity, type: ValueType
  ) -> (Int, DefinitionPayload?) {
    // A key's reference may come and go: it is always the same one to the log.
    if let number = self.numbers[identity] { return (number, nil) }
    let index = self.references.count
    let definition = SharedDefinition(key: name, type: type.number)
    self.references.append(definition)
    if let name { self.names[name, default: 0] += 1 }
    self.numbers[identity] = SharedNumber.defined(index)
    return (SharedNumber.defined(index), .shared(index, definition))
  }

  /// Adds a reference that a reducer has made: its value is known.
  mutating func make(_ reference: any AnyRootReference) -> Int {
    let number = SharedNumber.made(self.madeCount)
    self.madeCount += 1
    let entry = SharedReferenceEntry(number: number, reference: reference, type: nil)
    entry.known = reference.version
    self.insert(entry)
    return number
  }

  private mutating func insert(_ entry: SharedReferenceEntry) {
    guard let reference = entry.reference else { return }
    self.bySerial[reference.serial] = entry
    guard self.bySerial.count >= 2 * self.sizeAfterPruning else { return }
    self.bySerial = self.bySerial.filter { $0.value.reference != nil }
    let serials = Set(self.bySerial.keys)
    self.numbers = self.numbers.filter {
      if case .serial(let serial) = $0.key { serials.contains(serial) } else { true }
    }
    self.sizeAfterPruning = max(64, self.bySerial.count)
  }

  // MARK: - Types

  func type(_ id: ObjectIdentifier) -> ValueType? { self.types[id] }

  mutating func add(
    _ id: ObjectIdentifier, _ coding: SharedValueCoding, _ schema: RecordSchema
  ) -> ValueType {
    let type = ValueType(number: self.schemas.count, coding: coding, schema: schema)
    self.types[id] = type
    self.schemas.append(schema)
    return type
  }

  /// All that is defined so far.
  var definitions: [DefinitionPayload] {
    self.schemas.enumerated().map { DefinitionPayload.sharedType($0.offset, $0.element) }
      + self.references.enumerated().map { DefinitionPayload.shared($0.offset, $0.element) }
  }

  // MARK: - Changes

  /// Notes a change by somebody else.
  ///
  /// - Returns: What is known of the reference; `nil` where it is of no interest, or the same one has
  ///   changed it just before.
  mutating func change(
    _ reference: any AnyRootReference, by origin: SharedChangeOrigin
  ) -> SharedReferenceEntry? {
    guard let entry = self.bySerial[reference.serial], entry.changedBy != origin else { return nil }
    if entry.changedBy == nil { self.changed.append(entry) }
    entry.changedBy = origin
    return entry
  }

  /// Those that were changed, and whose values take no more than so many bytes.
  mutating func takeChanged(upTo size: Int) -> [SharedReferenceEntry] {
    let taken = self.changed.filter { $0.changedBy != nil && $0.lastSize <= size }
    self.changed.removeAll { $0.changedBy == nil || $0.lastSize <= size }
    return taken
  }

  /// Those whose references are still there, by their numbers.
  func livingEntries() -> [SharedReferenceEntry] {
    self.bySerial.values.filter { $0.reference != nil }.sorted { $0.number < $1.number }
  }
}
