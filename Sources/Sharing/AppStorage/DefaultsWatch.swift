import ConcurrencyExtras
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What looks at user defaults when they may have changed.
protocol DefaultsObserver: AnyObject, Sendable {
  /// The key that is looked at; `nil` when that is not known.
  var key: String? { get }
  var store: UserDefaults { get }

  /// Looks, and tells what is new.
  func check()
}

/// A look at user defaults that is compared with the last one.
///
/// `Seen` is what is compared. What this process saves through the watch is not told.
final class DefaultsWatch<Seen: Sendable>: DefaultsObserver {
  private struct State {
    /// What was last loaded, saved or told; `nil` at first.
    var seen: Seen?
    var tell: (@Sendable (Seen) -> Void)?
    /// Saves that have begun and not ended.
    var saving = 0
    /// Saves that have ended.
    var saves: UInt64 = 0
    /// How often something was told, and which thread did so last.
    var tells: UInt64 = 0
    var teller: UInt = 0
    /// How many threads are telling something.
    var telling = 0
    /// The next look is told even if it shows nothing new.
    var isForced = false
  }

  let key: String?
  private let look: @Sendable () -> Seen
  private let isSame: @Sendable (Seen, Seen) -> Bool
  private let defaults: UncheckedSendable<UserDefaults>
  private let state = Mutex(State())

  init(
    key: String?, store: UserDefaults, look: @escaping @Sendable () -> Seen,
    isSame: @escaping @Sendable (Seen, Seen) -> Bool
  ) {
    self.key = key
    self.defaults = UncheckedSendable(store)
    self.look = look
    self.isSame = isSame
  }

  var store: UserDefaults { defaults.value }

  /// Looks, for whoever loads.
  func load() -> Seen {
    let now: Seen = look()
    state.withLock { $0.seen = now }
    return now
  }

  /// Begins to tell what changes, from what was loaded on.
  func start(_ tell: @escaping @Sendable (Seen) -> Void) {
    state.withLock { $0.tell = tell }
    DefaultsCenter.shared.add(self)
    check()
  }

  /// Ends it.
  func stop() {
    state.withLock { $0.tell = nil }
    DefaultsCenter.shared.remove(self)
  }

  /// Saves what is then to be seen.
  func save(_ value: Seen, _ body: () -> Void) {
    state.withLock { $0.saving += 1 }
    body()
    state.withLock { state in
      state.saving -= 1
      state.saves += 1
      state.seen = value
    }
    check()
  }

  /// Looks, and tells what is new before it returns.
  ///
  /// Nobody waits for another thread, whose telling may take long. When two tell at the same time
  /// the order is not known, nor when somebody saves meanwhile, so the latest is told once more.
  func check() {
    let thread: UInt = currentThread()
    var isForced = false
    while true {
      let before: State = state.withLock { $0 }
      // Whoever saves looks when that is done.
      guard let tell = before.tell, before.saving == 0 else { break }
      let now: Seen = look()
      if !isForced, !before.isForced, let seen = before.seen, isSame(seen, now) {
        guard before.telling > 0, before.teller != thread else { return }
        // Another thread is still telling it: who looks here has it as well when this returns.
        tell(now)
        isForced = state.withLock { $0.tells != before.tells }
        if isForced { continue }
        return
      }
      let isLatest: Bool = state.withLock { state in
        guard state.saving == 0, state.saves == before.saves, state.tells == before.tells
        else { return false }
        state.seen = now
        state.isForced = false
        state.tells += 1
        state.teller = thread
        state.telling += 1
        return true
      }
      guard isLatest else { continue }
      tell(now)
      isForced = state.withLock { state in
        state.telling -= 1
        let isNewer: Bool = state.tells != before.tells + 1 && state.teller != thread
        return isNewer || state.saving > 0 || state.saves != before.saves
      }
      if !isForced { return }
    }
    if isForced { state.withLock { $0.isForced = true } }
  }
}

private func currentThread() -> UInt {
  UInt(pthread_self())
}
