import IssueReporting

/// All dependencies: the overrides in force, over the values of the context.
///
/// Extend it with a property for each key; read it through ``Dependency`` and change it for a
/// scope by `withDependencies`.
public struct DependencyValues: Sendable {
  /// The dependencies of the running task.
  @TaskLocal public static var _current = DependencyValues(cache: nil)

  /// Overrides, which win over all else.
  ///
  /// `nil` when there are none, which is the common case.
  var overrides: Overrides?
  /// Overrides under them: those that a property wrapper captured when it was made.
  var base: Overrides?
  /// Values made from keys; `nil` stands for the cache of the process.
  private(set) var cache: DependencyCache?
  private var contextOverride: DependencyContext?
  /// A replay runs: nothing outside of the program is to be reached.
  package private(set) var isReplaying = false
  /// Where the reducer stands that made these values known to an effect.
  package var place: ReducerPlace.Place?
  /// An override is being made from these values, so reading them is no use of them.
  var isSetting = false
  /// Assignments prepare the value for the whole process instead of overriding it.
  var isPreparing = false

  /// Dependencies with no overrides and with nothing cached yet.
  public init() {
    self.init(cache: DependencyCache())
  }

  private init(cache: DependencyCache?) {
    self.cache = cache
  }

  /// The default dependencies of the live context.
  public static var live: Self { Self(in: .live) }

  /// The default dependencies of the preview context.
  public static var preview: Self { Self(in: .preview) }

  /// The default dependencies of the test context.
  public static var test: Self { Self(in: .test) }

  private init(in context: DependencyContext) {
    self.init()
    self.contextOverride = context
  }

  /// The context that values which are not overridden are taken for.
  public var context: DependencyContext {
    get {
      guard !isSetting, let reads = ReducerReads.ofUse else { return effectiveContext }
      return reads.value(
        of: DependencyContext.read, arguments: nil, live: { effectiveContext }, standIn: nil)
    }
    set { contextOverride = newValue }
  }

  private var effectiveContext: DependencyContext { contextOverride ?? .process }

  /// The value of a dependency.
  ///
  /// Called by the property that a dependency adds to `DependencyValues`; its name is used to
  /// describe the dependency when something is wrong.
  public subscript<Key: TestDependencyKey>(
    key: Key.Type,
    fileID fileID: StaticString = #fileID,
    filePath filePath: StaticString = #filePath,
    line line: UInt = #line,
    column column: UInt = #column,
    function function: StaticString = #function
  ) -> Key.Value {
    get {
      guard !isSetting, let reads = ReducerReads.ofUse else { return value(of: key, function) }
      return value(of: key, for: reads, function)
    }
    set {
      guard !isPreparing else {
        prepare(
          key, newValue, fileID: fileID, filePath: filePath, line: line, column: column,
          function: function)
        return
      }
      let id = ObjectIdentifier(key)
      let box = DependencyBox(newValue)
      overrides = overrides?.setting(id, box) ?? Overrides(id, box)
    }
  }

