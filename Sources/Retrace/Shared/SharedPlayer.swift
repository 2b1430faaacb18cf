internal import ActionCoding
internal import ActionLog
internal import Dependencies
internal import Sharing

/// The shared values of a timeline: references of its own, which hold what was recorded, and are
/// changed by nobody but the reducers that it runs.
///
/// What reducers do with them is compared with the recording.
final class SharedPlayer {
  /// A reference of the log.
  final class Entry {
    let number: Int
    /// The timeline's own; `nil` as long as nobody has asked for it, and its type is not known.
    var reference: (any AnyRootReference)?
    var coding: SharedValueCoding?
    /// What it holds, as long as there is no reference.
    var recorded: SharedContent?
    /// Why its value is not known, though reducers saw one.
    var problem: String?
    /// That of the value which it holds now, 0 for one that no moment has.
    var token: UInt64 = 0

    init(_ number: Int) {
      self.number = number
    }
  }

  let definitions: SharedDefinitions
  /// What the running action's records are taken from.
  var tape: ReplayTape? {
    didSet { self.runningNumber = nil }
  }
  /// Why the running action can't go on as it was recorded.
  private(set) var difference: ReplayDifference? {
    didSet { if self.difference != nil { self.tape?.hasDifference = true } }
  }

  private(set) var entries: [Int: Entry] = [:]
  private var bySerial: [UInt64: Int] = [:]
  private var keys: [PersistentReferenceID: Int] = [:]
  /// References of keys that the log does not have.
  private var strangers: [PersistentReferenceID: any AnyRootReference] = [:]
  private var tickets: [(number: Int?, id: PersistentReferenceID, ordinal: Int)] = []
  private var exchanged: [ObjectIdentifier: (box: any ExchangeableBox, original: AnyObject)] = [:]

  /// The number of the action whose events are in `trace`.
  private var runningNumber: Int?
  private var trace = SharedTrace()
  private var current = SharedMoment()
  private var changed: Set<Int> = []
  /// The paths of what was taken out of shared values since it was asked for the last time.
  var redacted: [String] = []
  /// The references that others than reducers have exchanged in a `Shared`.
  var exchanges = PlayedExchanges()
  private var lastToken: UInt64 = 0
  private var sizeAfterPruning = 1_024
  /// References that were made before are the program's own, and are not to be touched.
  private let firstOwnSerial: UInt64 = makeDetachedReference((), for: nil).serial

  // What is written or read together.
  fileprivate var boxNumbers = SharedBoxNumbers()
  private var met: Set<Int> = []
  fileprivate var boxes: [Int: any ExchangeableBox] = [:]
  fileprivate var derivations: [(number: Int, derive: (any AnyRootReference) -> String?)] = []
  private var table: SharedValues?
  private var isReading = false
  private var numbersToBind: ArraySlice<Int>?
  private lazy var coding = SharedCoding(SharedCoderOfPlayer(self))

  init(_ definitions: SharedDefinitions) {
    self.definitions = definitions
  }

  // MARK: - Moments

  /// What all references hold now.
  func moment() -> SharedMoment {
    for number in self.changed {
      guard let entry = self.entries[number] else { continue }
      self.lastToken += 1
      entry.token = self.lastToken
      if let reference = entry.reference {
        self.current.values[number] = SharedMoment.Held(
          token: entry.token, content: .value(reference.versionedValue.value))
      } else if let recorded = entry.recorded {
        self.current.values[number] = SharedMoment.Held(
          token: entry.token, content: .recorded(recorded))
      }
    }
    self.changed.removeAll(keepingCapacity: true)
    for (id, (box, _)) in self.exchanged { self.current.boxes[id] = box.content }
    return self.current
  }

  /// What stands with a state in the log.
  func moment(of table: SharedValues) throws(RecordDecodingError) -> SharedMoment {
    var moment = SharedMoment(madeCount: table.madeCount)
    for number in table.contents.keys {
      guard let content = try table.content(of: number) else { continue }
      self.lastToken += 1
      moment.values[number] = SharedMoment.Held(token: self.lastToken, content: .recorded(content))
    }
    return moment
  }

