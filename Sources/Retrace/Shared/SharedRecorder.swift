internal import ActionCoding
internal import ActionLog
internal import ComposableArchitecture
internal import ConcurrencyExtras
internal import Dependencies
internal import Foundation
internal import Sharing
internal import Synchronization

/// Writes what a stream's reducers see of shared values, and who else changes them.
///
/// What reducers do is told by the reducers themselves, on the store's thread alone; what others
/// change is told on any thread.
final class SharedRecorder: SharedReads, SharedHook, @unchecked Sendable {
  /// Appends a record to the stream, on any thread.
  typealias Append = @Sendable (RecordKind, (UnsafeMutableRawBufferPointer) -> Int?) -> Void

  /// An outside change of a value that took no more than so many bytes is written with the next
  /// action, whether or not reducers look at it: states in between are then as they were. A larger
  /// one waits until somebody does, or until a state is written.
  static let eagerSize = 4_096

  let gate: RecordingGate
  private let append: Append
  private let table = Mutex(SharedReferenceTable())
  /// Held while a reference is defined, so that no number is used before it is.
  private let defining = NSRecursiveLock()
  /// Whether somebody else has changed a reference since the last action.
  private let hasChanges = Atomic<Bool>(false)

  // Of the store's thread, which touches none while it changes.
  @exclusivity(unchecked) private var trace = SharedTrace()
  private var makings: [Int: Int] = [:]
  private var used: SharedReferenceEntry?
  private var subscription: SharedSubscription?
  private var session: ObjectIdentifier?

  /// References that are exchanged by others than the stream's reducers.
  private let exchanges = SharedExchanges()

  init(gate: RecordingGate, append: @escaping Append) {
    self.gate = gate
    self.append = append
  }

  /// Begins to listen to changes. Who takes part in the reducers' reads is returned.
  ///
  /// - Parameter wish: Raised when the state is to be given to ``note(exchangesIn:_:as:)``.
  func start(_ wish: StateWish) -> SharedSession {
    self.exchanges.wish = wish
    self.subscription = SharedHooks.add(WeakHook(self))
    let session = SharedSession(self)
    self.session = ObjectIdentifier(session)
    return session
  }

  /// Ends listening.
  func end() {
    self.subscription?.cancel()
  }

  // MARK: - What the store tells

