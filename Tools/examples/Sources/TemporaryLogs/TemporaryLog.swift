import ComposableArchitecture
import Foundation
import Retrace

/// A place for the log of one test, deleted with the last reference to it.
public final class TemporaryLog: Sendable {
  public let path: String

  public init() {
    self.path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("example-\(UUID().uuidString).retrace").path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: self.path)
  }

  /// Folds the log's actions through a reducer and returns every state, the initial one first.
  ///
  /// The reducer is made twice: what it counts by itself, such as `UUIDGenerator.incrementing`,
  /// begins anew for each fold.
  ///
  /// - Throws: A `ReplayError` when the log can't be replayed, a `Divergence` when the replay does
  ///   something else than the recording did.
  public func states<State, Action>(
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws -> [State] {
    let report = try Timeline(of: self.path, reducer: reducer).replay(progress: { _ in })
    if let divergence = report.divergence { throw divergence }
    let timeline = try Timeline(of: self.path, reducer: reducer)
    var states = [timeline.state]
    while try timeline.stepForward() { states.append(timeline.state) }
    return states
  }
}