  /// Gives all references what they held then.
  func restore(_ moment: SharedMoment) {
    for (number, held) in moment.values {
      let entry = self.entry(number)
      guard entry.token != held.token else { continue }
      switch held.content {
      case .value(let value): _ = entry.reference?.replaceValue(value)
      case .recorded(let content): self.put(content, into: entry)
      }
      entry.problem = nil
      entry.token = held.token
    }
    for (id, (box, original)) in self.exchanged { box.put(moment.boxes[id] ?? original) }
    self.current = moment
    self.changed.removeAll(keepingCapacity: true)
    self.difference = nil
    self.runningNumber = nil
    self.exchanges.forget()
  }

  // MARK: - Actions

  /// Whether a reducer does what happens now.
  private var isRunning: Bool { !self.isReading && SharedSession.current === self }

  /// An event comes. The first of an action is told by the number of the tape's record.
  private func begin() {
    guard let tape = self.tape else { return }
    let number = tape.next?.kind == .action ? tape.number - 1 : tape.number
    guard self.runningNumber != number else { return }
    self.runningNumber = number
    self.difference = nil
    self.trace.removeAll()
    self.tickets.removeAll(keepingCapacity: true)
    // What holds before the reducer stands right behind the action.
    while let record = tape.next, record.kind == .shared,
      !SharedRecord.isOfReducerOrNextAction(record.payload)
    { tape.advance() }
    guard self.nextRecord() == nil, !tape.isAtEnd, tape.next?.kind != .read else { return }
    // Nothing of the kind was recorded: the action is to be looked at when it has run.
    tape.hasDifference = true
  }

  /// The reducer has run: compares what it did with what it had done.
  ///
  /// - Returns: In what it differs, though it could do what it did.
  func end(of number: Int) -> ReplayDifference? {
    defer {
      self.runningNumber = nil
      self.difference = nil
    }
    if self.runningNumber != number { self.trace.removeAll() }
    guard let record = self.nextRecord() else {
      // Where the log ends within an action nobody knows what would have come.
      if self.trace.isEmpty || self.tape?.isAtEnd != false { return nil }
      let run = self.trace.runs.first
      return self.difference(
        run?.number, expected: "no use of shared values", actual: self.text(run))
    }
    var reader = RecordReader(record.payload)
    guard (try? reader.getByte()) == SharedRecord.trace.rawValue else {
      let number = (try? reader.getInt("The number of a shared value")) ?? 0
      return self.difference(
        number, expected: "a use of '\(self.definitions.name(of: number))'",
        actual: "no further use of it")
    }
    let recorded = try? SharedTrace(from: &reader)
    self.tape?.advance()
    guard let recorded, recorded != self.trace,
      let (_, expected, actual) = recorded.firstDifference(from: self.trace)
    else { return nil }
    return self.difference(
      (actual ?? expected)?.number, expected: self.text(expected), actual: self.text(actual))
  }

  /// Goes on to the next action, or to what belongs to that, and takes what is recorded in between.
  func finish() {
    guard let tape = self.tape else { return }
    while let record = tape.next, record.kind != .action {
      if record.kind == .shared, SharedRecord.isOfNextAction(record.payload) { return }
      tape.advance()
    }
  }

  /// The tape has passed a record that tells what is shared from there on.
  ///
  /// - Parameter number: That of the last action before.
  func take(_ payload: UnsafeRawBufferPointer, after number: Int) {
    do throws(RecordDecodingError) {
      var reader = RecordReader(payload)
      let tag = try reader.getByte()
      if tag == SharedRecord.exchange.rawValue || tag == SharedRecord.exchangeAhead.rawValue {
        return self.exchanges.take(try SharedExchange(from: &reader), after: number)
      }
      let number = try reader.getInt("The number of a shared value")
      let content = try SharedContent(from: &reader)
      self.put(content, into: self.entry(number))
      self.noteRedacted(in: content, of: number)
      self.change(number)
    } catch {
      self.differs(nil, expected: "a shared value that can't be decoded (\(error))", actual: "it")
    }
  }

  /// The next record of what the running reducer did; `nil` where there is none before something
  /// else that it did.
  private func nextRecord() -> LogRecord? {
    guard let tape = self.tape else { return nil }
    while let record = tape.next {
      switch record.kind {
      case .shared where SharedRecord.isOfReducer(record.payload): return record
      case .shared where SharedRecord.isOfNextAction(record.payload): return nil
      case .action, .close, .read, .digest: return nil
      case .effect where record.payload.first == 1 || record.payload.first == 6: return nil
      case .note: tape.takeNote(record)
      default: tape.advance()
      }
    }
    return nil
  }

