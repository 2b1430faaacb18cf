package import Dependencies
internal import Synchronization

/// Who sent an action.
public enum ActionOrigin: Hashable, Sendable {
  /// A call of `send` from outside of any effect.
  case user
  /// An effect, started by the action of this number.
  case effect(startedBy: Int)
  /// The action of this number, whose reducer returned an `Effect.send` that had nothing to wait
  /// for.
  case action(Int)
  /// An observer of the state, while the action of this number ran.
  case observer(during: Int)

  /// The number of the action without which this one would not have been sent; `nil` for the
  /// user's.
  public var cause: Int? {
    switch self {
    case .user: nil
    case .effect(let number), .action(let number), .observer(let number): number
    }
  }

  /// Whether the action answers another one: it was sent by an effect, of whatever kind.
  public var isEffect: Bool {
    switch self {
    case .effect, .action: true
    case .user, .observer: false
    }
  }
}

/// An effect that a store starts for an action.
public struct EffectStart: Hashable, Sendable {
  /// The number of the action whose reducer returned the effect.
  public var action: Int
  /// The place of the effect among those of the action: 0, 1, 2 …
  public var index: Int
  /// The name given to `Effect.run`, if any.
  public var name: String?
  /// The file in which the effect was made, as `#fileID` spells it.
  public var fileID: String
  /// The line in which the effect was made.
  public var line: UInt
  /// Whether it had to wait for another effect of the action, which it follows.
  public var isDelayed: Bool

  /// Describes an effect.
  public init(
    action: Int, index: Int, name: String?, fileID: String, line: UInt, isDelayed: Bool = false
  ) {
    self.action = action
    self.index = index
    self.name = name
    self.fileID = fileID
    self.line = line
    self.isDelayed = isDelayed
  }
}

/// How an effect ended.
public enum EffectEnd: Hashable, Sendable {
  /// Its operation returned.
  case finished
  /// Its task was cancelled before its operation returned.
  case cancelled
  /// It threw an error that nobody handled; the text tells which.
  case failed(String)
}

/// What a root store tells a recorder, on the main actor and in the order in which it happens.
///
/// Actions are numbered 1, 2, 3 … in the order in which the reducer runs them. A subclass
/// overrides what it needs. It must not keep the store alive.
@MainActor
open class StoreHook<State, Action> {
  /// The state as the store has it now, `nil` once the store is gone. Set by the store. While an
  /// action runs it is the state from before.
  public internal(set) var currentState: @MainActor () -> State? = { nil }

  /// Takes part in what reducers read while they run, where there is one.
  // Set once, before any action runs.
  @exclusivity(unchecked) package final var reads: ReducerReads? {
    didSet { self.unretainedReads = self.reads.map(Unmanaged.passUnretained) }
  }
  /// The same for the store, which runs a reducer more often than it should retain something.
  @exclusivity(unchecked) final var unretainedReads: Unmanaged<ReducerReads>?

  /// Makes a hook that does nothing.
  public nonisolated init() {
    let wish = StateWish()
    self.wish = wish
    self.unretainedWish = Unmanaged.passUnretained(wish)
  }

  /// The store was made; no action ran yet.
  open func storeDidStart(initialState: State) {}

  /// Raised, on any thread, by who wants to see the state before the next action's reducer runs.
  // Set once, before any action runs.
  @exclusivity(unchecked) package final var wish: StateWish {
    didSet { self.unretainedWish = Unmanaged.passUnretained(self.wish) }
  }
  /// The same for the store: to retain something takes longer than to look at it.
  @exclusivity(unchecked) final var unretainedWish: Unmanaged<StateWish>

  /// The state was wished for: this is the one before the action that comes next.
  ///
  /// Called right before ``actionWillReduce(_:number:origin:)``, as long as the wish is raised.
  open func stateWasWished(_ state: State) {}

  /// The reducer is about to run an action.
  open func actionWillReduce(_ action: Action, number: Int, origin: ActionOrigin) {}

  /// The reducer has run an action and left the state as given.
  open func actionDidReduce(number: Int, state: State) {}

  /// An effect starts. It belongs to the action that ran last before, unless it is delayed.
  open func effectDidStart(_ effect: EffectStart) {}

  /// The effect that started last is run by a task.
  package func effectHasTask(_ task: Task<Void, Never>, action: Int, index: Int) {}

  /// An `Effect.send` of the action that ran last is not sent, since what it belongs to is cancelled.
  ///
  /// - Parameter ordinal: Which one of those that the action sends at once, counted from 0.
  open func actionWasNotSent(by action: Int, ordinal: Int) {}

  /// An effect has ended.
  open func effectDidEnd(action: Int, index: Int, _ end: EffectEnd) {}

  /// The store is gone. Called on whatever thread released it.
  nonisolated open func storeDidEnd() {}
}

/// A reducer that brings a recorder along for the store at whose root it stands.
///
/// The store runs `base` in its place and tells the hook what happens.
public protocol _HookedReducer<State, Action>: Reducer {
  associatedtype Base: Reducer<State, Action>

  /// The reducer that the store runs.
  var base: Base { get }

  /// Makes the hook for one root store.
  @MainActor func makeHook() -> StoreHook<State, Action>?
}

/// Whether a store is to show its state before the next action.
package final class StateWish: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  @inline(__always)
  package var isRaised: Bool {
    get { self.flag.load(ordering: .relaxed) }
    set { self.flag.store(newValue, ordering: .relaxed) }
  }

  /// Whether one is raised that somebody else keeps alive.
  // A closure on the main actor would ask each time whether it is there.
  @inline(__always)
  static func isRaised(_ wish: Unmanaged<StateWish>) -> Bool {
    wish._withUnsafeGuaranteedRef { $0.isRaised }
  }
}
