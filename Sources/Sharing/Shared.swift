internal import Dependencies

/// A value that is shared with other parts of the program, and that outlives each of them.
///
/// Without a key the value is in memory, and is passed along by the projected value:
///
///     struct Parent { @Shared var count: Int }
///     let parent = Parent(count: Shared(value: 0))
///     let child = Child(count: parent.$count)
///
/// With a key it belongs to a place outside, and whoever names the key has the same value:
///
///     @Shared(.fileStorage(.todos)) var todos: [Todo] = []
///     $todos.withLock { $0.append(todo) }
///
/// Parts of a shared value are shared by dynamic members: `$user.name` is a `Shared<String>`.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value> {
  @usableFromInline let box: SharedBox<Value>

  init(box: SharedBox<Value>) {
    self.box = box
  }

  /// The value of a reference.
  public init(reference: any MutableReference<Value>) {
    self.box = SharedBox(reference)
  }

  /// A value that is held in memory, for all who are given this reference.
  public init(
    value: sending Value, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = SourcePlace(fileID, filePath, line, column)
    self.box = SharedBox(RootReference.making(value, place: place))
  }

  /// The same reference.
  public init(projectedValue: Shared) {
    self = projectedValue
  }

  /// What an optional value holds, `nil` if it holds nothing.
  ///
  /// Once the optional becomes `nil`, this keeps the last value there was; changing it then does
  /// not bring the optional back.
  public init?(_ base: Shared<Value?>) {
    guard let value = base.wrappedValue else { return nil }
    func open(_ base: some MutableReference<Value?>) -> any MutableReference<Value> {
      OptionalReference(base: base, initialValue: value)
    }
    self.init(reference: open(base.reference))
  }

  /// A value that is held in memory.
  @available(
    *, deprecated, renamed: "init(value:)", message: "Use 'Shared(value:)' to share a value."
  )
  @_disfavoredOverload
  public init(
    _ value: sending Value, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(value: value, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// What holds the value, or a part of what does.
  public var reference: any MutableReference<Value> {
    box.reference
  }

  /// The value. To change it, use ``withLock(_:fileID:filePath:line:column:)``.
  public var wrappedValue: Value {
    @inlinable
    get { box.value }
    @available(
      *, deprecated,
      message:
        "Use '$shared.withLock { $0 = … }' to change a shared value with exclusive access to it."
    )
    nonmutating set {
      withLock { $0 = newValue }
    }
  }

  /// The reference itself, to be passed along; assign another one to share what it refers to.
  public var projectedValue: Self {
    get { self }
    nonmutating set { box.reference = newValue.reference }
  }

  /// Changes the value as one unit of work, in which nobody else changes it.
  ///
  ///     $count.withLock { $0 += 1 }
  ///
  /// Others go on to read the value that was there until the operation is over. An operation that
  /// changes the same value again, in another `withLock`, overwrites what the inner one did.
  ///
  /// - Parameter operation: Changes the value that it is given.
  /// - Returns: What the operation returns.
  @discardableResult
  @inlinable
  public func withLock<R>(
    _ operation: (inout Value) throws -> R, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) rethrows -> R {
    if let root = box.rootReference { return try root.withLock(operation) }
    return try box.reference.withLock(operation)
  }

  /// A part of the value.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> Shared<Member> {
    func open(_ base: some MutableReference<Value>) -> any MutableReference<Member> {
      KeyPathReference(base: base, keyPath: keyPath)
    }
    return Shared<Member>(reference: open(reference))
  }

  /// A part of the value that can only be read.
  @_disfavoredOverload
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member> {
    SharedReader(self)[dynamicMember: keyPath]
  }

  /// What a function makes of the value, to be read.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader(self).read(body)
  }

  /// The latest value and each one after it, as an asynchronous sequence.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(box)
  }

  /// Loads the value anew from its key; does nothing where it has none.
  public func load() async throws {
    try await reference.load()
  }

  /// Saves the value to its key; does nothing where it has none.
  ///
  /// A key saves each change of its own accord, if it may take its time over it: this waits until
  /// it is done.
  public func save() async throws {
    try await reference.save()
  }

  /// Whether the value is being loaded.
  public var isLoading: Bool { reference.isLoading }

  /// Why the value could not be loaded the last time.
  public var loadError: (any Error)? { reference.loadError }

  /// Why the value could not be saved the last time.
  public var saveError: (any Error)? { reference.saveError }
}

extension Shared: @unchecked Sendable where Value: Sendable {}

extension Shared {
  /// The reference that holds the value of which this is the whole or a part; `nil` for a
  /// reference of another's making.
  package var root: (any AnyRootReference)? { reference.root }
}