  /// Takes the record of the event that comes now, if it has one of this kind.
  private func takeRecord(
    _ kind: SharedRecord, ordinal: Int, number: Int?
  ) -> (number: Int, content: SharedContent?)? {
    guard self.difference == nil, let record = self.nextRecord(),
      record.payload.first == kind.rawValue
    else { return nil }
    do throws(RecordDecodingError) {
      var reader = RecordReader(record.payload)
      _ = try reader.getByte()
      let recordedNumber = try reader.getInt("The number of a shared value")
      guard try reader.getInt("The ordinal of a use") == ordinal else { return nil }
      guard number == nil || number == recordedNumber else {
        self.differs(
          number, expected: "a use of '\(self.definitions.name(of: recordedNumber))'",
          actual: "one of '\(self.definitions.name(of: number ?? 0))'")
        return nil
      }
      let content = kind == .met ? try SharedContent(from: &reader) : nil
      self.tape?.advance()
      return (recordedNumber, content)
    } catch {
      self.differs(
        number, expected: "a use of a shared value that can't be decoded (\(error))",
        actual: "the same use")
      return nil
    }
  }

  // MARK: - References

  func entry(_ number: Int) -> Entry {
    if let entry = self.entries[number] { return entry }
    if self.entries.count >= 2 * self.sizeAfterPruning { self.prune() }
    let entry = Entry(number)
    self.entries[number] = entry
    return entry
  }

  /// Lets go of what reducers have made and nobody holds any more.
  private func prune() {
    for (number, entry) in self.entries
    where SharedNumber.isMade(number) && !self.changed.contains(number) {
      var reference: AnyObject? = entry.reference
      entry.reference = nil
      guard reference == nil || isKnownUniquelyReferenced(&reference) else {
        entry.reference = reference as? any AnyRootReference
        continue
      }
      self.entries[number] = nil
      self.current.values[number] = nil
    }
    let numbers = Set(self.entries.keys)
    self.bySerial = self.bySerial.filter { numbers.contains($0.value) }
    self.sizeAfterPruning = max(1_024, self.entries.count)
  }

  private func bind(_ reference: any AnyRootReference, to entry: Entry) {
    entry.reference = reference
    entry.coding = reference.coding
    self.bySerial[reference.serial] = entry.number
    guard let recorded = entry.recorded else { return }
    entry.recorded = nil
    self.put(recorded, into: entry)
  }

  /// Puts a recorded value in place.
  private func put(_ content: SharedContent, into entry: Entry) {
    entry.token = 0
    guard let value = content.value else {
      entry.problem = content.reasonForAbsence ?? "It is not in the log."
      return
    }
    entry.problem = nil
    guard let reference = entry.reference, let coding = entry.coding else {
      entry.recorded = content
      return
    }
    do throws(RecordDecodingError) {
      _ = reference.replaceValue(try self.decode(value, content.type, coding))
    } catch {
      entry.problem = "\(error)"
    }
  }

