import ComposableArchitecture
import Foundation
import Retrace

/// What a feature did in one session: its log, and how its state looked after every action.
///
/// ```swift
/// let session = try await RecordedSession(CounterFeature.State()) {
///   CounterFeature()
/// } run: { store in
///   store.send(.incrementTapped)
/// }
/// #expect(try session.differences { CounterFeature() } == [])
/// ```
///
/// The store is live, but for what it stores: that is in memory, and of this session.
@MainActor
public final class RecordedSession<Feature: Reducer> {
  public typealias State = Feature.State
  public typealias Action = Feature.Action

  /// Where it was recorded, with a digest of the state after each action.
  public let log = TemporaryLog()
  /// The state after each action as text, the initial one first, the one at the end last.
  public let texts: [String]

  /// Runs a session.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with, made with the session's dependencies.
  ///   - feature: The feature to be recorded.
  ///   - prepare: Changes the dependencies of the store and of all that the session makes.
  ///   - run: What the user does. The recording ends with it.
  /// - Throws: A `LogError` when it can't be recorded, and what `run` throws.
  public init(
    _ initialState: @autoclosure () -> State, feature: () -> Feature,
    withDependencies prepare: (inout DependencyValues) -> Void = { _ in },
    run: (Store<State, Action>) async throws -> Void
  ) async throws {
    var contents = RecordingContents()
    contents.digestInterval = 1
    let recording = try Recording(at: self.log.path, contents: contents)
    let texts = LockIsolated<[String]>([])
    try await withDependencies {
      $0.context = .live
      $0.defaultAppStorage = .inMemory
      $0.defaultFileStorage = .inMemory
      $0.defaultInMemoryStorage = InMemoryStorage()
      prepare(&$0)
    } operation: {
      let state = initialState()
      let first = text(of: state)
      texts.setValue([first])
      let store = Store(initialState: state) {
        Watched(base: feature(), texts: texts)
          .recorded(by: recording)
      }
      // What waits for a clock waits before the clock moves.
      try await withMainSerialExecutor { try await run(store) }
      // The log ends with the state of the store, which effects may have changed since the last
      // action.
      let last = text(of: store.withState { $0 })
      texts.withValue { $0[$0.count - 1] = last }
      try recording.close()
    }
    self.texts = texts.value
  }

  /// What a replay does otherwise than the session, at every state: nothing, when all is well.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with, where it can't be read from the log.
  ///   - reducer: The feature, or a later version of it.
  /// - Throws: What the timeline throws.
  public func differences(
    initialState: @autoclosure () -> State? = nil,
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws -> [String] {
    func makeTimeline() throws -> Timeline<State, Action> {
      try Timeline(of: self.log.path, initialState: initialState(), reducer: reducer)
    }
    var differences: [String] = []
    func compare(_ timeline: Timeline<State, Action>, _ way: String) {
      let (then, now) = (self.texts[timeline.position], text(of: timeline.state))
      guard then != now else { return }
      differences.append("\(way) to \(timeline.position): \(diff(then, now) ?? "\(then) \(now)")")
    }
    let report = try makeTimeline().replay(progress: { _ in })
    if let divergence = report.divergence { differences.append("\(divergence)") }
    if !report.liveDependencies.isEmpty {
      differences.append("live: \(report.liveDependencies.joined(separator: ", "))")
    }
    let timeline = try makeTimeline()
    guard timeline.count == self.texts.count - 1 else {
      return differences + ["\(timeline.count) of \(self.texts.count - 1) actions"]
    }
    compare(timeline, "from the start")
    while try timeline.stepForward() { compare(timeline, "forward") }
    while try timeline.stepBackward() { compare(timeline, "back") }
    for number in self.texts.indices.reversed() {
      let other = try makeTimeline()
      try other.move(to: number)
      compare(other, "at once")
    }
    return differences
  }

  /// Where a replay by a changed feature first does otherwise; `nil` when it does not.
  ///
  /// - Throws: What the timeline throws, unless that is a divergence.
  public func divergence(
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws -> Divergence? {
    do {
      return try Timeline(of: self.log.path, reducer: reducer)
        .replay(progress: { _ in }).divergence
    } catch let divergence as Divergence {
      return divergence
    }
  }
}

/// Notes the state after each action.
private struct Watched<Base: Reducer>: Reducer {
  let base: Base
  let texts: LockIsolated<[String]>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let effect = self.base.reduce(into: &state, action: action)
    let (texts, end) = (self.texts, DispatchSemaphore(value: 0))
    nonisolated(unsafe) let present = state
    // What this thread looks at while a reducer runs is recorded as something that it has read.
    Thread.detachNewThread {
      texts.withValue { $0.append(text(of: present)) }
      end.signal()
    }
    end.wait()
    return effect
  }
}

/// A state with all that it shares.
private func text<State>(of state: State) -> String {
  String(customDumping: state)
}