  /// Runs something that encodes an action.
  func encoding<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try SharedCoding(SharedLiveCoder(self, writing: .valueAhead)).with(body)
  }

  /// Whether nobody used or changed a shared value since the last action: there is nothing to do.
  @inline(__always)
  var isQuiet: Bool { self.trace.isEmpty && !self.hasChanges.load(ordering: .relaxed) }

  /// An action is in the log, and its reducer is about to run.
  func actionWillReduce() {
    self.trace.removeAll()
    guard self.hasChanges.load(ordering: .relaxed),
      self.hasChanges.exchange(false, ordering: .acquiring)
    else { return }
    let changed = self.table.withLock { $0.takeChanged(upTo: Self.eagerSize) }
    for entry in changed { self.writeIfNew(entry, as: .valueBefore) }
  }

  /// The reducer has run.
  func actionDidReduce() {
    guard !self.trace.isEmpty else { return }
    self.append(.shared) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        try writer.put(byte: SharedRecord.trace.rawValue)
        try self.trace.put(to: &writer)
        return writer.count
      } catch {
        return nil
      }
    }
    self.used = nil
    self.makings.removeAll()
  }

  /// The values that belong to the state as it is now, to be encoded with it elsewhere.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the state is the stream's first: what it holds is known then.
  ///   - isNoted: Whether values that are new to the stream are written down as holding from here
  ///     on. Where another state or digest of the same position may be in the log they are not:
  ///     they are with the next action then, if they are still new.
  func capture<State>(
    of state: State, _ coder: ValueCoder<State>, isFirst: Bool = false, isNoted: Bool = true
  ) -> SharedCapture {
    let capture = SharedCapture(self, isFirst: isFirst)
    while !self.exchanges.follow(capture, isNoted: isNoted) {
      self.note(exchangesIn: state, coder, as: .exchange)
    }
    guard !isFirst else { return capture }
    let (entries, made) = self.table.withLock { ($0.livingEntries(), $0.madeCount) }
    capture.madeCount = made
    for entry in entries {
      let value = isNoted ? self.writeIfNew(entry) : entry.reference?.versionedValue.value
      guard let value else { continue }
      capture.add(value, of: entry)
    }
    return capture
  }

  /// The definitions of the stream so far, as a segment restates them.
  var definitions: [DefinitionPayload] { self.table.withLock { $0.definitions } }

  // MARK: - SharedReads

  func willUse(_ reference: any AnyRootReference, _ use: SharedUse) -> any AnyRootReference {
    let entry = self.entry(of: reference)
    self.trace.add(entry.number, use)
    self.used = entry
    return reference
  }

  func didSee<Value>(_ value: Value, version: UInt64, of reference: any AnyRootReference) {
    guard let entry = self.used, entry.know(version, in: self.table) else { return }
    self.write(.met, entry, value)
  }

  func didChange(_ reference: any AnyRootReference, to version: UInt64) {
    _ = self.entry(of: reference).know(version, in: self.table)
  }

  func didMake(_ reference: any AnyRootReference) -> any AnyRootReference {
    let number = self.table.withLock { $0.make(reference) }
    self.trace.add(number, .make)
    return reference
  }

  func willFind<Value>(
    _ name: SharedKeyName, id: PersistentReferenceID, as type: Value.Type
  ) -> SharedFinding {
    let number = self.number(of: name, id, type)
    self.trace.add(number, .make)
    let ordinal = self.trace.count
    self.makings[ordinal] = number
    if self.table.withLock({ $0.isAmbiguous(name) }) { self.write(.found, number, ordinal) }
    return .live(ordinal)
  }

  func willMake(_ ordinal: Int) {
    guard let number = self.makings[ordinal] else { return }
    self.makings[ordinal] = nil
    self.write(.making, number, ordinal)
  }

  private func write(_ record: SharedRecord, _ number: Int, _ ordinal: Int) {
    self.append(.shared) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        try writer.put(byte: record.rawValue)
        try writer.put(varint: UInt64(number))
        try writer.put(varint: UInt64(ordinal))
        return writer.count
      } catch {
        return nil
      }
    }
  }

  func didFind(_ reference: any AnyRootReference, number: Int) -> any AnyRootReference {
    let entry = self.entry(of: reference)
    let (value, version) = reference.versionedValue
    // A new one that nothing was loaded into has the default that the reducer worked out.
    let isDefault = self.makings.removeValue(forKey: number) == nil && version == 0
    guard entry.know(version, in: self.table), !isDefault else { return reference }
    self.write(.met, entry, value, ordinal: number)
    return reference
  }

  // What is to be done is done for everybody's exchanges.
  func willExchange(_ box: any ExchangeableBox) {}

  // MARK: - SharedHook

  func didChange(_ reference: any AnyRootReference, by changer: SharedChanger) {
    let reducing = SharedSession.current
    if let reducing, reducing === self { return }
    let origin: SharedChangeOrigin =
      if changer == .place { .place } else if reducing != nil || ReducingThread.isCurrent {
        .store
      } else if let effect = SharedEffectOrigin.current, effect.session == self.session {
        .effect(of: effect.action)
      } else { .program }
    guard let entry = self.table.withLock({ $0.change(reference, by: origin) }) else { return }
    self.hasChanges.store(true, ordering: .releasing)
    self.append(.shared) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        try writer.put(byte: SharedRecord.changed.rawValue)
        try writer.put(varint: UInt64(entry.number))
        try origin.put(to: &writer)
        return writer.count
      } catch {
        return nil
      }
    }
  }

  func willExchange(in box: any ExchangeableBox) -> [any AnyObject & Sendable] {
    let isOwn = SharedSession.current.map { $0 === self } ?? false
    return self.exchanges.add(box, isOwn: isOwn) { root in
      self.table.withLock { $0.entry(of: root) }?.number
    }
  }

  func didExchange(_ reference: any AnyRootReference, for other: any AnyRootReference) {
    if let reducing = SharedSession.current, reducing === self { return }
    // From here on it is told who changes it.
    guard self.table.withLock({ $0.entry(of: reference) }) != nil else { return }
    _ = self.entry(of: other)
  }

  /// Writes which references others have exchanged in a state since the last time.
  ///
  /// - Parameter record: `exchange` for the state after the last action, `exchangeAhead` for the next
  ///   action to find it so.
  func note<State>(
    exchangesIn state: State, _ coder: ValueCoder<State>, as record: SharedRecord
  ) {
    let pending = self.exchanges.take()
    guard !pending.isEmpty else { return }
    // Nobody is to take this for what a reducer does.
    ReducerReads.without {
      let places = SharedBoxPlaces(in: state, coder)
      for exchange in pending {
        self.write(exchange, places?.places(of: exchange.box) ?? [], as: record)
      }
    }
  }

  private func write(_ pending: SharedExchanges.Pending, _ places: [Int], as record: SharedRecord) {
    var exchange = SharedExchange(was: pending.was, now: pending.was, places: places)
    var problem: String?
    do throws(RecordDecodingError) {
      guard let derivation = pending.box.derivation else {
        throw RecordDecodingError("It is a reference of another's making.", offset: 0)
      }
      let entry = self.entry(of: derivation.root)
      exchange.now = entry.number
      if places.isEmpty {
        problem = "The 'Shared' stands in no place of the state by which it can be found again."
      } else if let value = self.writeIfNew(
        entry, as: record == .exchange ? .value : .valueAhead)
      {
        exchange.steps = try derivation.steps(from: value)
        // The gate can't be asked for an id alone.
        if !self.gate.isOpen, exchange.steps.contains(where: { $0.hasPrefix("#") }) {
          problem = "The id of the element to which it leads may be what is to be redacted."
        }
      }
    } catch {
      problem = error.message
    }
    self.append(.shared) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        if let problem {
          try writer.put(byte: SharedRecord.exchanged.rawValue)
          try writer.put(varint: UInt64(exchange.was))
          try writer.put(varint: UInt64(exchange.now))
          try writer.put(string: problem)
        } else {
          try writer.put(byte: record.rawValue)
          try exchange.put(to: &writer)
        }
        return writer.count
      } catch {
        return nil
      }
    }
  }

  // MARK: - References

  /// What is known of a reference; one that is new is defined in the log.
  func entry(of reference: any AnyRootReference) -> SharedReferenceEntry {
    if let entry = self.table.withLock({ $0.entry(of: reference) }) { return entry }
    self.defining.lock()
    defer { self.defining.unlock() }
    let type = self.type(reference.valueType) { reference.coding }
    let (entry, definition) = self.table.withLock { $0.add(reference, type: type) }
    if let definition { self.append(definition) }
    return entry
  }

  private func number<Value>(
    of name: SharedKeyName, _ id: PersistentReferenceID, _ type: Value.Type
  ) -> Int {
    if let number = self.table.withLock({ $0.number(of: .key(id)) }) { return number }
    self.defining.lock()
    defer { self.defining.unlock() }
    let type = self.type(type) { SharedValueCoding(type) }
    let (number, definition) = self.table.withLock { $0.define(name, .key(id), type: type) }
    if let definition { self.append(definition) }
    return number
  }

  /// The number and the coding of a type; `defining` is held where it may be new.
  private func type(
    _ type: Any.Type, _ coding: () -> SharedValueCoding
  ) -> SharedReferenceTable.ValueType {
    let id = ObjectIdentifier(type)
    if let known = self.table.withLock({ $0.type(id) }) { return known }
    let coding = coding()
    let schema = coding.schema()
    let new = self.table.withLock { $0.add(id, coding, schema) }
    self.append(.sharedType(new.number, schema))
    return new
  }

  /// The type of a reference that a reducer made, which was of no interest until now.
  func type(of entry: SharedReferenceEntry) -> SharedReferenceTable.ValueType? {
    if let type = entry.type { return type }
    guard let reference = entry.reference else { return nil }
    self.defining.lock()
    defer { self.defining.unlock() }
    let type = self.type(reference.valueType) { reference.coding }
    self.table.withLock { _ in entry.type = type }
    return type
  }

  /// Takes note of a version that stands in the log.
  func know(_ version: UInt64, of entry: SharedReferenceEntry) {
    _ = entry.know(version, in: self.table)
  }

  // MARK: - Writing

  /// Writes the value of a reference if it is new to the stream.
  ///
  /// - Returns: The value, `nil` if the reference is gone.
  @discardableResult
  private func writeIfNew(
    _ entry: SharedReferenceEntry, as record: SharedRecord = .value
  ) -> Any? {
    guard let reference = entry.reference else { return nil }
    let (value, version) = reference.versionedValue
    if entry.know(version, in: self.table) { self.write(record, entry, value) }
    return value
  }

  /// Writes the value of a reference that was met while something else is encoded, before that.
  func writeNested(_ entry: SharedReferenceEntry, as record: SharedRecord) -> Any? {
    self.writeIfNew(entry, as: record)
  }

  private func write(
    _ record: SharedRecord, _ entry: SharedReferenceEntry, _ value: Any, ordinal: Int? = nil
  ) {
    guard let type = self.type(of: entry) else { return }
    let ordinal = ordinal ?? self.trace.count
    var size = 0
    // What a value does while it is encoded is no doing of the reducer.
    ReducerReads.without {
      let coding = SharedCoding(SharedLiveCoder(self))
      self.append(.shared) { buffer in
        var writer = RecordWriter(buffer)
        do throws(RecordOverflow) {
          try writer.put(byte: record.rawValue)
          try writer.put(varint: UInt64(entry.number))
          if record == .met { try writer.put(varint: UInt64(ordinal)) }
          try coding.with { () throws(RecordOverflow) in try writer.put(value, type, self.gate) }
          size = writer.count
          return writer.count
        } catch {
          return nil
        }
      }
    }
    self.table.withLock { _ in entry.lastSize = size }
  }

  private func append(_ definition: DefinitionPayload) {
    let payload = encodePayload { (writer) throws(RecordOverflow) in
      try definition.put(to: &writer)
    }
    self.append(.definition, copying(payload))
  }
}