  private func value<Key: TestDependencyKey>(
    of key: Key.Type, _ function: StaticString
  ) -> Key.Value {
    let id = ObjectIdentifier(key)
    if let box = overrides?[id] ?? base?[id] {
      return unsafeDowncast(box, to: DependencyBox<Key.Value>.self).value
    }
    let context: DependencyContext = effectiveContext
    if context == .live, cache == nil, let box = DependencyCache.live[id] {
      return box._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: DependencyBox<Key.Value>.self).value
      }
    }
    return (cache ?? .process).value(
      for: key, in: context, isSetting: isSetting, isReplaying: isReplaying, function: function)
  }

  /// The value for a reducer whose reads are recorded or played back.
  private func value<Key: TestDependencyKey>(
    of key: Key.Type, for reads: ReducerReads, _ function: StaticString
  ) -> Key.Value {
    switch ValueRead.of(key).kind {
    case .recorded(let read):
      return read(reads) { value(of: key, function) }
    case .opaque(let name):
      let value: Key.Value = value(of: key, function)
      if isReplaying, !isOverridden(key), (cache ?? .process).isLive(key) {
        reads.handedOut(name)
      }
      return value
    case .unread:
      return value(of: key, function)
    }
  }

  private func prepare<Key: TestDependencyKey>(
    _ key: Key.Type, _ value: Key.Value, fileID: StaticString, filePath: StaticString, line: UInt,
    column: UInt, function: StaticString
  ) {
    let cache: DependencyCache = cache ?? .process
    guard !cache.prepare(key, value, in: effectiveContext) else { return }
    var reader = DependencyReader()
    reader.function = function
    reportIssue(
      """
      \(reader.name(for: key)) has already been accessed or prepared.

      \(reader.details(for: key))

      A dependency can be prepared once only, and before it is first read: call \
      'prepareDependencies' as the program starts. To change a dependency later and for a while, \
      use 'withDependencies'.
      """, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

// MARK: - Combining

extension DependencyValues {
  /// These values with the overrides of others on top.
  func merging(_ other: DependencyValues) -> DependencyValues {
    var result: DependencyValues = layered(under: other)
    result.flatten()
    return result
  }

  /// The same as `merging`, without a copy of the overrides: for reading.
  func layered(under other: DependencyValues) -> DependencyValues {
    guard
      overrides != nil || base != nil || cache != nil || contextOverride != nil || place != nil
        || isReplaying
    else { return other }
    var result: DependencyValues = self
    if let place = other.place { result.place = place }
    result.isSetting = other.isSetting
    result.isPreparing = other.isPreparing
    result.isReplaying = result.isReplaying || other.isReplaying
    if let context = other.contextOverride { result.contextOverride = context }
    if let cache = other.cache { result.cache = cache }
    if other.overrides === overrides, other.base === base { return result }
    if base != nil || other.base != nil {
      result.flatten()
      result.base = result.overrides
      var upper: DependencyValues = other
      upper.flatten()
      result.overrides = upper.overrides
      return result
    }
    guard let overrides = other.overrides else { return result }
    result.base = self.overrides
    result.overrides = overrides
    return result
  }

  private mutating func flatten() {
    guard let base else { return }
    overrides = overrides.map(base.merging) ?? base
    self.base = nil
  }
}

// MARK: - For the runtime

extension DependencyValues {
  /// Whether nothing is overridden: every read gives the process's own value.
  ///
  /// A runtime need not install such values for the code that it calls when the current ones are
  /// like that, too.
  package var isDefault: Bool {
    overrides == nil && base == nil && cache == nil && contextOverride == nil && place == nil
      && !isReplaying
  }

  /// Whether every read gives the same as that of the other values; may say no where it does.
  package func isIdentical(to other: DependencyValues) -> Bool {
    overrides === other.overrides && base === other.base && cache === other.cache
      && contextOverride == other.contextOverride && place === other.place
      && isReplaying == other.isReplaying
  }

  /// Runs an operation with these values, at no cost when they are the current ones.
  package func install<R>(operation: () throws -> R) rethrows -> R {
    if isIdentical(to: Self._current) { return try operation() }
    return try Self.$_current.withValue(self, operation: operation)
  }

  /// Runs an asynchronous operation with these values, at no cost when they are the current ones.
  package func install<R>(
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> R
  ) async rethrows -> R {
    if isIdentical(to: Self._current) { return try await operation() }
    return try await Self.$_current.withValue(self, operation: operation, isolation: isolation)
  }

  /// Makes values anew from their keys, even where the process has made them already; overrides
  /// stay.
  package mutating func forgetCachedValues() {
    cache = DependencyCache()
  }

  /// Makes these the values of a replay, which reaches nothing outside of the program.
  ///
  /// What is not overridden is taken from the keys anew, in the live context: the value for tests
  /// where a key has one, and without the report that it lacks one where it has none.
  package mutating func becomeReplayed() {
    forgetCachedValues()
    contextOverride = .live
    isReplaying = true
  }

  /// Overrides the value at a key path.
  ///
  /// What the key path reads on its way, as that to `date.now` does, is no use of it.
  package mutating func override<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>, with value: Value
  ) {
    let reader = DependencyReader.current
    let outer: Bool = reader.pointee.isSetting
    defer { reader.pointee.isSetting = outer }
    reader.pointee.isSetting = true
    self[keyPath: keyPath] = value
  }

  /// Whether the key has a value of its own here, instead of the context's.
  package func isOverridden<Key: TestDependencyKey>(_ key: Key.Type) -> Bool {
    let id = ObjectIdentifier(key)
    return overrides?[id] != nil || base?[id] != nil
  }

  /// The current dependencies, with the place of the reducer that runs here, if one does: to be
  /// put in force again after it has returned.
  package static var captured: DependencyValues {
    var values: DependencyValues = _current
    if let place = ReducerPlace.current { values.place = place }
    return values
  }

  /// These values over the current ones: what a wrapper that captured these reads.
  package var overCurrent: DependencyValues { layered(under: Self._current) }
}

extension DependencyValues {
  /// Forgets every value that the process has made for tests and previews.
  package static func forgetProcessValues() {
    DependencyCache.process.removeAll()
  }
}
