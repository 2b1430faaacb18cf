internal import ActionCoding
internal import ActionLog
internal import Dependencies
internal import Foundation

/// Hands the recorded reads of an action back to the reducer that runs it again.
///
/// Reads are checked in their order: another one than was recorded is a divergence, and the reducer
/// is given a placeholder so that it can return.
final class ReadPlayer: ReadSession {
  /// How the values of one key are read, for the number that they have in the log.
  private struct Match {
    var key: AnyObject
    /// A `Coder` of the key's type; `nil` where the recorded values can't be read as it.
    var coder: AnyObject?
    var problem = ""
  }

  private final class Coder<Value> {
    let value: ValueCoder<Value>

    init(_ value: ValueCoder<Value>) { self.value = value }
  }

  let tape: ReplayTape
  private let definitions: DefinitionTable
  private var matches: [Int: Match] = [:]
  /// The bytes of the last value of each number that has been met.
  var lastValues: [Int: [UInt8]] = [:]
  /// The first thing in the running action that differs.
  private(set) var difference: ReplayDifference? {
    didSet { self.tape.hasDifference = self.difference != nil }
  }
  /// Dependencies of which reducers were given the live value, by name, in the order of their use.
  private(set) var liveDependencies: [String] = []
  /// Whether the log ends within the running action, so that what is missing was never recorded.
  private(set) var isPastEnd = false

  init(tape: ReplayTape, definitions: DefinitionTable) {
    self.tape = tape
    self.definitions = definitions
  }

  /// Forgets what was found in the action before.
  func begin() {
    if self.difference != nil { self.difference = nil }
    self.isPastEnd = false
  }

  func differs(_ difference: ReplayDifference) {
    if self.difference == nil { self.difference = difference }
  }

  var isReplay: Bool { true }

  func touched(_ name: String) {
    guard !self.isPastEnd else { return }
    self.differs(
      ReplayDifference(
        .dependency, path: name, expected: "a call of '\(name)', whose answer no recording holds,",
        actual: "a need for that answer"))
  }

  func handedOut(_ name: String) {
    if !self.liveDependencies.contains(name) { self.liveDependencies.append(name) }
  }

  // The types of what is read most: what is generic takes a look-up of its metadata at each step.
  @_specialize(where Value == Date)
  @_specialize(where Value == UUID)
  @_specialize(where Value == UInt64)
  @_specialize(where Value == Int)
  @_specialize(where Value == Bool)
  @_specialize(where Value == Double)
  @_specialize(where Value == String)
  func read<Value>(
    _ key: _ReadKey<Value>, arguments: _ReadArguments?, live: () -> Result<Value, any Error>
  ) -> Result<Value, any Error>? {
    guard self.difference == nil else { return nil }
    guard let record = self.nextRead() else {
      if self.tape.next == nil {
        self.isPastEnd = true
      } else {
        self.differs(
          ReplayDifference(
            .read, path: key.name, expected: "no further read", actual: "a read of '\(key.name)'"))
      }
      return nil
    }
    defer { self.tape.advance() }
    do throws(RecordDecodingError) {
      var reader = RecordReader(record.payload)
      return try self.play(key, arguments, from: &reader)
    } catch {
      self.differs(
        ReplayDifference(
          .read, path: key.name,
          expected: "a read of '\(key.name)' that can't be decoded: \(error)",
          actual: "the same read"))
      return nil
    }
  }

  /// The action's next read, which has not been asked for yet; `nil` where there is none.
  func nextRead() -> LogRecord? {
    while let record = self.tape.next {
      switch record.kind {
      case .read: return record
      case .action, .close, .digest: return nil
      case .shared where SharedRecord.isOfReducerOrNextAction(record.payload): return nil
      case .effect where record.payload.first == 1 || record.payload.first == 6: return nil
      case .note: self.tape.takeNote(record)
      default: self.tape.advance()
      }
    }
    return nil
  }

  /// The paths of what was taken out of the action and of what it read.
  func takeRedacted() -> [String] {
    defer { if !self.tape.redacted.isEmpty { self.tape.redacted = [] } }
    return self.tape.redacted
  }

  /// What the next read is of.
  func name(of record: LogRecord) -> String {
    var reader = RecordReader(record.payload)
    guard let number = try? reader.getInt("A read's number") else { return "unknown" }
    return self.definitions.reads[number]?.name ?? "number \(number)"
  }

