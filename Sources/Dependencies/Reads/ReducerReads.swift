#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import IssueReporting

/// Where a recording or a replay takes part in what a reducer reads from outside.
package protocol ReadSession: AnyObject {
  /// Whether the reducer runs again, so that nothing outside may be touched.
  var isReplay: Bool { get }

  /// The outcome of a read by the reducer that runs on this thread; `nil` where a replay has none.
  ///
  /// - Parameters:
  ///   - key: What is read.
  ///   - arguments: What it is asked with, if it takes arguments.
  ///   - live: Asks the real one. A recording calls it once, a replay never.
  func read<Value>(
    _ key: _ReadKey<Value>, arguments: _ReadArguments?, live: () -> Result<Value, any Error>
  ) -> Result<Value, any Error>?

  /// A replayed reducer called something outside that no recording can hold.
  ///
  /// It got an answer that stands in for the real one, of which nobody knows what it was.
  func touched(_ name: String)

  /// A replayed reducer was given a dependency's live value, since there is no other.
  ///
  /// Only what the reducer then does with it could tell whether that matters: it may hand it on to
  /// an effect, which a replay does not run.
  func handedOut(_ name: String)
}

extension ReadSession {
  package var isReplay: Bool { false }
  package func touched(_ name: String) {}
  package func handedOut(_ name: String) {}
}

/// The session of the reducer that runs on this thread.
///
/// A word of the thread tells it, as reducers are synchronous: effects, which inherit task-locals
/// and dependencies, are outside of it.
package final class ReducerReads {
  private let session: any ReadSession
  /// The same, for whoever knows more of it than this module does.
  package let part: AnyObject?
  // A global's look-up costs as much as what is found by it.
  private let key = ReducerReads.key

  /// - Parameter part: What other modules ask through ``part``.
  package init(_ session: any ReadSession, part: AnyObject? = nil) {
    self.session = session
    self.part = part
  }

  /// Where a thread has its word.
  fileprivate typealias Slot = UnsafeMutablePointer<Unmanaged<ReducerReads>?>

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { $0?.deallocate() }
    return key
  }()

  /// This thread's word, which is made when it is first asked for.
  private static func slot(_ key: pthread_key_t) -> Slot {
    if let pointer = pthread_getspecific(key) {
      return pointer.assumingMemoryBound(to: Unmanaged<ReducerReads>?.self)
    }
    return makeSlot(key)
  }

  @inline(never)
  private static func makeSlot(_ key: pthread_key_t) -> Slot {
    let slot = Slot.allocate(capacity: 1)
    slot.initialize(to: nil)
    pthread_setspecific(key, slot)
    return slot
  }

  /// That of this thread; `nil` where no reducer runs, or nobody takes part.
  package static var current: ReducerReads? {
    pthread_getspecific(self.key).flatMap {
      $0.assumingMemoryBound(to: Unmanaged<ReducerReads>?.self).pointee?.takeUnretainedValue()
    }
  }

  /// That of this thread, unless a dependency is looked at only to be changed.
  static var ofUse: ReducerReads? {
    guard let reads = self.current, !DependencyReader.current.pointee.isSetting else { return nil }
    return reads
  }

  /// Runs a reducer, whose reads go to the session.
  package func with<R>(_ body: () throws -> R) rethrows -> R {
    try Self.with(Unmanaged.passUnretained(self), body)
  }

  /// What a run of a reducer found when it began.
  package struct Run {
    fileprivate let slot: Slot
    fileprivate let outer: Unmanaged<ReducerReads>?
  }

  /// Begins to take part in what a reducer reads, without a closure; ``leave(_:)`` ends it, on the
  /// same thread.
  ///
  /// - Parameter reads: Somebody else keeps it alive until then.
  /// - Returns: What to hand to that.
  package static func enter(_ reads: Unmanaged<ReducerReads>) -> Run {
    let slot = reads._withUnsafeGuaranteedRef { self.slot($0.key) }
    let run = Run(slot: slot, outer: slot.pointee)
    slot.pointee = reads
    return run
  }

  /// Ends what ``enter(_:)`` began.
  package static func leave(_ run: Run) {
    run.slot.pointee = run.outer
  }

  /// Runs something whose reads are nobody's: the real thing behind a read, which a replay does not
  /// run.
  package static func without<R: ~Copyable>(_ body: () throws -> R) rethrows -> R {
    try self.with(nil, body)
  }

  private static func with<R: ~Copyable>(
    _ reads: Unmanaged<ReducerReads>?, _ body: () throws -> R
  ) rethrows -> R {
    let slot = self.slot(self.key)
    let outer = slot.pointee
    slot.pointee = reads
    defer { slot.pointee = outer }
    return try body()
  }
}

// MARK: - What a reducer is given

extension ReducerReads {
  /// Whether the reducer runs again, so that nothing outside may be touched.
  var isReplay: Bool { self.session.isReplay }

  func touched(_ name: String) { self.session.touched(name) }
  func handedOut(_ name: String) { self.session.handedOut(name) }

  /// The value of a read.
  ///
  /// - Parameter standIn: What to give where a replay has no value. Without one there is nothing
  ///   but the real thing, which is told to the session.
  func value<Value>(
    of key: _ReadKey<Value>, arguments: _ReadArguments?, live: () -> Value,
    standIn: (() -> Value)?
  ) -> Value {
    let outcome: Result<Value, any Error>? = self.session.read(key, arguments: arguments) {
      .success(Self.without(live))
    }
    if case .success(let value)? = outcome { return value }
    if let standIn { return Self.silently(standIn) }
    self.session.touched(key.name)
    return Self.without(live)
  }

  /// The value of a read that can throw.
  ///
  /// - Throws: What `live` throws, in a replay a `RecordedError` in its place; what `standIn`
  ///   throws where a replay has no value.
  func value<Value>(
    of key: _ReadKey<Value>, arguments: _ReadArguments?, throwing live: () throws -> Value,
    standIn: () throws -> Value
  ) throws -> Value {
    let outcome: Result<Value, any Error>? = self.session.read(key, arguments: arguments) {
      Self.without { Result { try live() } }
    }
    guard let outcome else { return try Self.silently(standIn) }
    return try outcome.get()
  }

  /// Calls something that no recording can hold: in a replay what stands in for it is called.
  func unrecorded<Value: ~Copyable>(
    _ name: String, live: () throws -> Value, standIn: () throws -> Value
  ) rethrows -> Value {
    guard self.isReplay else { return try Self.without(live) }
    self.touched(name)
    var value: Value?
    try Self.silently { value = try standIn() }
    return value.take()!
  }

  /// Calls what stands in for the real thing, whose report of that is nobody's concern.
  private static func silently<R>(_ standIn: () throws -> R) rethrows -> R {
    try withIssueReporters([]) { try self.without(standIn) }
  }
}
