public import ActionCoding
public import CustomDump
public import Dependencies
internal import Synchronization

/// What an element of a stack is known by, as long as it is in the stack.
///
/// Ids are numbers that count up. In tests they count from 0, so that they may be written as
/// literals: `state.path[id: 0]`.
public struct StackElementID: Hashable, Sendable {
  /// How many ids were made before this one.
  @_spi(Internals) public var generation: Int

  @_spi(Internals) public init(generation: Int) {
    self.generation = generation
  }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) {
    self.init(generation: value)
  }
}

extension StackElementID: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "#\(self.generation)" }
  public var debugDescription: String { self.description }
}

extension StackElementID: CustomDumpStringConvertible {
  public var customDumpDescription: String { self.description }
}

extension StackElementID: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(generation: try decoder.singleValueContainer().decode(Int.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.generation)
  }
}

extension StackElementID: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.generation.encode(to: &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(generation: try Int(from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .primitive(.int) }
}

/// Makes the ids of the elements that are put on stacks.
public struct StackElementIDGenerator: Sendable {
  private let makeNext: @Sendable () -> StackElementID
  private let lookAhead: @Sendable () -> StackElementID

  /// A generator of two functions.
  ///
  /// - Parameters:
  ///   - next: Makes an id.
  ///   - peek: The id that `next` would make.
  public init(
    next: @escaping @Sendable () -> StackElementID,
    peek: @escaping @Sendable () -> StackElementID
  ) {
    self.makeNext = next
    self.lookAhead = peek
  }

  /// Makes an id; in a replay it is the one that was made in the recording.
  public func next() -> StackElementID { Self.nextRead.read(self.makeNext) }

  /// The id that is made next.
  public func peek() -> StackElementID { Self.peekRead.read(self.lookAhead) }

  private static let nextRead = Self.readKey("stackElementID")
  private static let peekRead = Self.readKey("nextStackElementID")

  private static func readKey(_ name: String) -> _ReadKey<StackElementID> {
    let generator = Self.incrementing(from: 1_000_000_000)
    return _ReadKey(
      name, coder: recordCoder(for: StackElementID.self), placeholder: generator.makeNext)
  }

  /// A generator of its own that counts up from 0.
  public static var incrementing: Self { .incrementing(from: 0) }

  /// A generator of its own that counts up.
  ///
  /// - Parameter first: The id that it makes first.
  public static func incrementing(from first: StackElementID) -> Self {
    let counter = Counter(first.generation)
    return Self(
      next: {
        StackElementID(generation: counter.value.wrappingAdd(1, ordering: .relaxed).oldValue)
      },
      peek: { StackElementID(generation: counter.value.load(ordering: .relaxed)) })
  }

  private final class Counter: Sendable {
    let value: Atomic<Int>
    init(_ value: Int) { self.value = Atomic(value) }
  }
}

extension StackElementIDGenerator: DependencyKey {
  public static let liveValue = Self.incrementing
  public static var testValue: Self { .incrementing }
}

extension DependencyValues {
  /// Makes the ids of the elements that are put on stacks.
  public var stackElementID: StackElementIDGenerator {
    get { self[StackElementIDGenerator.self] }
    set { self[StackElementIDGenerator.self] = newValue }
  }
}