  private func play<Value>(
    _ key: _ReadKey<Value>, _ arguments: _ReadArguments?, from reader: inout RecordReader
  ) throws(RecordDecodingError) -> Result<Value, any Error>? {
    let number = try reader.getInt("A read's number")
    guard let coder = self.coder(of: key, number) else { return nil }
    let byte = try reader.getByte()
    guard let form = ReadForm(rawValue: byte & ~ReadForm.redactedArguments) else {
      throw reader.error("A read is of a form that is not known here.")
    }
    if key.argumentsSchema != nil, form != .absent, byte & ReadForm.redactedArguments == 0 {
      guard try self.check(arguments, of: key, number, &reader) else { return nil }
    } else if key.argumentsSchema != nil {
      _ = try reader.getCounted()
    }
    switch form {
    case .value:
      let start = reader
      let value = try coder.decode(from: &reader)
      let count = reader.offset - start.offset
      if count >= ReadRecorder.repeatedSize {
        var bytes = start
        self.lastValues[number] = try bytes.getBytes(count)
      }
      return .success(value)
    case .same:
      guard let bytes = self.lastValues[number] else {
        throw reader.error("The value that it repeats is not in the log.")
      }
      return .success(try coder.value(of: bytes))
    case .error:
      return .failure(
        RecordedError(type: try reader.getString(), description: try reader.getString()))
    case .absent:
      self.differs(
        ReplayDifference(
          .read, path: key.name,
          expected:
            "a read of '\(key.name)' without its value, since it could not be encoded "
            + "(\(try reader.getString()))", actual: "a need for the value"))
      return nil
    }
  }

  /// Compares the arguments with the recorded ones.
  private func check<Value>(
    _ arguments: _ReadArguments?, of key: _ReadKey<Value>, _ number: Int,
    _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> Bool {
    let recorded = try reader.getCounted()
    let now: [UInt8]
    do throws(RecordOverflow) {
      now = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
        try arguments?.write(&writer)
      }
    } catch {
      throw reader.error("The arguments can't be encoded: \(error)")
    }
    guard !recorded.elementsEqual(now) else { return true }
    let schema = self.definitions.reads[number]?.arguments
    self.differs(
      ReplayDifference(
        .read, path: key.name,
        expected: "a read of '\(key.name)' with \(Self.text(Array(recorded), schema))",
        actual: "one with \(Self.text(now, key.argumentsSchema))"))
    return false
  }

  private static func text(_ bytes: [UInt8], _ schema: RecordSchema?) -> String {
    guard let schema, let value = try? RecordValue(bytes, schema: schema) else {
      return "\(bytes.count) bytes"
    }
    return value.text(limit: 200)
  }

  /// How the values of a number in the log are read as those of a key; `nil`, with a difference,
  /// where they are of something else.
  private func coder<Value>(of key: _ReadKey<Value>, _ number: Int) -> ValueCoder<Value>? {
    if let match = self.matches[number], match.key === key {
      // The same key has the same type.
      if let coder = match.coder { return unsafeDowncast(coder, to: Coder<Value>.self).value }
      self.differs(
        ReplayDifference(
          .read, path: key.name, expected: match.problem, actual: "a read of '\(key.name)'"))
      return nil
    }
    self.matches[number] = self.match(key, number)
    return self.coder(of: key, number)
  }

  private func match<Value>(_ key: _ReadKey<Value>, _ number: Int) -> Match {
    guard let definition = self.definitions.reads[number] else {
      return Match(key: key, coder: nil, problem: "a read whose definition is not in the log")
    }
    guard definition.name == key.name else {
      return Match(key: key, coder: nil, problem: "a read of '\(definition.name)'")
    }
    do throws(RecordDecodingError) {
      return Match(key: key, coder: Coder(try key.coder.reading(definition.value)))
    } catch {
      return Match(
        key: key, coder: nil, problem: "a read of '\(key.name)' of another type (\(error.message))")
    }
  }
}

/// In what an action that is run again differs from the recorded one.
struct ReplayDifference {
  var kind: Divergence.Kind
  var path: String
  var expected: String
  var actual: String
  var place: String?

  /// Whether others that changed what is shared may be why.
  var mayComeFromShared: Bool { self.kind == .state || self.kind == .shared }

  init(
    _ kind: Divergence.Kind, path: String, expected: String, actual: String, place: String? = nil
  ) {
    self.kind = kind
    self.path = path
    self.expected = expected
    self.actual = actual
    self.place = place
  }
}

extension RecordReader {
  /// The next bytes.
  mutating func getBytes(_ count: Int) throws(RecordDecodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(try self.getByte()) }
    return bytes
  }
}