/// Tells a recorder of changes as long as it is there.
private final class WeakHook: SharedHook, @unchecked Sendable {
  private weak let recorder: SharedRecorder?

  init(_ recorder: SharedRecorder) {
    self.recorder = recorder
  }

  func didChange(_ reference: any AnyRootReference, by changer: SharedChanger) {
    self.recorder?.didChange(reference, by: changer)
  }

  func willExchange(in box: any ExchangeableBox) -> [any AnyObject & Sendable] {
    guard let recorder = self.recorder else { return [] }
    return recorder.willExchange(in: box) + [recorder]
  }

  func didExchange(_ reference: any AnyRootReference, for other: any AnyRootReference) {
    self.recorder?.didExchange(reference, for: other)
  }
}

/// Writes references by their numbers, and what they hold, where it is new, before them.
final class SharedLiveCoder: SharedCoder {
  private unowned let recorder: SharedRecorder
  private let record: SharedRecord
  private var boxes = SharedBoxNumbers()

  /// - Parameter record: How values that are new are written.
  init(_ recorder: SharedRecorder, writing record: SharedRecord = .value) {
    self.recorder = recorder
    self.record = record
  }

  func number(of root: any AnyRootReference) -> (number: Int, value: Any)? {
    let entry = self.recorder.entry(of: root)
    return self.recorder.writeNested(entry, as: self.record).map { (entry.number, $0) }
  }

  func number(of box: any ExchangeableBox) -> Int { self.boxes.number(of: box) }
}

/// Numbers boxes in the order in which they are met.
struct SharedBoxNumbers {
  private var numbers: [ObjectIdentifier: Int] = [:]

  mutating func number(of box: any ExchangeableBox) -> Int {
    let id = ObjectIdentifier(box)
    if let number = self.numbers[id] { return number }
    let number = self.numbers.count
    self.numbers[id] = number
    return number
  }
}

// A coder that only writes.
extension SharedCoder {
  func reference<Value>(
    _ number: Int, as type: Value.Type, at reader: RecordReader
  ) throws(RecordDecodingError) -> any AnyRootReference {
    throw reader.error("Shared values can't be read while one is written.")
  }

  func box(_ number: Int, new: any ExchangeableBox) -> any ExchangeableBox { new }
  func whenRead(_ number: Int, derive: @escaping (any AnyRootReference) -> String?) {}
}
