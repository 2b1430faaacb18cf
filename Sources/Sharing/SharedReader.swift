internal import Dependencies

/// A shared value that can be read, and not changed.
///
///     @SharedReader(.remoteConfig) var config = Config()
///
/// It refers to the value of a key, to a `Shared` that others change, or to a part of either.
@propertyWrapper
@dynamicMemberLookup
public struct SharedReader<Value> {
  let box: SharedReaderBox<Value>

  init(box: SharedReaderBox<Value>) {
    self.box = box
  }

  /// The value of a reference.
  public init(reference: any Reference<Value>) {
    self.box = SharedReaderBox(reference)
  }

  /// A value that never changes.
  public init(value: sending Value) {
    let place = SourcePlace(#fileID, #filePath, #line, #column)
    self.init(reference: RootReference.making(value, place: place))
  }

  /// A value that never changes.
  public static func constant(_ value: sending Value) -> Self {
    Self(value: value)
  }

  /// The same reference.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// What others share, to be read.
  public init(_ base: Shared<Value>) {
    self.init(reference: base.reference)
  }

  /// What an optional value holds, `nil` if it holds nothing; see `Shared.init(_:)`.
  public init?(_ base: SharedReader<Value?>) {
    guard let value = base.wrappedValue else { return nil }
    func open(_ base: some Reference<Value?>) -> any Reference<Value> {
      OptionalReaderReference(base: base, initialValue: value)
    }
    self.init(reference: open(base.reference))
  }

  /// What an optional value holds, `nil` if it holds nothing; see `Shared.init(_:)`.
  public init?(_ base: Shared<Value?>) {
    self.init(SharedReader<Value?>(base))
  }

  /// What holds the value, or a part of what does.
  public var reference: any Reference<Value> {
    box.reference
  }

  /// The value.
  public var wrappedValue: Value {
    reference.wrappedValue
  }

  /// The reference itself, to be passed along; assign another one to read what it refers to.
  public var projectedValue: Self {
    get { self }
    nonmutating set { box.reference = newValue.reference }
  }

  /// A part of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member> {
    func open(_ base: some Reference<Value>) -> any Reference<Member> {
      ReadReference(base: base, keyPath: keyPath)
    }
    return SharedReader<Member>(reference: open(reference))
  }

  /// What a function makes of the value.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    func open(_ base: some Reference<Value>) -> any Reference<Member> {
      ReadReference(base: base, name: ".read(\(Value.self) -> \(Member.self))", body: body)
    }
    return SharedReader<Member>(reference: open(reference))
  }

  /// The latest value and each one after it, as an asynchronous sequence.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(box)
  }

  /// Loads the value anew from its key; does nothing where it has none.
  public func load() async throws {
    try await reference.load()
  }

  /// Whether the value is being loaded.
  public var isLoading: Bool { reference.isLoading }

  /// Why the value could not be loaded the last time.
  public var loadError: (any Error)? { reference.loadError }
}

extension SharedReader: @unchecked Sendable where Value: Sendable {}

extension SharedReader {
  /// The reference that holds the value of which this is the whole or a part; `nil` for a
  /// reference of another's making.
  package var root: (any AnyRootReference)? { reference.root }
}