  private func decode(
    _ bytes: ArraySlice<UInt8>, _ type: Int, _ coding: SharedValueCoding
  ) throws(RecordDecodingError) -> Any {
    let schema = self.definitions.types[type]
    let bytes = Array(bytes)
    return try self.reading { () throws(RecordDecodingError) in
      try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordDecodingError) in
        try coding.decode(raw, written: schema)
      }
    }
  }

  private func change(_ number: Int) {
    self.changed.insert(number)
  }

  /// The reference of a number, made of what is recorded where nobody has asked for it before.
  func typed<Value>(
    _ number: Int, as type: Value.Type
  ) throws(RecordDecodingError) -> (any AnyRootReference)? {
    let entry = self.entry(number)
    let tabled = try self.table?.content(of: number)
    // A value that could not be written is not the one that happens to be there, such as the default
    // of a property.
    if let reference = entry.reference, tabled == nil || tabled?.value != nil {
      guard reference.valueType == type else {
        throw RecordDecodingError(
          """
          The shared value '\(self.definitions.name(of: number))' is of the type \
          '\(reference.valueType)', and not '\(type)'.
          """, offset: 0)
      }
      return reference
    }
    guard let content = tabled ?? entry.recorded else { return nil }
    guard let bytes = content.value else {
      throw RecordDecodingError(
        """
        The shared value '\(self.definitions.name(of: number))' is not in the log: \
        \(content.reasonForAbsence ?? "unknown")
        """, offset: 0)
    }
    let value = try self.decode(bytes, content.type, SharedValueCoding(type))
    guard let value = value as? Value else { return nil }
    entry.recorded = nil
    let reference = makeDetachedReference(value, for: self.definitions.key(of: number))
    self.bind(reference, to: entry)
    return reference
  }

  // MARK: - Reading and writing

  /// Reads something whose shared values are references of the log.
  ///
  /// - Parameter table: What they hold that are met for the first time.
  func reading<R>(
    _ table: SharedValues? = nil, _ body: () throws(RecordDecodingError) -> R
  ) throws(RecordDecodingError) -> R {
    let outer = (self.boxes, self.derivations, self.table, self.isReading)
    (self.boxes, self.derivations) = ([:], [])
    if let table { self.table = table }
    self.isReading = true
    defer { (self.boxes, self.derivations, self.table, self.isReading) = outer }
    let result = try self.coding.with(body)
    for (number, derive) in self.derivations {
      let name = self.definitions.name(of: number)
      guard let root = self.entries[number]?.reference else {
        throw RecordDecodingError(
          """
          A part of the shared value '\(name)' is there, but nothing that tells of which type the \
          whole is.
          """, offset: 0)
      }
      if let problem = derive(root) {
        throw RecordDecodingError("'\(name)': \(problem)", offset: 0)
      }
    }
    return result
  }

  /// Writes something whose shared values are references of the log.
  func writing<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    self.boxNumbers = SharedBoxNumbers()
    return try self.coding.with(body)
  }

  /// Takes the references of a state that was given, in place of those that can't be read from the
  /// log, in the order in which they were recorded.
  func adopt<State>(_ state: State, _ coder: ValueCoder<State>) {
    self.numbersToBind = self.definitions.numbersWithoutKey[...]
    _ = self.writing { try? coder.bytes(of: state) }
    self.numbersToBind = nil
  }

  /// The number of a reference in the log, and what it holds.
  fileprivate func number(of root: any AnyRootReference) -> (number: Int, value: Any)? {
    if let number = self.bySerial[root.serial], let own = self.entries[number]?.reference {
      self.met.insert(number)
      return (number, own.versionedValue.value)
    }
    guard self.numbersToBind != nil,
      let number = root.keyName.map({ self.definitions.numbers(of: $0).first })
        ?? self.numbersToBind?.popFirst()
    else { return nil }
    let entry = self.entry(number)
    // What the state holds belongs to the first moment.
    self.change(number)
    if root.serial > self.firstOwnSerial, let known = entry.reference, known !== root {
      // The one that was made of the log's bytes gives way to the one that the state holds.
      _ = root.replaceValue(known.versionedValue.value)
      self.bind(root, to: entry)
    } else {
      self.adopt(root, as: entry)
    }
    return self.number(of: root)
  }

  /// The bytes of what a reference of the log holds now; `nil` where it is not known.
  func bytes(of number: Int) -> [UInt8]? {
    guard let entry = self.entries[number], let reference = entry.reference,
      let coding = entry.coding, coding.kind != .opaque
    else { return nil }
    let value = reference.versionedValue.value
    return self.writing {
      encodePayload { (writer) throws(RecordOverflow) in try coding.encode(value, &writer) }
    }
  }

  /// What the digest of a state is made of.
  func digested<State>(
    _ state: State, _ coder: ValueCoder<State>
  ) throws(RecordOverflow) -> [UInt8] {
    self.met = []
    let bytes = try self.writing { () throws(RecordOverflow) in try coder.bytes(of: state) }
    let values = Retrace.digested(met: { self.met }) { self.bytes(of: $0) ?? [] }
    return bytes + (values ?? [])
  }

  // MARK: - Differences

  private func differs(_ number: Int?, expected: String, actual: String) {
    guard self.difference == nil else { return }
    self.difference = self.difference(number, expected: expected, actual: actual)
  }

  private func difference(
    _ number: Int?, expected: String, actual: String
  ) -> ReplayDifference {
    ReplayDifference(
      .shared, path: number.map { self.definitions.name(of: $0) } ?? "", expected: expected,
      actual: actual)
  }

  private func text(_ run: SharedTrace.Run?) -> String {
    guard let run else { return "no further use of shared values" }
    let name = self.definitions.name(of: run.number)
    switch run.use {
    case .read: return "a read of '\(name)'"
    case .change: return "a change of '\(name)'"
    case .make: return "a reference to '\(name)'"
    }
  }
}

