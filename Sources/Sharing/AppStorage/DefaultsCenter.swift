import ConcurrencyExtras
import Dispatch
import Foundation
import Synchronization

/// Watches user defaults for changes by anybody, and writes those of this process to disk.
///
/// Changes through an ``ObservedDefaults`` and in memory are told as they are made. Those through
/// other objects of this process are found by looking at the watched keys ten times a second, and
/// those of other processes by watching the property lists.
final class DefaultsCenter: Sendable {
  static let shared = DefaultsCenter()

  /// How often keys are looked at, in milliseconds: soon enough for a person.
  private static let lookMilliseconds = 100

  private struct WeakObserver {
    weak var observer: (any DefaultsObserver)?
    var isInMemory: Bool
  }

  private struct State {
    var observers: [ObjectIdentifier: WeakObserver] = [:]
    var timer: UncheckedSendable<any DispatchSourceTimer>?
    var watches: [String: FileWatcher.Watch] = [:]
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "retrace.defaults", qos: .utility)
  private let writer: DefaultsWriter

  private init() {
    writer = DefaultsWriter(queue: queue)
  }

  /// Begins to let an observer look when something may have changed.
  func add(_ observer: any DefaultsObserver) {
    let isInMemory: Bool = observer.store is InMemoryDefaults
    let folder: String = DefaultsFolder.path(of: observer.store)
    state.withLock { state in
      state.observers[ObjectIdentifier(observer)] = WeakObserver(
        observer: observer, isInMemory: isInMemory)
      guard !isInMemory else { return }
      if state.timer == nil { state.timer = UncheckedSendable(startTimer()) }
      if state.watches[folder] == nil {
        state.watches[folder] = FileWatcher.shared.watch(
          .files(in: folder, suffix: ".plist")
        ) { [weak self] in self?.othersWrote() }
      }
    }
  }

  func remove(_ observer: any DefaultsObserver) {
    // What ends here must not be ended under the lock.
    let ended: State = state.withLock { state in
      var ended = State()
      state.observers[ObjectIdentifier(observer)] = nil
      if state.observers.values.allSatisfy({ $0.isInMemory || $0.observer == nil }) {
        swap(&ended.timer, &state.timer)
        swap(&ended.watches, &state.watches)
      }
      return ended
    }
    ended.timer?.value.cancel()
  }

  /// A key, or any when it is `nil`, was changed in this process.
  func changed(_ key: String?) {
    for observer in observers() where key == nil || observer.key == nil || observer.key == key {
      observer.check()
    }
  }

  /// The store was changed in this process, and must get to disk.
  func write(_ store: UserDefaults) {
    writer.write(store)
  }

  private func othersWrote() {
    let observers: [any DefaultsObserver] = observers()
    var stores: [ObjectIdentifier: UserDefaults] = [:]
    for observer in observers { stores[ObjectIdentifier(observer.store)] = observer.store }
    // What others have written is read only now.
    for store in stores.values { store.exchange() }
    for observer in observers { observer.check() }
  }

  private func observers(inMemory: Bool = true) -> [any DefaultsObserver] {
    state.withLock { state in
      state.observers.values.compactMap { inMemory || !$0.isInMemory ? $0.observer : nil }
    }
  }

  private func startTimer() -> any DispatchSourceTimer {
    let timer: any DispatchSourceTimer = DispatchSource.makeTimerSource(queue: queue)
    let interval = DispatchTimeInterval.milliseconds(Self.lookMilliseconds)
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in
      for observer in self?.observers(inMemory: false) ?? [] { observer.check() }
    }
    timer.resume()
    return timer
  }
}
