internal import Dependencies
internal import Synchronization

/// What copies of a `Shared` have in common: the reference, which may be exchanged for another.
@usableFromInline
final class SharedBox<Value>: @unchecked Sendable {
  private let mutex = Mutex(())
  // Guarded by the lock.
  @exclusivity(unchecked) private var current: any MutableReference<Value>
  /// The same where it holds its value itself, which is quicker to reach.
  @usableFromInline @exclusivity(unchecked) var root: Unmanaged<RootReference<Value>>?
  @exclusivity(unchecked) private var followers: [SharedFollower<Value>] = []

  @usableFromInline
  func lock() { mutex._unsafeLock() }

  @usableFromInline
  func unlock() { mutex._unsafeUnlock() }

  init(_ reference: any MutableReference<Value>) {
    self.current = reference
    self.root = (reference as? RootReference<Value>).map { Unmanaged.passUnretained($0) }
  }

  init(_ reference: RootReference<Value>) {
    self.current = reference
    self.root = Unmanaged.passUnretained(reference)
  }

  @usableFromInline
  var reference: any MutableReference<Value> {
    get {
      lock()
      defer { unlock() }
      return current
    }
    set {
      if let reads = SharedSession.current { reads.willExchange(self) }
      var old: any MutableReference<Value> = newValue
      let root: Unmanaged<RootReference<Value>>? = (newValue as? RootReference<Value>)
        .map { Unmanaged.passUnretained($0) }
      let ended: [SharedSubscription] = SharedHooks.exchanging(self) {
        lock()
        defer { unlock() }
        swap(&current, &old)
        self.root = root
        return followers.compactMap { $0.follow(newValue) }
      }
      if SharedHooks.isActive, let was = old.root, let now = newValue.root, was !== now {
        SharedHooks.didExchange(was, for: now)
      }
      // Who observes the old reference by way of this box is to look at the new one.
      old.touch()
      for subscription in ended { subscription.cancel() }
    }
  }

  /// The reference where it holds its value itself.
  @inlinable
  var rootReference: RootReference<Value>? {
    lock()
    defer { unlock() }
    return root?.takeUnretainedValue()
  }

  /// The value.
  @inlinable
  var value: Value {
    if !ReferenceCore.isReadingWatched {
      // While the box is locked its reference stays, and need not be retained.
      lock()
      if let root {
        defer { unlock() }
        return root._withUnsafeGuaranteedRef { root in
          root.willRead()
          return root.rawValue
        }
      }
      unlock()
    }
    return reference.wrappedValue
  }
}

extension SharedBox: ExchangeableBox {
  package var content: AnyObject { reference }
  package var valueType: Any.Type { Value.self }
  package var derivation: SharedDerivation? { SharedDerivation(of: reference) }

  package func content(_ steps: [String], from root: any AnyRootReference) -> AnyObject? {
    (root as? any MutableReference)?.derived(steps.map { DerivationStep($0) }, last: nil)
      as? any MutableReference<Value>
  }

  package func put(_ content: AnyObject) {
    guard let reference = content as? any MutableReference<Value> else { return }
    ReducerReads.without { self.reference = reference }
  }
}

extension SharedReaderBox: ExchangeableBox {
  package var content: AnyObject { reference }
  package var valueType: Any.Type { Value.self }
  package var derivation: SharedDerivation? { SharedDerivation(of: reference) }

  package func content(_ steps: [String], from root: any AnyRootReference) -> AnyObject? {
    (root as? any Reference)?.readDerived(steps.map { DerivationStep($0) }, last: nil)
      as? any Reference<Value>
  }

  package func put(_ content: AnyObject) {
    guard let reference = content as? any Reference<Value> else { return }
    ReducerReads.without { self.reference = reference }
  }
}

extension SharedBox: FollowableBox {
  func add(_ follower: SharedFollower<Value>) {
    lock()
    defer { unlock() }
    followers.append(follower)
    _ = follower.follow(current)
  }

  func remove(_ follower: SharedFollower<Value>) {
    lock()
    followers.removeAll { $0 === follower }
    unlock()
    follower.end()
  }
}

/// What copies of a `SharedReader` have in common.
final class SharedReaderBox<Value>: @unchecked Sendable {
  private let lock = Mutex(())
  // Guarded by `lock`.
  @exclusivity(unchecked) private var current: any Reference<Value>
  @exclusivity(unchecked) private var followers: [SharedFollower<Value>] = []

  init(_ reference: any Reference<Value>) {
    self.current = reference
  }

  var reference: any Reference<Value> {
    get {
      lock._unsafeLock()
      defer { lock._unsafeUnlock() }
      return current
    }
    set {
      if let reads = SharedSession.current { reads.willExchange(self) }
      var old: any Reference<Value> = newValue
      let ended: [SharedSubscription] = SharedHooks.exchanging(self) {
        lock._unsafeLock()
        defer { lock._unsafeUnlock() }
        swap(&current, &old)
        return followers.compactMap { $0.follow(newValue) }
      }
      if SharedHooks.isActive, let was = old.root, let now = newValue.root, was !== now {
        SharedHooks.didExchange(was, for: now)
      }
      old.touch()
      for subscription in ended { subscription.cancel() }
    }
  }
}

extension SharedReaderBox: FollowableBox {
  func add(_ follower: SharedFollower<Value>) {
    lock._unsafeLock()
    defer { lock._unsafeUnlock() }
    followers.append(follower)
    _ = follower.follow(current)
  }

  func remove(_ follower: SharedFollower<Value>) {
    lock._unsafeLock()
    followers.removeAll { $0 === follower }
    lock._unsafeUnlock()
    follower.end()
  }
}