// MARK: - What reducers do

extension SharedPlayer: SharedReads {
  func willUse(_ reference: any AnyRootReference, _ use: SharedUse) -> any AnyRootReference {
    guard self.isRunning else { return self.own(reference) }
    self.begin()
    let ordinal = self.trace.count + 1
    let known = self.bySerial[reference.serial]
    if let known { self.trace.add(known, use) }
    if case let (number, content?)? = self.takeRecord(.met, ordinal: ordinal, number: known) {
      let entry = self.entry(number)
      if known == nil {
        self.trace.add(number, use)
        self.adopt(reference, as: entry)
      }
      self.put(content, into: entry)
      self.noteRedacted(in: content, of: number)
      self.change(number)
    }
    guard let number = self.bySerial[reference.serial], let own = self.entries[number]?.reference
    else {
      self.differs(
        nil, expected: "no use of '\(reference.keyName?.key ?? "Shared(value:)")'",
        actual: use == .read ? "a read of it" : "a change of it")
      return self.own(reference)
    }
    if let problem = self.entries[number]?.problem {
      self.differs(
        number,
        expected:
          "a value of '\(self.definitions.name(of: number))' that is not known (\(problem))",
        actual: "a need for it")
    }
    return own
  }

  func didSee<Value>(_ value: Value, version: UInt64, of reference: any AnyRootReference) {}

  func didChange(_ reference: any AnyRootReference, to version: UInt64) {
    guard let number = self.bySerial[reference.serial], let entry = self.entries[number] else {
      return
    }
    entry.token = 0
    entry.problem = nil
    self.change(number)
  }

  func didMake(_ reference: any AnyRootReference) -> any AnyRootReference {
    guard self.isRunning else { return reference }
    self.begin()
    let entry = self.entry(SharedNumber.made(self.current.madeCount))
    self.current.madeCount += 1
    self.trace.add(entry.number, .make)
    entry.recorded = nil
    entry.problem = nil
    entry.token = 0
    self.change(entry.number)
    // One that was made here before, and that states of later positions may hold.
    if let own = entry.reference, own.replaceValue(reference.versionedValue.value) { return own }
    self.bind(reference, to: entry)
    return reference
  }

  func willFind<Value>(
    _ name: SharedKeyName, id: PersistentReferenceID, as type: Value.Type
  ) -> SharedFinding {
    let isRunning = self.isRunning
    if isRunning { self.begin() }
    let number = isRunning ? self.foundNumber(of: name) : self.number(of: name, id)
    guard isRunning, let number else {
      if isRunning {
        self.differs(
          nil, expected: "no use of '\(name.key)'", actual: "a reference to '\(name.key)'")
      }
      if let stranger = self.strangers[id] { return .given(stranger) }
      if let number, let own = try? self.typed(number, as: type) { return .given(own) }
      return self.ticket(number, id, 0)
    }
    self.trace.add(number, .make)
    let ordinal = self.trace.count
    if self.takeRecord(.making, ordinal: ordinal, number: number) != nil {
      return self.ticket(number, id, ordinal)
    }
    self.takeValue(of: number, ordinal)
    do throws(RecordDecodingError) {
      if let own = try self.typed(number, as: type) { return .given(own) }
      if self.difference == nil, self.entry(number).problem == nil {
        self.differs(
          number, expected: "a reference to '\(name.key)' that was in use already",
          actual: "the first one")
      }
    } catch {
      self.differs(
        number, expected: "a reference to '\(name.key)'", actual: "another one (\(error.message))")
    }
    return self.ticket(number, id, ordinal)
  }

  func willMake(_ number: Int) {}

  func didFind(_ reference: any AnyRootReference, number: Int) -> any AnyRootReference {
    guard self.tickets.indices.contains(number) else { return reference }
    let ticket = self.tickets[number]
    guard let number = ticket.number else {
      self.strangers[ticket.id] = reference
      return reference
    }
    let entry = self.entry(number)
    entry.token = 0
    if let own = entry.reference, own.valueType == reference.valueType {
      _ = own.replaceValue(reference.versionedValue.value)
    } else {
      self.bind(reference, to: entry)
    }
    entry.problem = nil
    self.change(number)
    if ticket.ordinal > 0 { self.takeValue(of: number, ticket.ordinal) }
    return entry.reference ?? reference
  }

  func willExchange(_ box: any ExchangeableBox) {
    if self.isRunning { self.willPut(into: box) }
  }

  /// The reference in a box is exchanged, so that there is one for each moment.
  func willPut(into box: any ExchangeableBox) {
    let id = ObjectIdentifier(box)
    if self.exchanged[id] == nil { self.exchanged[id] = (box, box.content) }
  }

  private func ticket(_ number: Int?, _ id: PersistentReferenceID, _ ordinal: Int) -> SharedFinding
  {
    self.tickets.append((number, id, ordinal))
    return .make(self.tickets.count - 1)
  }

  private func takeValue(of number: Int, _ ordinal: Int) {
    guard case let (_, content?)? = self.takeRecord(.met, ordinal: ordinal, number: number) else {
      return
    }
    self.put(content, into: self.entry(number))
    self.noteRedacted(in: content, of: number)
    self.change(number)
  }

  /// The number in the log of a key that the reducer asks for now.
  private func foundNumber(of name: SharedKeyName) -> Int? {
    let numbers = self.definitions.numbers(of: name)
    guard numbers.count > 1 else { return numbers.first }
    // Which of them is recorded, from the second on.
    let found = self.takeRecord(.found, ordinal: self.trace.count + 1, number: nil)?.number
    return found.flatMap { numbers.contains($0) ? $0 : nil } ?? numbers.first
  }

  /// The number in the log of a key that somebody else than a reducer asks for.
  private func number(of name: SharedKeyName, _ id: PersistentReferenceID) -> Int? {
    if let number = self.keys[id] { return number }
    // Keys that describe themselves alike are told apart by the order in which they were met.
    let taken = Set(self.keys.values)
    guard let number = self.definitions.numbers(of: name).first(where: { !taken.contains($0) })
    else { return nil }
    self.keys[id] = number
    return number
  }

  /// A reference that may be used: never one of the program's own.
  private func own(_ reference: any AnyRootReference) -> any AnyRootReference {
    if let number = self.bySerial[reference.serial], let own = self.entries[number]?.reference {
      return own
    }
    return reference.serial > self.firstOwnSerial ? reference : reference.detachedCopy()
  }

  /// Takes a reference that came from elsewhere for one of the log.
  private func adopt(_ reference: any AnyRootReference, as entry: Entry) {
    if let own = entry.reference, own.valueType == reference.valueType {
      self.bySerial[reference.serial] = entry.number
      return
    }
    let own = reference.serial > self.firstOwnSerial ? reference : reference.detachedCopy()
    self.bySerial[reference.serial] = entry.number
    self.bind(own, to: entry)
  }
}

// MARK: - Bytes

/// Writes and reads references by the numbers that a player knows.
private final class SharedCoderOfPlayer: SharedCoder {
  private unowned let player: SharedPlayer

  init(_ player: SharedPlayer) {
    self.player = player
  }

  func number(of root: any AnyRootReference) -> (number: Int, value: Any)? {
    self.player.number(of: root)
  }

  func number(of box: any ExchangeableBox) -> Int { self.player.boxNumbers.number(of: box) }

  func reference<Value>(
    _ number: Int, as type: Value.Type, at reader: RecordReader
  ) throws(RecordDecodingError) -> any AnyRootReference {
    if let reference = try self.player.typed(number, as: type) { return reference }
    throw reader.error(
      "The shared value '\(self.player.definitions.name(of: number))' is not in the log.")
  }

  func box(_ number: Int, new: any ExchangeableBox) -> any ExchangeableBox {
    if let box = self.player.boxes[number] { return box }
    self.player.boxes[number] = new
    return new
  }

  func whenRead(_ number: Int, derive: @escaping (any AnyRootReference) -> String?) {
    self.player.derivations.append((number, derive))
  }
}
